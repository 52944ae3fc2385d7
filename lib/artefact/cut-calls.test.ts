import { describe, expect, it } from "vitest";
import { buildHistory } from "./history";
import { type TestCall, trajectoryOf, wholeRead } from "./testing-trajectory";

const PATH = "/repo/a.py";
const READ: TestCall = { tool: "look", result: { reads: [wholeRead(PATH, "one\ntwo\n")] } };

/** The last write of a call that the source cut short, and what is known of its file afterwards. */
function written(call: TestCall): unknown[] {
  const history = buildHistory(trajectoryOf([READ, { result: null, ...call, isCut: true }]), null);
  const write = history.writes.at(-1);
  const content = history.files.get(write?.path ?? "")?.versions.at(-1)?.content;
  return [write?.path, write?.operation, write?.status, content?.kind, write?.fragment];
}

const editor = (given: TestCall["arguments"]): TestCall => ({ tool: "str_replace_editor", arguments: given });

describe("a call that the source cut short", () => {
  const edited = [PATH, "edit", "assumed", "unknown", null];

  it.each<[string, TestCall, unknown[]]>([
    ["a replacement", editor({ command: "str_replace", path: PATH, old_str: "two", new_str: "thr" }), edited],
    ["one without the old text", editor({ command: "str_replace", path: PATH, new_str: "thr" }), edited],
    ["an insertion", editor({ command: "insert", path: PATH, insert_line: 1 }), edited],
    [
      "a new file",
      editor({ command: "create", path: "/repo/b.py" }),
      ["/repo/b.py", "create", "assumed", "unknown", null],
    ],
    ["an edit by lines", { tool: "edit", text: "edit 1:1\nx = [", state: { openFile: PATH } }, edited],
    ["an edit that names its texts old and new", { tool: "edit_file", arguments: { path: PATH, old: "two" } }, edited],
    [
      "a here-document",
      { tool: "bash", text: "cat > /repo/a.py <<'E'\nthree\nE", result: { exitCode: 0 } },
      [PATH, "overwrite", "applied", "unknown", null],
    ],
  ])("writes its file, and what is in it is not known: %s", (_, call, expected) => {
    expect(written(call)).toEqual(expected);
  });

  it("is told from one that is whole", () => {
    const call = editor({ command: "str_replace", path: PATH, old_str: "two", new_str: "three" });
    const { files } = buildHistory(trajectoryOf([READ, call]), null);
    expect(files.get(PATH)?.versions.at(-1)?.content).toEqual({ kind: "whole", text: "one\nthree\n" });
    const withoutOld = editor({ command: "str_replace", path: PATH, new_str: "three" });
    expect(buildHistory(trajectoryOf([READ, withoutOld]), null).writes).toEqual([]);
  });

  it("deletes as it says", () => {
    const removal = written({ tool: "bash", text: "rm /repo/a.py", result: { exitCode: 0 } });
    expect(removal).toEqual([PATH, "delete", "applied", "absent", null]);
  });
});
