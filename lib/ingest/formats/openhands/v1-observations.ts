import type { ReadFile } from "@/lib/trajectory/schema";
import { PERSON } from "../../entries";
import { isObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";
import type { OpenCall } from "./call-book";
import type { ObjectRecord } from "./event-record";
import { recordedIn, viewedLines } from "./file-evidence";
import { isCutText, shellOutcome } from "./outcomes";
import type { RunWriter } from "./run-writer";

/** Adds what answers a call in the SDK: an observation, an error of the agent's scaffold, or a rejection. */
export function addV1Observation(run: RunWriter, record: ObjectRecord, kind: string, time: string | null): void {
  const { value, at } = record;
  const keys = { event: stringMember(value, "action_id"), call: stringMember(value, "tool_call_id") };
  const call = run.callFor(record, keys);
  if (kind === "AgentErrorEvent") {
    const text = run.texts.content(member(value, "error"), at);
    run.addResult(record, call, text, { author: { role: "harness", name: null }, isError: true }, time);
    return;
  }
  if (kind === "UserRejectObservation") {
    const reason = run.texts.content(member(value, "rejection_reason"), at);
    const isHook = stringMember(value, "rejection_source") === "hook";
    const author = isHook ? { role: "harness" as const, name: "hook" } : PERSON;
    run.addResult(record, call, reason, { author, isError: true }, time);
    return;
  }
  const observation = member(value, "observation");
  const { exitCode, directory, before, after } = shellOutcome(observation);
  const content = contentOf(run, record, observation);
  const isError = failed(observation, exitCode);
  const isCut = isCutText(content);
  const recorded = isError === true ? [] : recordedIn(observation, "", isWrite(observation, call));
  const reads = isError === true || recorded.length > 0 ? [] : readsOf(observation, call, content);
  const text = [`${before}${content}${after}`, ...errorOf(observation), ...run.texts.beside(observation, at)];
  const said = text.filter((part) => part !== "").join("\n");
  run.addResult(record, call, said, { isError, exitCode, isCut, recorded, reads }, time, directory);
  const extension = run.texts.content(member(value, "extended_content"), at);
  if (extension !== "") run.addContext(record, "injected", { role: "harness", name: null }, extension);
}

/** The text of an observation: its content, in older versions its output, or the message of one that only confirms. */
function contentOf(run: RunWriter, { at }: ObjectRecord, observation: JsonValue | undefined): string {
  for (const key of ["content", "output", "message"]) {
    const text = run.texts.content(member(observation, key), at);
    if (text !== "") return text;
  }
  if (!isObject(observation)) return run.texts.content(observation, at);
  const rest = Object.entries(observation).filter(([key]) => !TOLD.has(key));
  const isTold = Object.keys(observation).some((key) => TOLD.has(key) && key !== "kind");
  return isTold || rest.length === 0 ? "" : run.texts.json(Object.fromEntries(rest), at);
}

const TOLD = new Set(["kind", "content", "output", "message", "error", "is_error"]);

/** What failed, in words; older versions state it apart from the content. */
function errorOf(observation: JsonValue | undefined): string[] {
  const error = stringMember(observation, "error");
  return error === null || error === "" ? [] : [error];
}

function failed(observation: JsonValue | undefined, exitCode: number | null): boolean | null {
  const flags = [member(observation, "is_error"), member(observation, "error")];
  if (flags.includes(true) || errorOf(observation).length > 0) return true;
  // A shell's flag says that the tool worked, not that the command did.
  if (isObject(member(observation, "metadata"))) return exitCode === 0 ? false : null;
  return flags.includes(false) ? false : null;
}

function isWrite(observation: JsonValue | undefined, call: OpenCall | undefined): boolean {
  const command = stringMember(observation, "command") ?? stringMember(call?.given ?? undefined, "command");
  return command === null ? call?.item.callKind === "write" : command !== "view";
}

function readsOf(observation: JsonValue | undefined, call: OpenCall | undefined, content: string): ReadFile[] {
  const path = stringMember(observation, "path") ?? stringMember(call?.given ?? undefined, "path");
  if (path === null || listMember(observation, "entries").length > 0) return [];
  return viewedLines(path, member(call?.given ?? undefined, "view_range"), content);
}
