import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { partialContent, wholeContent } from "./known-content";
import { applyHunks, newSide, parsePatches } from "./patch";

const PATCH = `diff --git a/src/a.py b/src/a.py
index 1bc5a27..5cb05f7 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1,3 +1,4 @@ def f():
 one
-two
+2
+2b
 three
diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+x
\\ No newline at end of file
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-y
`;

describe("parsePatches", () => {
  it("reads git's patches of several files", () => {
    const files = parsePatches(PATCH);
    expect(files?.map((file) => [file.oldPath, file.newPath])).toEqual([
      ["src/a.py", "src/a.py"],
      [null, "new.py"],
      ["gone.py", null],
    ]);
    expect(newSide(files?.[0]?.hunks ?? [])).toEqual([{ startLine: 1, lines: ["one\n", "2\n", "2b\n", "three\n"] }]);
    expect(newSide(files?.[1]?.hunks ?? [])).toEqual([{ startLine: 1, lines: ["x"] }]);
    expect(newSide(files?.[2]?.hunks ?? [])).toEqual([]);
  });

  it("reads hunks without a file header", () => {
    expect(parsePatches("@@ -1,1 +1,1 @@\n-a\n+b\n")).toMatchObject([{ oldPath: null, hunks: [{ oldStart: 1 }] }]);
  });

  it.each(["--- x\u2028x", "--- x\n+++ \u2029", "@@ -1,9 +1,9 @@\n-a\n", "@@ nonsense", "", "just text"])(
    "never hangs or throws: %j",
    (text) => {
      const tookMs = processorMs(() => expect(() => parsePatches(text)).not.toThrow());
      expect(tookMs).toBeLessThan(500);
    },
  );
});

describe("applyHunks", () => {
  const hunks = parsePatches(PATCH)?.[0]?.hunks ?? [];

  it("changes a whole file at the patch's lines", () => {
    const applied = applyHunks(wholeContent("one\ntwo\nthree\nfour"), hunks);
    expect(applied?.content).toEqual({ kind: "whole", text: "one\n2\n2b\nthree\nfour" });
    expect(applied?.change.splices).toEqual([{ at: 1, remove: 1, insert: ["2\n", "2b\n"] }]);
  });

  it("keeps the file's own line ends and its missing last one", () => {
    expect(applyHunks(wholeContent("one\r\ntwo\r\nthree"), hunks)?.content).toEqual({
      kind: "whole",
      text: "one\r\n2\r\n2b\r\nthree",
    });
  });

  it.each(["one\nzwei\nthree\n", "one\n", ""])("does not touch %j, which is another text", (text) => {
    expect(applyHunks(wholeContent(text), hunks)).toBeNull();
  });

  it("tells lines of a file that is not known", () => {
    expect(applyHunks({ kind: "unknown" }, hunks)?.content).toEqual({
      kind: "partial",
      ranges: [{ startLine: 1, lines: ["one\n", "2\n", "2b\n", "three\n"] }],
      totalLines: null,
    });
    const known = partialContent([{ startLine: 10, lines: ["ten\n"] }], 12);
    expect(applyHunks(known, hunks)?.content).toMatchObject({
      totalLines: 13,
      ranges: [{ startLine: 1 }, { startLine: 11, lines: ["ten\n"] }],
    });
  });
});

describe("U6: hostile patches", () => {
  const MANY = 100_000;
  it.each([
    ["a header with a line separator", "--- x\u2028x"],
    ["headers without end", "--- a\n+++ b\n".repeat(MANY)],
    ["hunks of nothing", `--- a\n+++ b\n${"@@ -1,0 +1,0 @@\n".repeat(MANY)}`],
    ["a hunk that claims more than it has", "--- a\n+++ b\n@@ -1,999999999 +1,999999999 @@\n x\n"],
    ["index lines", "Index: x\n".repeat(MANY)],
    ["one line of 1 MB", `--- a\n+++ b\n@@ -1 +1 @@\n-${"x".repeat(1_000_000)}\n+y\n`],
    ["minus signs", "-".repeat(1_000_000)],
  ])("%s: read or refused, in bounded time", (_, text) => {
    let read: unknown;
    const tookMs = processorMs(() => {
      read = parsePatches(text);
    });
    expect(read === null || Array.isArray(read)).toBe(true);
    expect(tookMs).toBeLessThan(3_000);
  });
});
