import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blame } from "./blame";
import { buildHistory } from "./history";
import { rangesOf, sameContent } from "./known-content";
import { decodeVersion, encodeVersions } from "./storage";
import { type TestCall, trajectoryOf } from "./testing-trajectory";

const paths = fc.constantFrom(
  "/repo/a",
  "a",
  "./a",
  "b/../a",
  "__proto__",
  "constructor",
  "",
  "/",
  "~",
  "..",
  "C:\\a",
  "file:///repo/a%zz",
  "a\u2028b",
  "\u0000",
);
const texts = fc.oneof(
  fc.constantFrom(
    "",
    "\n",
    "a",
    "a\n",
    "a\nb\nc\n",
    "a\r\nb\r\n",
    "\t\ta\n",
    "$&$1",
    "\ud800",
    "\u2028",
    "--- x\u2028x",
    "x".repeat(300),
  ),
  fc.string({ maxLength: 12 }),
);
const numbers = fc.constantFrom(-1, 0, 1, 2, 3, 99, 999_999_999, 1e21, Number.NaN, 0.5, "2", "9999999999");
const values = fc.oneof(
  texts,
  numbers,
  paths,
  fc.constantFrom(null, true, false, [], {}, [{}], [{ old_string: "a", new_string: "b" }], [1]),
);

const tools = fc.constantFrom(
  "str_replace_editor",
  "file_editor",
  "Edit",
  "MultiEdit",
  "Write",
  "NotebookEdit",
  "edit",
  "create",
  "insert",
  "open",
  "set_cursors",
  "bash",
  "Bash",
  "Read",
  "submit",
);
const names = [
  "command",
  "path",
  "file_path",
  "old_str",
  "new_str",
  "old_string",
  "new_string",
  "file_text",
  "content",
  "insert_line",
  "edits",
  "replace_all",
  "line_range",
  "replacement_text",
  "search",
  "replace",
  "filename",
];
const commands = fc.constantFrom(
  "create",
  "str_replace",
  "insert",
  "undo_edit",
  "view",
  "echo x > a",
  "cat > a <<'E'\nx\nE",
  "sed -i 's/a/b/' a",
  "sed -i '2d' a",
  "rm a",
  "mv a b",
  "cp a /",
  "git stash",
  "> a",
  "cat <<",
  "((",
  "tee",
  "mv",
  "rm -rf /",
  "cd && echo x >> a",
);
const given = fc.record(
  {
    ...Object.fromEntries(names.map((name) => [name, values])),
    command: commands,
    path: paths,
    file_path: paths,
    filename: paths,
  },
  { requiredKeys: [] },
);
const answers = fc.constantFrom(
  "",
  "has been edited. Here's",
  "File created successfully at",
  "No replacement was performed",
  "File updated. Please review",
  "[File: /repo/a (3 lines total)]\n1:a\n2:b\n",
  "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-a\n+b\n",
  "undone successfully",
);
const reads = fc.array(
  fc.record({
    path: paths,
    startLine: fc.constantFrom(1, 2, 50, 999_999_999),
    text: texts,
    totalLines: fc.constantFrom(null, 0, 1, 3, 99),
    whole: fc.boolean(),
  }),
  { maxLength: 2 },
);
const recorded = fc.array(
  fc.record({
    path: paths,
    before: fc.option(texts),
    after: fc.option(texts),
    existedBefore: fc.option(fc.boolean()),
    patch: fc.option(
      fc.constantFrom("@@ -1,1 +1,1 @@\n-a\n+b\n", "@@ -9,0 +10,1 @@\n+x\n", "@@ nonsense", "--- x\u2028x", ""),
    ),
    byPerson: fc.boolean(),
  }),
  { maxLength: 1 },
);
const calls: fc.Arbitrary<TestCall> = fc.record({
  tool: tools,
  arguments: fc.option(given) as fc.Arbitrary<NonNullable<TestCall["arguments"]> | null>,
  text: fc.option(
    fc.oneof(
      commands,
      fc.constantFrom(
        "edit 1:2\nx\nend_of_edit",
        "edit 5:1\nend_of_edit",
        "edit 'a' 'b'",
        "edit\nx\nend_of_edit",
        "create a",
        "open a",
        "insert 'x' 1",
        "set_cursors 0 9",
      ),
    ),
  ),
  result: fc.option(
    fc.record({
      text: answers,
      isError: fc.constantFrom(null, true, false),
      exitCode: fc.constantFrom(null, 0, 1),
      reads,
      recorded,
      late: fc.nat(3),
    }),
  ),
  state: fc.record({
    when: fc.constantFrom("before" as const, "after" as const),
    workingDirectory: fc.constantFrom(null, "/repo", "relative", ""),
    openFile: fc.option(paths),
    cumulativeDiff: fc.option(answers),
  }),
});

describe("a hostile trace", () => {
  it("never makes the history fail, and every version comes back from storage with a writer for each known line", () => {
    fc.assert(
      fc.property(fc.array(calls, { maxLength: 12 }), fc.option(texts), fc.boolean(), (run, patch, hasBaseline) => {
        const baseline = hasBaseline
          ? {
              files: new Map([
                ["a", "a\nb\n"],
                ["__proto__", "p\n"],
              ]),
            }
          : null;
        const history = buildHistory(trajectoryOf(run, { deliveredPatch: patch }), baseline);
        for (const file of history.files.values()) {
          const stored = encodeVersions(file.versions);
          for (const version of file.versions) {
            expect(sameContent(decodeVersion(stored, version.n), version.content)).toBe(true);
            expect(version.content.kind === "partial").toBe(version.certainty === "partial");
            expect(version.content.kind === "unknown").toBe(version.certainty === "unknown");
            const lines = rangesOf(version.content).reduce((sum, range) => sum + range.lines.length, 0);
            const blamed = blame(file.versions, stored, version.n).reduce((sum, run) => sum + run.lineCount, 0);
            expect(blamed).toBe(lines);
          }
        }
        for (const write of history.writes) {
          const versions = history.files.get(write.path)?.versions;
          if (write.versionAfter !== null) expect(versions?.[write.versionAfter]?.item).toBe(write.item);
          if (write.status === "refused") expect([write.versionAfter, typeof write.reason]).toEqual([null, "string"]);
        }
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});
