import type { ReadFile } from "@/lib/trajectory/schema";
import { HARNESS, PERSON } from "../../entries";
import { isObject, type JsonValue, member, stringMember } from "../../safe-json";
import { windowLines } from "../../skill-windows";
import type { CallKeys, OpenCall } from "./call-book";
import type { ObjectRecord } from "./event-record";
import { readWhole, recordedIn, viewedLines } from "./file-evidence";
import { isCutText, shellOutcome } from "./outcomes";
import type { RunWriter } from "./run-writer";

/**
 * Adds an observation of OpenHands V0.
 * @param keys the identifiers of what it answers
 */
export function addV0Observation(run: RunWriter, record: ObjectRecord, keys: CallKeys, time: string | null): void {
  const { value, at } = record;
  const kind = stringMember(value, "observation") ?? "";
  const extras = member(value, "extras");
  const content = run.texts.content(member(value, "content"), at);
  if (kind === "agent_state_changed") {
    run.ending = stringMember(extras, "agent_state") || run.ending;
    run.addMetadata(record, run.texts.json(value, at));
    return;
  }
  if (kind === "recall") {
    const recalled = isObject(extras) ? run.texts.json(extras, at) : "";
    run.addContext(record, "injected", HARNESS, [content, recalled].filter((text) => text !== "").join("\n"));
    return;
  }
  const call = run.callFor(record, keys);
  if ((kind === "null" || kind === "") && content === "") {
    // An observation of nothing is the receipt for a message: it says no more.
    if (!run.joinAnswered(record, call)) run.addMetadata(record, run.texts.json(value, at));
    return;
  }
  if (kind === "condense" && !call) {
    run.addContext(record, "compaction", HARNESS, content);
    return;
  }
  if (kind === "delegate") run.endAgents(call?.depth ?? run.depth - 1);
  const text = textOf(run, record, extras, content);
  const isOfOther = keys.event !== null && run.ofOthers.has(keys.event);
  const isNamed = keys.event !== null || keys.call !== null || stringMember(value, "source") === "agent";
  if (call === undefined && (isOfOther || !isNamed)) {
    run.addContext(record, "injected", HARNESS, text);
    return;
  }
  const { exitCode, directory } = shellOutcome(extras);
  const isError = failed(kind, extras, content, exitCode);
  const isCut = isCutText(content);
  const recorded = isError === true ? [] : recordedIn(extras, content, kind === "edit");
  const reads = isError === true || recorded.length > 0 ? [] : readsOf(kind, call, extras, content, isCut);
  const author = kind === "user_rejected" ? PERSON : { role: "tool" as const, name: null };
  run.addResult(record, call, text, { author, isError, exitCode, isCut, recorded, reads }, time, directory);
}

/** The content with what the tool says around it, and what stands beside it when there is no content. */
function textOf(run: RunWriter, { at }: ObjectRecord, extras: JsonValue | undefined, content: string): string {
  const { before, after } = shellOutcome(extras);
  const outputs = member(extras, "outputs");
  const report = stringMember(outputs, "content") ?? (isObject(outputs) ? run.texts.json(outputs, at) : "");
  const held = content === "" ? report : "";
  // For a while the editor's answer to the agent stood here.
  const formatted = stringMember(extras, "formatted_output_and_error") ?? "";
  const told = content.includes(formatted) ? "" : formatted;
  const beside = run.texts.beside(extras, at);
  return [`${before}${content}${after}`, told, held, ...beside].filter((part) => part !== "").join("\n");
}

/** What the trace says about success: nothing about a command that ended with another code than 0. */
function failed(kind: string, extras: JsonValue | undefined, content: string, exitCode: number | null): boolean | null {
  if (kind === "error" || kind === "user_rejected") return true;
  if ((kind === "edit" || kind === "read" || kind === "write") && content.startsWith("ERROR:")) return true;
  if (kind === "edit" || kind === "write" || kind === "read") return false;
  const error = member(extras, "error");
  if (kind === "browse" && typeof error === "boolean") return error;
  return exitCode === 0 ? false : null;
}

function readsOf(
  kind: string,
  call: OpenCall | undefined,
  extras: JsonValue | undefined,
  content: string,
  isCut: boolean,
): ReadFile[] {
  if (kind === "run_ipython") return windowLines(content);
  const path = stringMember(extras, "path") ?? stringMember(call?.given ?? undefined, "path");
  if (path === null || (kind !== "read" && kind !== "edit")) return [];
  const numbered = viewedLines(path, member(call?.given ?? undefined, "view_range"), content);
  if (numbered.length > 0 || kind === "edit") return numbered;
  const source = stringMember(extras, "impl_source") ?? stringMember(call?.given ?? undefined, "impl_source");
  return source === "oh_aci" ? [] : readWhole(path, call?.given ?? undefined, content, isCut);
}
