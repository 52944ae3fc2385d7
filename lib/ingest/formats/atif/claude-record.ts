import { readToolRecord, type ToolRecord } from "../../claude-tool-records";
import { type JsonValue, member, stringMember } from "../../safe-json";
import type { Step, StepCall } from "./steps";

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
  const metadata = member(step.extra, "tool_result_metadata") ?? member(step.extra, "metadata");
  const raw = member(metadata, "raw_tool_result");
  const record = member(metadata, "tool_use_result");
  if (raw === undefined && record === undefined) return null;
  const told = stringMember(raw, "content");
  const text = told !== null && content.startsWith(told) ? told : content;
  const flag = member(raw, "is_error") ?? member(step.extra, "tool_result_is_error");
  const input: JsonValue | undefined = call.arguments ?? undefined;
  return { ...readToolRecord(call.tool, input, record, text), text, isError: typeof flag === "boolean" ? flag : null };
}
