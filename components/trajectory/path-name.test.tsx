import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { PathName, splitPath } from "./path-name";

afterEach(cleanup);

describe("splitPath", () => {
  it.each([
    ["price.py", "", "price.py"],
    ["packages/generated/interfaces/tide.py", "packages/generated/interfaces", "/tide.py"],
    [`src/${"long_".repeat(20)}end.py`, null, null],
  ])("keeps the name of %s", (path, start, end) => {
    const found = splitPath(path);
    expect(found.start + found.end).toBe(path);
    if (start !== null) expect(found).toEqual({ start, end });
    else expect(found.end).toHaveLength(24);
  });

  it("cuts no character in two, and leaves words from right to left whole", () => {
    const { end } = splitPath(`${"a".repeat(40)}${"\u{1f30a}".repeat(11)}xyz`);
    expect(end.isWellFormed()).toBe(true);
    expect(splitPath(`src/${"\u05de\u05d5\u05d3\u05d5\u05dc".repeat(10)}.py`).start).toBe("");
  });
});

describe("PathName", () => {
  it("holds the whole path as text", () => {
    const path = "packages/generated/interfaces/tide.py";
    const { container } = render(<PathName path={path} />);
    expect(container.textContent).toBe(path);
  });
});
