import type { CallItem, Turn } from "@/lib/trajectory/schema";
import { type NewItem, plainResult } from "../../entries";
import { type JsonValue, stringMember } from "../../safe-json";
import { readAnswer } from "../../tool-answers";
import { claudeAnswer } from "./claude-record";
import type { Step, StepCall, StepResult } from "./steps";

/** A call with its turn. */
export interface MadeCall {
  turn: Turn;
  item: CallItem;
}

/**
 * A result of a step as an item, and where it says that the shell stands afterwards.
 * @param only the step's call when it makes one alone: what a converter kept beside the result belongs to it
 */
export function answerOf(
  step: Step,
  result: StepResult,
  call: CallItem | null,
  only: StepCall | undefined,
): { item: NewItem; directory: string | null } {
  const claude = only === undefined ? null : claudeAnswer(step, only, result.text);
  const { directory, ...answer } = readAnswer(claude?.text ?? result.text, call);
  const author = { role: "tool" as const, name: call?.tool ?? null };
  const references = result.references.map((reference) => `[sub-agent: ${nameOf(reference)}]`);
  const text = [answer.text, ...(answer.text === "" ? references : [])].filter((part) => part !== "").join("\n");
  const isError = claude?.isError ?? answer.isError;
  const item = plainResult(text, [step.raw], {
    author,
    ...answer,
    text,
    callItem: call?.id ?? null,
    callId: result.callId,
    isError,
    exitCode: claude?.exitCode ?? answer.exitCode,
    durationMs: claude?.durationMs ?? null,
    recorded: isError === true ? [] : (claude?.recorded ?? []),
    reads: claude !== null && claude.reads.length > 0 ? claude.reads : answer.reads,
  });
  return { item, directory };
}

/** What a reference to a sub-agent's trajectory goes by. */
function nameOf(reference: JsonValue): string {
  const keys = ["trajectory_id", "trajectory_path", "session_id"];
  return keys.flatMap((key) => stringMember(reference, key) ?? []).join(", ") || "unknown";
}

/** The calls of a step by their identifier, which may repeat, in order. */
export function waitingById(calls: readonly MadeCall[]): Map<string, MadeCall[]> {
  const waiting = new Map<string, MadeCall[]>();
  for (const call of calls) {
    if (call.item.callId === null) continue;
    const known = waiting.get(call.item.callId);
    if (known) known.push(call);
    else waiting.set(call.item.callId, [call]);
  }
  return waiting;
}

/** Whether one screen answers the keystrokes of a step. */
export function isOneScreen({ results }: Step, calls: readonly MadeCall[]): boolean {
  const isTyped = calls.every(({ item }) => stringMember(item.arguments ?? undefined, "keystrokes") !== null);
  return calls.length > 1 && isTyped && results.length === 1 && results[0]?.callId === null;
}
