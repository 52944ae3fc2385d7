import type { PatchChunk, PatchedFile } from "./patch-grammar";
import type { ShellWrite } from "./shell-surroundings";

/** The writes of one file of a patch that `apply_patch` takes among other commands of a line. */
export function patchedFileWrites(file: PatchedFile): ShellWrite[] {
  const { path } = file;
  const plain = { path, fragment: null, opaque: null };
  const gone: ShellWrite = { ...plain, operation: "delete", effect: { kind: "delete" } };
  if (file.kind === "delete") return [gone];
  if (file.kind === "add") {
    const effect = { kind: "write" as const, text: file.text, mustBeNew: false };
    return [{ ...plain, operation: "create", effect, fragment: { before: null, after: file.text, startLine: 1 } }];
  }
  const { chunks, movedTo } = file;
  const effect = { kind: "patch" as const, chunks };
  const edit: ShellWrite = { ...plain, operation: "edit", effect, fragment: fragmentOf(chunks) };
  if (movedTo === null) return [edit];
  const moved: ShellWrite = { ...plain, path: movedTo, operation: "move", effect: { kind: "move", from: path } };
  return chunks.length === 0 ? [moved, gone] : [edit, moved, gone];
}

const SEPARATOR = "\n⋯\n";

/** The lines that a patch says stand in a file, and those that come in their stead. */
export function fragmentOf(chunks: readonly PatchChunk[]): NonNullable<ShellWrite["fragment"]> {
  return {
    before: chunks.map((chunk) => chunk.before.join("\n")).join(SEPARATOR),
    after: chunks.map((chunk) => chunk.after.join("\n")).join(SEPARATOR),
    startLine: null,
  };
}
