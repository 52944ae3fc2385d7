import type { CallItem, RawSpan } from "@/lib/trajectory/schema";
import { callKindOf, toolOf } from "../../editor-commands";
import { AGENT } from "../../entries";
import { isObject, type JsonObject, type JsonValue, member, parseNestedJson, stringMember } from "../../safe-json";
import { kindOfCall } from "../../tool-kinds";
import { cutObject, isCutShort } from "./cut-text";

/** Tools of which the action names the command too: `str_replace_editor.view`. */
const EDITOR = /^(str_replace_editor|str_replace_based_edit_tool|file_editor|edit_anthropic)\.\w+$/;
/** What stands beside a command line without being an argument of it. */
const BESIDE_COMMAND = new Set(["command", "path"]);

/**
 * The call of a step, null for a step without an action. An action of OpenHands' editor keeps its arguments; a command of
 * SWE-agent or a shell is its command line; any other tool is called by its own name.
 */
export function callOf(step: JsonObject, raw: RawSpan[]): Omit<CallItem, "id" | "arrival"> | null {
  const action = stringMember(step, "action");
  if (action === null || action.trim() === "") return null;
  const given = argumentsOf(member(step, "args"));
  const { values, isCut } = given;
  const editor = EDITOR.exec(action)?.[1] ?? null;
  const line = editor === null ? stringMember(values ?? undefined, "command") : null;
  const base = { kind: "call" as const, author: AGENT, raw, callId: null, ...(isCut ? { isCut } : {}) };
  if (line !== null) {
    const tool = toolOf(line);
    const isAlone = Object.keys(values ?? {}).every((key) => BESIDE_COMMAND.has(key));
    return { ...base, tool, callKind: callKindOf(tool, line, null), arguments: isAlone ? null : values, text: line };
  }
  const tool = editor ?? action;
  // The row says which file the call is about where the cut took the path away.
  const target = stringMember(step, "target");
  const isPathGone = isCut && target !== null && values !== null && !Object.hasOwn(values, "path");
  const shown = isPathGone ? { ...values, path: target } : values;
  return { ...base, tool, callKind: kindOfCall(tool, shown, null), arguments: shown, text: given.text };
}

/** Arguments as an object; `text` is what the row holds where that is not all of it. */
function argumentsOf(args: JsonValue | undefined): { values: JsonObject | null; text: string | null; isCut: boolean } {
  if (isObject(args)) return { values: args, text: null, isCut: false };
  if (typeof args !== "string") return { values: null, text: null, isCut: false };
  const value = parseNestedJson(args);
  if (isObject(value)) return { values: value, text: null, isCut: false };
  const isCut = isCutShort(args);
  return { values: isCut ? cutObject(args) : null, text: args, isCut };
}
