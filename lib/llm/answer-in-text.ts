import { z } from "zod";

/** A call found in plain text; `arguments` is JSON. */
export interface WrittenCall {
  name: string;
  arguments: string;
}

/** Longer texts are not searched for calls. */
const TEXT_MAX_CHARS = 200_000;

const namedSchema = z.object({
  tool: z.string().optional(),
  name: z.string().optional(),
  function: z.union([z.string(), z.object({ name: z.string(), arguments: z.unknown().optional() })]).optional(),
  arguments: z.unknown().optional(),
  parameters: z.unknown().optional(),
  input: z.unknown().optional(),
});

/**
 * Reads the calls that a model wrote as JSON into its text: as the whole text, in a fenced block (the last one that holds
 * any), in `<tool_call>` tags, or as the object between the first and the last brace. What a reasoning model thinks
 * before (`<think>`) is left out.
 * @param tools names that may be called; an object that names none of them is taken for the arguments of `mustCall`.
 */
export function callsInText(text: string, tools: readonly string[], mustCall: string | null): WrittenCall[] {
  if (text.length > TEXT_MAX_CHARS) return [];
  const said = withoutThoughts(text).trim();
  for (const candidate of candidates(said)) {
    const value = parsed(candidate);
    if (value === undefined) continue;
    const calls = callsIn(value, new Set(tools));
    if (calls.length > 0) return calls;
    if (mustCall !== null && isObject(value)) return [{ name: mustCall, arguments: JSON.stringify(value) }];
  }
  return [];
}

function withoutThoughts(text: string): string {
  const end = text.lastIndexOf("</think>");
  return end === -1 ? text : text.slice(end + "</think>".length);
}

function* candidates(text: string): Generator<string> {
  yield text;
  const fences = text.split("```");
  // Odd pieces stand inside fences; the last block is the answer, what stands before it are drafts.
  for (let n = fences.length - (fences.length % 2 === 0 ? 1 : 2); n > 0; n -= 2) {
    yield (fences[n] ?? "").replace(/^[A-Za-z]*\s/, "");
  }
  const tagged = text.split("<tool_call>").slice(1);
  const calls = tagged.map((piece) => piece.split("</tool_call>")[0] ?? "");
  if (calls.length > 0) yield `[${calls.join(",")}]`;
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")];
  if (start !== -1 && end > start) yield text.slice(start, end + 1);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function callsIn(value: unknown, tools: ReadonlySet<string>): WrittenCall[] {
  if (Array.isArray(value)) return value.flatMap((entry: unknown) => callIn(entry, tools));
  if (isObject(value)) {
    for (const key of ["calls", "tool_calls"] as const) {
      const list = value[key];
      if (Array.isArray(list)) return list.flatMap((entry: unknown) => callIn(entry, tools));
    }
  }
  return callIn(value, tools);
}

/** `{"tool", "arguments"}`, `{"name", "arguments" | "parameters" | "input"}` or `{"function": {"name", "arguments"}}`. */
function callIn(value: unknown, tools: ReadonlySet<string>): WrittenCall[] {
  const read = namedSchema.safeParse(value);
  if (!read.success) return [];
  const { tool, name, function: called, parameters, input } = read.data;
  const inner = typeof called === "object" ? called : undefined;
  const found = tool ?? name ?? (typeof called === "string" ? called : inner?.name);
  if (found === undefined || !tools.has(found)) return [];
  const given = read.data.arguments ?? inner?.arguments ?? parameters ?? input ?? {};
  return [{ name: found, arguments: typeof given === "string" ? given : JSON.stringify(given) }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
