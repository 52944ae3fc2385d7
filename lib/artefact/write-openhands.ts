import type { CallItem, ResultItem } from "@/lib/trajectory/schema";
import { CallArguments } from "./call-arguments";
import { type Attempt, judgeAnswer } from "./effect";

const NEVER = /(?!)/;
const SUCCESS = /I (?:wrote to|edited) the file/;

/** Whether a call is a write or an edit by OpenHands' own runtime: it names lines of the file by `start` and `end`. */
export function isRuntimeWrite(call: CallItem): boolean {
  if (!["write", "edit", "edit_file"].includes(call.tool)) return false;
  const given = new CallArguments(call);
  const isByLines = given.has("start") && given.has("end");
  return isByLines && given.text("path") !== null && given.text("content") !== null && !given.text("command");
}

/**
 * The write of such a call. `write` puts a line feed behind the content; with lines of the file, and where a model
 * fills in a draft (`edit`), what the file holds is only known from what the trace records.
 */
export function readRuntimeWrite(call: CallItem, result: ResultItem | null): Attempt[] {
  const given = new CallArguments(call);
  const [path, content] = [given.text("path"), given.text("content")];
  if (path === null || content === null) return [];
  const { status, reason } = judgeAnswer(result, SUCCESS, NEVER);
  const fragment = { before: null, after: content, startLine: null };
  const base = { path, grammar: "W3" as const, status, reason, fragment };
  const isWhole = (given.whole("start") ?? 0) === 0 && (given.whole("end") ?? -1) === -1;
  if (call.tool === "write" && isWhole) {
    const effect = { kind: "write" as const, text: `${content}\n`, mustBeNew: false };
    return [{ ...base, operation: "overwrite", effect, fragment: { ...fragment, startLine: 1 } }];
  }
  if (status === "refused") return [{ ...base, operation: "edit", effect: { kind: "opaque" } }];
  if ((result?.recorded.length ?? 0) > 0)
    return [{ ...base, operation: "edit", effect: { kind: "opaque" }, status: "applied" }];
  const why =
    call.tool === "write" ? "only lines of the file were written" : "a model fills in what the draft leaves out";
  return [{ ...base, operation: "opaque", effect: { kind: "opaque" }, status: "opaque", reason: why }];
}
