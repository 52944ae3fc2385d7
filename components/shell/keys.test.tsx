import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useKeys } from "./keys";

afterEach(cleanup);

function Page({ onKey }: { onKey: () => void }) {
  useKeys({ j: onKey, Enter: onKey });
  return (
    <>
      <input aria-label="field" />
      <button type="button">press</button>
      <div role="dialog" aria-label="a dialog">
        <p>inside</p>
      </div>
    </>
  );
}

describe("useKeys", () => {
  const show = () => {
    const onKey = vi.fn();
    render(<Page onKey={onKey} />);
    return onKey;
  };

  it("runs the action and keeps the browser from its own", () => {
    const onKey = show();
    expect(fireEvent.keyDown(document.body, { key: "j" })).toBe(false);
    expect(onKey).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["in a field", () => screen.getByLabelText("field"), { key: "j" }],
    ["in a dialog", () => screen.getByText("inside"), { key: "j" }],
    ["on a button, which Enter presses", () => screen.getByRole("button"), { key: "Enter" }],
    ["with Ctrl", () => document.body, { key: "j", ctrlKey: true }],
    ["with Meta", () => document.body, { key: "j", metaKey: true }],
    ["for another key", () => document.body, { key: "J" }],
  ])("rests %s", (_, target, event) => {
    const onKey = show();
    expect(fireEvent.keyDown(target(), event)).toBe(true);
    expect(onKey).not.toHaveBeenCalled();
  });

  it("ends with the page", () => {
    const onKey = show();
    cleanup();
    fireEvent.keyDown(document.body, { key: "j" });
    expect(onKey).not.toHaveBeenCalled();
  });
});
