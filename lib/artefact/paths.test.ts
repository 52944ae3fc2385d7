import { describe, expect, it } from "vitest";
import { endsWithPath, pathInside, resolvePath } from "./paths";

describe("resolvePath", () => {
  it.each([
    ["a.py", "/repo", "/repo/a.py"],
    ["./src/../a.py", "/repo", "/repo/a.py"],
    ["/repo//a.py", null, "/repo/a.py"],
    ["../a.py", "/repo/src", "/repo/a.py"],
    ["../../../a.py", "/repo", "/a.py"],
    ["a.py", null, "a.py"],
    ["../a.py", null, "../a.py"],
    ["a.py", ".", "a.py"],
    ["a.py", "", "a.py"],
    ["./a.py", "app/sub", "app/sub/a.py"],
    ["../../a.py", "app", "../a.py"],
    ["a b/c.py", "/repo", "/repo/a b/c.py"],
    ["~/a.py", "/repo", "~/a.py"],
    ["~", "/repo", "~"],
    ["file:///repo/a%20b.py", null, "/repo/a b.py"],
    ["file:///repo/100%.py", null, "/repo/100%.py"],
    ["file:///C:/x/a.py", null, "C:/x/a.py"],
    ["C:\\x\\a.py", "/repo", "C:/x/a.py"],
    ["src\\a.py", "C:\\x", "C:/x/src/a.py"],
    ["__proto__", null, "__proto__"],
    [".", "/repo", "/repo"],
  ])("%s in %s is %s", (spelling, directory, shown) => {
    expect(resolvePath(spelling, directory).shown).toBe(shown);
  });

  it("does not tell case apart on Windows only", () => {
    expect(resolvePath("C:\\X\\A.py", null).key).toBe(resolvePath("c:/x/a.py", null).key);
    expect(resolvePath("/X/A.py", null).key).not.toBe(resolvePath("/x/a.py", null).key);
  });
});

describe("parts of paths", () => {
  it.each([
    ["/repo/a.py", "/repo", "a.py"],
    ["/repo", "/repo", ""],
    ["/repository/a.py", "/repo", null],
    ["/a.py", "/", "a.py"],
  ])("%s inside %s is %s", (path, root, inside) => {
    expect(pathInside(path, root)).toBe(inside);
  });

  it("takes whole parts only", () => {
    expect(endsWithPath("/repo/src/a.py", "src/a.py")).toBe(true);
    expect(endsWithPath("/repo/mysrc/a.py", "src/a.py")).toBe(false);
  });
});
