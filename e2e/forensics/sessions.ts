/** Sessions in the shape of Claude Code, written for these tests. */

const CONTENT = `/**
 * Prices of a basket.
 */
import os

def total(lines):
\t"""Total "in" cents \\ without tax"""
\treturn sum(line["price"] for line in lines)  # \u202e turned
`;

const OLD = '\treturn sum(line["price"] for line in lines)';
const NEW = '\tamount = sum(line["price"] * line["count"] for line in lines)\n\treturn amount';

/** A session that writes a module and edits it. `marker` makes its bytes its own, so that no upload is a duplicate. */
export function sessionRun(marker: string): string {
  const entries: unknown[] = [];
  let count = 0;
  let parent: string | null = null;
  const add = (type: string, message: unknown, more: Record<string, unknown> = {}) => {
    count += 1;
    const uuid = `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
    entries.push({
      parentUuid: parent,
      isSidechain: false,
      userType: "external",
      cwd: "/work/shop",
      sessionId: "6f9619ff-8b86-4d01-b42d-00c04fc964ff",
      version: "1.0.90",
      gitBranch: "main",
      uuid,
      timestamp: new Date(Date.UTC(2026, 0, 1) + count * 4_000).toISOString(),
      type,
      message,
      ...more,
    });
    parent = uuid;
  };
  const call = (name: string, input: Record<string, unknown>, result: string, toolUseResult: unknown) => {
    const id = `toolu_${count}`;
    const content = [{ type: "tool_use", id, name, input }];
    const usage = { input_tokens: 10, output_tokens: 20 };
    add("assistant", { id: `msg_${count}`, type: "message", role: "assistant", model: "model-1", content, usage });
    add(
      "user",
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: result }] },
      { toolUseResult },
    );
  };
  add("user", { role: "user", content: `Repair the total of the basket. ${marker}` });
  const path = "/work/shop/price.py";
  call("Write", { file_path: path, content: CONTENT }, `File created successfully at: ${path}`, {
    type: "create",
    filePath: path,
    content: CONTENT,
    structuredPatch: [],
  });
  call(
    "Edit",
    { file_path: path, replace_all: false, new_string: NEW, old_string: OLD },
    `The file ${path} has been updated.`,
    { filePath: path, oldString: OLD, newString: NEW, originalFile: CONTENT, structuredPatch: [] },
  );
  return entries.map((entry) => JSON.stringify(entry)).join("\n");
}
