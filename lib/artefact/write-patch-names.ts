import type { CallItem, ResultItem } from "@/lib/trajectory/schema";
import { CallArguments } from "./call-arguments";
import { type Attempt, judgeAnswer } from "./effect";

const TOOLS = new Set(["apply_patch", "applypatch"]);
const HEADER = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;
const SUCCESS = /Success\. Updated the following files|^Done!?$/m;
const FAILURE = /Failed to find|Invalid (?:Context|Hunk|patch)|verification failed|Could not apply|^Error:/m;
const WHY = "patches of this kind are not replayed";

/** Whether a call hands a patch to `apply_patch` (formats.md, W4). */
export function isPatchCall(call: CallItem): boolean {
  return TOOLS.has(call.tool.toLowerCase());
}

/**
 * The files that a patch names, each as an opaque write: such patches have no line numbers and are not replayed, so that
 * what their files hold is not known from there on. A patch that was refused changes nothing.
 */
export function readPatchNames(call: CallItem, result: ResultItem | null): Attempt[] {
  const given = new CallArguments(call);
  const patch = given.text("input", "patch", "patch_text", "patchText") ?? call.text ?? "";
  const named = [...patch.matchAll(HEADER)].flatMap((header) => header[1]?.trim() || []);
  const single = given.text("path");
  const paths = new Set(named.length === 0 && single !== null ? [single] : named);
  const { status, reason } = judgeAnswer(result, SUCCESS, FAILURE);
  const isRefused = status === "refused";
  return [...paths].map((path) => ({
    path,
    grammar: "W4",
    operation: "opaque",
    effect: { kind: "opaque" },
    status: isRefused ? "refused" : "opaque",
    reason: isRefused ? reason : WHY,
    fragment: null,
  }));
}
