import type { RawSpan, Usage } from "@/lib/trajectory/schema";
import { type CodeBlock, codeBlocks } from "../../code-blocks";
import {
  countMember,
  isObject,
  type JsonObject,
  type JsonValue,
  listMember,
  member,
  stringMember,
} from "../../safe-json";

/** A message or an event of AutoGen 0.4 and later, or what a saved state holds instead of one. */
export interface TeamEvent {
  type: string;
  source: string;
  content: JsonValue | undefined;
  value: JsonObject;
  usage: Usage | null;
  at: string | null;
  /** One list for all items that are made of it; the places of its repetitions come to it later. */
  raw: RawSpan[];
  steps: { convention: string; step: string }[];
}

/** An event out of its record. */
export function readEvent(value: JsonObject, raw: RawSpan, step: TeamEvent["steps"][number]): TeamEvent {
  const used = member(value, "models_usage");
  const [inputTokens, outputTokens] = [countMember(used, "prompt_tokens"), countMember(used, "completion_tokens")];
  const usage: Usage = { inputTokens, cachedTokens: null, outputTokens, costUsd: null };
  const created = stringMember(value, "created_at");
  return {
    type: stringMember(value, "type") ?? "",
    source: stringMember(value, "source") ?? "",
    content: member(value, "content"),
    value,
    usage: inputTokens === null && outputTokens === null ? null : usage,
    at: created !== null && !Number.isNaN(Date.parse(created)) ? created : null,
    raw: [raw],
    steps: [step],
  };
}

/** What an event of run code says: its exit code and what it printed. */
export function executionOf({ value, content }: TeamEvent): { exitCode: number | null; output: string } {
  const result = member(value, "result");
  const exitCode = member(result, "exit_code");
  const output = stringMember(result, "output") ?? (typeof content === "string" ? content : "");
  return { exitCode: typeof exitCode === "number" && Number.isInteger(exitCode) ? exitCode : null, output };
}

/** The blocks of code of an event: those that it lists, else those in its text. */
export function blocksOf({ value }: TeamEvent, text: string): CodeBlock[] {
  const listed = listMember(value, "code_blocks").filter(isObject);
  if (listed.length === 0) return codeBlocks(text);
  return listed.flatMap((block) => {
    const code = stringMember(block, "code") ?? "";
    const language = (stringMember(block, "language") ?? "").toLowerCase();
    // The name of a file is read out of the first line, as from a fence.
    return codeBlocks(`\`\`\`\n${code}\n\`\`\``)
      .slice(0, 1)
      .map((one) => ({ ...one, code, language }));
  });
}
