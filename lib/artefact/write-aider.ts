import type { CallItem, ResultItem } from "@/lib/trajectory/schema";
import { CallArguments } from "./call-arguments";
import { type Attempt, type Outcome, reasonIn } from "./effect";

const TOOLS = new Set(["aider_search_replace", "aider_whole_file", "aider_udiff", "aider_edit", "aider_undo"]);

/** Whether a call is an edit that stands in the words of aider's model, or takes such edits back (formats.md, W5). */
export function isAiderCall(call: CallItem): boolean {
  return TOOLS.has(call.tool);
}

/** The writes of an edit of aider's: one file, or each file of a commit that is taken back. */
export function readAiderWrite(call: CallItem, result: ResultItem | null): Attempt[] {
  const given = new CallArguments(call);
  const outcome = outcomeOf(result);
  if (call.tool === "aider_undo") return readUndo(given, outcome);
  const path = given.text("path");
  if (path === null) return [];
  const base = { path, grammar: "W5" as const, ...outcome };
  if (call.tool === "aider_edit") return [opaque(base, "the edit is not told in a way that can be read")];
  if (call.tool === "aider_whole_file") {
    const text = given.text("content");
    if (text === null) return [opaque(base, "what was written is not told")];
    const operation = given.flag("created") ? ("create" as const) : ("overwrite" as const);
    const fragment = { before: null, after: text, startLine: 1 };
    return [{ ...base, operation, effect: { kind: "write", text, mustBeNew: false }, fragment }];
  }
  const [search, replace] = [given.text("search"), given.text("replace")];
  if (search === null || replace === null) return [opaque(base, "what was replaced is not told")];
  const isBlock = call.tool === "aider_search_replace";
  const before = isBlock ? withoutWrapping(search, path) : search;
  const after = isBlock ? withoutWrapping(replace, path) : replace;
  const fragment = { before, after, startLine: null };
  if (before.trim() !== "") {
    const rule = isBlock ? ("first" as const) : ("unique" as const);
    return [{ ...base, operation: "edit", effect: { kind: "block", before, after, rule }, fragment }];
  }
  const isNew = given.flag("created");
  const effect = isNew
    ? { kind: "write" as const, text: after, mustBeNew: false }
    : { kind: "append" as const, text: after };
  return [{ ...base, operation: isNew ? "create" : "append", effect, fragment }];
}

function outcomeOf(result: ResultItem | null): Outcome {
  if (result === null || result.isError === null) return { status: "assumed", reason: null };
  if (!result.isError) return { status: "applied", reason: null };
  const silent = "aider does not say that it made this edit";
  return { status: "refused", reason: result.text === "" ? silent : reasonIn(result.text, 0) };
}

function opaque(base: Pick<Attempt, "path" | "grammar" | "status" | "reason">, why: string): Attempt {
  const told = base.status === "refused" ? base : { ...base, status: "opaque" as const, reason: why };
  return { ...told, operation: "opaque", effect: { kind: "opaque" }, fragment: null };
}

function readUndo(given: CallArguments, outcome: Outcome): Attempt[] {
  return (given.objects("files") ?? []).flatMap((file) => {
    const [path, edits] = [file.get("path"), file.get("edits")];
    if (typeof path !== "string" || typeof edits !== "number" || !Number.isInteger(edits) || edits < 1) return [];
    const effect = { kind: "undo" as const, edits };
    return [{ path, grammar: "W5" as const, ...outcome, operation: "edit" as const, effect, fragment: null }];
  });
}

/** A side of a block without the file's name and the fence that models put around it, as aider takes them off. */
function withoutWrapping(text: string, path: string): string {
  if (text === "") return text;
  let lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (lines.length > 1 && name !== "" && (lines[0] ?? "").trim().endsWith(name)) lines = lines.slice(1);
  const isFenced = (lines[0] ?? "").startsWith("```") && (lines.at(-1) ?? "").startsWith("```");
  if (isFenced) lines = lines.slice(1, -1);
  return lines.length === 0 || (lines.length === 1 && lines[0] === "") ? lines.join("\n") : `${lines.join("\n")}\n`;
}
