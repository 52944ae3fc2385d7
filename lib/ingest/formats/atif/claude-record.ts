import { readToolRecord, type ToolRecord } from "../../claude-tool-records";
import { type JsonValue, member, stringMember } from "../../safe-json";
import type { Step, StepCall, StepResult } from "./steps";

/** What a converter from Claude Code keeps of a tool's answer beside the text. */
export interface ClaudeAnswer extends ToolRecord {
  text: string;
  isError: boolean | null;
}

/**
 * The answer as Claude Code recorded it, which the converter writes into the step's `extra`; the content of the result is
 * that with its own words behind it. Null for a step of any other origin.
 */
export function claudeAnswer(step: Step, call: StepCall, content: string): ClaudeAnswer | null {
  const metadata = metadataOf(step);
  const raw = member(metadata, "raw_tool_result");
  const record = member(metadata, "tool_use_result");
  if (raw === undefined && record === undefined) return null;
  const told = stringMember(raw, "content");
  const text = told !== null && content.startsWith(told) ? told : content;
  const flag = member(raw, "is_error") ?? member(step.extra, "tool_result_is_error");
  const input: JsonValue | undefined = call.arguments ?? undefined;
  return { ...readToolRecord(call.tool, input, record, text), text, isError: typeof flag === "boolean" ? flag : null };
}

function metadataOf(step: Step): JsonValue | undefined {
  return member(step.extra, "tool_result_metadata") ?? member(step.extra, "metadata");
}

/** The result that the converter recorded, where the step holds none; nothing for a step of any other origin. */
export function recordedResult(step: Step): StepResult[] {
  const raw = member(metadataOf(step), "raw_tool_result");
  const text = stringMember(raw, "content");
  return text === null ? [] : [{ callId: stringMember(raw, "tool_use_id"), text, media: [], references: [] }];
}

/** Whether the converter recorded an answer that belongs to none of the step's calls alone. */
export function hasUnusedRecord(step: Step): boolean {
  return step.calls.length !== 1 && member(metadataOf(step), "raw_tool_result") !== undefined;
}
