import type { CallItem, ResultItem } from "@/lib/trajectory/schema";
import type { Attempt } from "./effect";

/** A call whose edits are a file, the code that is there, and the code for it (formats.md W12, AutoCodeRover). */
export function isPatchEditCall(call: CallItem): boolean {
  return call.tool === "write_patch" && Array.isArray(call.arguments?.edits);
}

/**
 * Reads the edits of a patch, one attempt a file. The tool ignores indentation when it looks for the code, so an edit is
 * never replayed: what it gave is known where the trace holds the diff that came of it, and from nothing else.
 */
export function readPatchEdits(call: CallItem, result: ResultItem | null): Attempt[] {
  const byFile = new Map<string, { original: string; patched: string }[]>();
  for (const edit of editsOf(call)) {
    const known = byFile.get(edit.file);
    if (known === undefined) byFile.set(edit.file, [edit]);
    else known.push(edit);
  }
  const isRefused = result?.isError === true;
  return [...byFile].map(([path, edits]) => {
    const [first, ...others] = edits;
    const single = first !== undefined && others.length === 0 ? first : null;
    return {
      path,
      grammar: "W12",
      operation: "edit",
      effect: { kind: "opaque" },
      status: isRefused ? "refused" : result?.isError === false ? "applied" : "opaque",
      reason: isRefused ? reasonIn(result.text) : null,
      fragment: single && { before: single.original, after: single.patched, startLine: null },
    };
  });
}

function editsOf(call: CallItem): { file: string; original: string; patched: string }[] {
  const { edits } = call.arguments ?? {};
  if (!Array.isArray(edits)) return [];
  return edits.flatMap((edit) => {
    if (typeof edit !== "object" || edit === null || Array.isArray(edit)) return [];
    const { file, original, patched } = edit;
    const isWhole = typeof file === "string" && typeof original === "string" && typeof patched === "string";
    return isWhole && file !== "" ? [{ file, original, patched }] : [];
  });
}

const REASON_CHARS = 300;

function reasonIn(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line === "" ? "the program could not apply the patch" : line.slice(0, REASON_CHARS);
}
