import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beganAt, lockDataFolder } from "./lock.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "misstep-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const leave = (text: string) => writeFileSync(path.join(folder, "launcher.lock"), text);

describe("lockDataFolder", () => {
  it("is refused while its holder lives, and free after its release", () => {
    const first = lockDataFolder(folder, "http://127.0.0.1:1");
    expect(first.wasStale).toBe(false);
    expect(() => lockDataFolder(folder, "http://127.0.0.1:2")).toThrow(
      `Misstep already runs on ${folder} (process ${process.pid}, http://127.0.0.1:1): stop it first`,
    );
    first.release();
    expect(readdirSync(folder)).toEqual([]);
    lockDataFolder(folder, "http://127.0.0.1:2").release();
  });

  it("is taken over from a process that is gone", () => {
    leave(JSON.stringify({ pid: 2 ** 22 + 1, began: "1", origin: "http://127.0.0.1:1" }));
    expect(lockDataFolder(folder, "x").wasStale).toBe(true);
    expect(readdirSync(folder)).toEqual(["launcher.lock"]);
  });

  it("is taken over when the number now belongs to a process that began later", () => {
    leave(JSON.stringify({ pid: process.pid, began: "1", origin: "http://127.0.0.1:1" }));
    expect(lockDataFolder(folder, "x").wasStale).toBe(true);
  });

  it.each(["", "{", "null", "[]", '{"pid":"1"}'])("is taken over when it says nothing: %j", (text) => {
    leave(text);
    expect(lockDataFolder(folder, "x").wasStale).toBe(true);
  });

  it("does not release a lock that is another's by now", () => {
    const first = lockDataFolder(folder, "x");
    leave("another");
    first.release();
    expect(readdirSync(folder)).toEqual(["launcher.lock"]);
  });
});

describe("beganAt", () => {
  it("tells two processes apart, and says nothing about one that is gone", () => {
    expect(beganAt(process.pid)).not.toBe("");
    expect(beganAt(process.pid)).not.toBe(beganAt(1));
    expect(beganAt(2 ** 22 + 1)).toBe("");
  });
});
