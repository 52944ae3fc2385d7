import { describe, expect, it } from "vitest";
import { type KeyPress, type KeyState, keyCommand } from "./key-commands";

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});
const fresh: KeyState = { pendingSinceMs: null };

describe("keys", () => {
  it.each([
    ["j", "next"],
    ["k", "previous"],
    ["e", "next-flagged"],
    ["E", "previous-flagged"],
    ["G", "last"],
    ["1", "view-1"],
    ["3", "view-3"],
    ["/", "find"],
    ["y", "copy-link"],
    ["Escape", "close"],
    ["x", null],
    ["7", null],
  ])("%s", (key, command) => {
    expect(keyCommand(press(key), fresh, 0).command).toBe(command);
  });

  it("needs g twice, soon, with nothing between", () => {
    const first = keyCommand(press("g"), fresh, 0);
    expect(first.command).toBeNull();
    expect(keyCommand(press("g"), first.state, 500).command).toBe("first");
    expect(keyCommand(press("g"), first.state, 5_000).command).toBeNull();
    const broken = keyCommand(press("j"), first.state, 100);
    expect(keyCommand(press("g"), broken.state, 200).command).toBeNull();
    const shifted = keyCommand(press("Shift"), first.state, 100);
    expect(keyCommand(press("g"), shifted.state, 200).command).toBe("first");
  });

  it("leaves the browser's keys alone", () => {
    expect(keyCommand(press("j", { ctrlKey: true }), fresh, 0).command).toBeNull();
    expect(keyCommand(press("1", { metaKey: true }), fresh, 0).command).toBeNull();
  });
});
