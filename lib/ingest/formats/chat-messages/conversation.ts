import type { RawSpan } from "@/lib/trajectory/schema";
import { type JsonLayout, scanJson } from "../../json-scan";
import { isObject, type JsonObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";
import { isNothing } from "./parts";
import { type ChatRecord, isMessage, isResponse, promptOf, type ResponseFacts } from "./records";
import type { Unit } from "./units";

/** Something that stands beside the messages and is kept as it is. */
export interface Aside {
  kind: "system" | "settings" | "outcome" | "alternative";
  text: string;
  raw: RawSpan;
}

/** A request with its answer, as records; or an answer alone, without a prompt. */
export interface Conversation {
  asides: Aside[];
  prompt: ChatRecord[];
  answer: ChatRecord[];
  later: Aside[];
  /** The usage that a file states for all of it; undefined when it states none. */
  usage: JsonValue | undefined;
  model: string | null;
}

/** What a request says about how to answer; everything else beside the messages is told after them. */
const SETTINGS: ReadonlySet<string> = new Set([
  ...["model", "tools", "functions", "tool_choice", "function_call", "parallel_tool_calls", "temperature", "top_p"],
  ...["top_k", "max_tokens", "max_completion_tokens", "max_output_tokens", "stop", "stop_sequences", "stream", "seed"],
  ...[
    "stream_options",
    "thinking",
    "reasoning",
    "reasoning_effort",
    "text",
    "response_format",
    "metadata",
    "user",
    "n",
  ],
  ...["context_management", "output_config", "store", "include", "truncation", "previous_response_id", "service_tier"],
  ...["betas", "anthropic_version", "frequency_penalty", "presence_penalty", "logprobs", "top_logprobs", "logit_bias"],
  ...[
    "prompt_cache_key",
    "safety_identifier",
    "tool_defs",
    "max_tool_calls",
    "background",
    "verbosity",
    "conversation",
  ],
]);

/** Splits one value into what was asked and what was answered. `bytes` is the upload, in which the unit has its place. */
export function readConversation(
  value: JsonObject,
  { raw, step, layout }: Pick<Unit, "raw" | "step" | "layout">,
  bytes: Uint8Array,
): Conversation {
  const places = new Places(raw, raw.pointer === "" ? "" : `${step.step}:`, layout, bytes);
  const wrapped = isObject(value.request) && promptOf(value.request) !== null ? value.request : null;
  const head = wrapped ?? value;
  const at = wrapped ? places.inside("request") : places;
  const prompt = promptOf(head);
  const own = isResponse(value) ? value : null;
  const given = own ?? member(value, "response");
  const responseAt = own ? places : places.inside("response");
  const used = new Set<string>(["request"]);
  const conversation: Conversation = {
    asides: systemOf(head, at),
    prompt: prompt === null ? [] : at.records(prompt.key, prompt.list),
    answer: [],
    later: [],
    usage: member(value, "usage"),
    model: stringMember(head, "model") ?? stringMember(value, "model"),
  };
  if (isObject(given) && (isResponse(given) || isMessage(given))) {
    const { records, alternatives } = answerOf(given, responseAt);
    conversation.answer = records;
    conversation.later.push(...alternatives);
    for (const key of own ? ["choices", "output"] : ["response"]) used.add(key);
    if (own === null) conversation.later.push(...remains("outcome", given, ANSWER_KEYS, responseAt.raw));
  }
  if (prompt !== null && !wrapped) used.add(prompt.key);
  const isHead = (key: string): boolean => SETTINGS.has(key) && prompt !== null;
  conversation.asides.push(...remains("settings", head, (key) => HEAD_KEYS.has(key) || !isHead(key), at.raw));
  const isTold = (key: string): boolean =>
    used.has(key) || (!wrapped && (HEAD_KEYS.has(key) || isHead(key))) || (own !== null && ANSWER_KEYS.has(key));
  conversation.later.push(...remains("outcome", value, isTold, places.raw));
  if (wrapped) {
    const isRead = (key: string): boolean => HEAD_KEYS.has(key) || SETTINGS.has(key);
    conversation.later.push(...remains("outcome", wrapped, isRead, at.raw));
  }
  return conversation;
}

/** Keys of a request that are read. */
const HEAD_KEYS: ReadonlySet<string> = new Set(["messages", "input", "system", "instructions"]);
/** Keys of an answer that are read, or say what kind of object it is. */
const ANSWER_KEYS: ReadonlySet<string> = new Set([
  ...["choices", "output", "output_text", "content", "role", "type", "id", "object", "created", "created_at"],
  ...["completed_at", "model", "usage", "stop_reason", "stop_sequence", "status", "instructions"],
]);

/** Keys of a completion's choice that are read, or number it. */
const CHOICE_KEYS: ReadonlySet<string> = new Set(["index", "message", "finish_reason"]);

function remains(
  kind: Aside["kind"],
  value: JsonObject,
  isRead: ReadonlySet<string> | ((key: string) => boolean),
  raw: RawSpan,
): Aside[] {
  const skips = typeof isRead === "function" ? isRead : (key: string): boolean => isRead.has(key);
  const left = Object.entries(value).filter(([key, held]) => !skips(key) && (held === false || !isNothing(held)));
  if (left.length === 0) return [];
  // One line a key: indented JSON of deep nesting is many times as long as its source.
  const lines = left.map(([key, held]) => `${key}: ${typeof held === "string" ? held : JSON.stringify(held)}`);
  return [{ kind, text: lines.join("\n"), raw }];
}

/** The system prompt beside the messages: a text, or a list of texts. */
function systemOf(head: JsonObject, places: Places): Aside[] {
  const given = member(head, "system") ?? member(head, "instructions");
  const key = Object.hasOwn(head, "system") ? "system" : "instructions";
  if (given === undefined || isNothing(given)) return [];
  const raw = places.member(key);
  if (typeof given === "string") return [{ kind: "system", text: given, raw }];
  const blocks = Array.isArray(given) ? given : [given];
  return blocks.map((block) => ({
    kind: "system",
    text: typeof block === "string" ? block : (stringMember(block, "text") ?? JSON.stringify(block)),
    raw,
  }));
}

function answerOf(given: JsonObject, places: Places): { records: ChatRecord[]; alternatives: Aside[] } {
  const facts: ResponseFacts = {
    key:
      stringMember(given, "id") ?? `at ${places.raw.line ?? ""} ${places.raw.pointer ?? ""} ${places.raw.start ?? ""}`,
    model: stringMember(given, "model"),
    usage: member(given, "usage"),
    stop: stringMember(given, "stop_reason") ?? stringMember(given, "status"),
    time: member(given, "created_at") ?? member(given, "created"),
  };
  if (isMessage(given)) return { records: [places.self("message", given, facts)], alternatives: [] };
  const choices = listMember(given, "choices");
  const [first, ...others] = choices;
  if (first === undefined) {
    const records = places.records("output", listMember(given, "output"));
    return { records: records.map((record) => ({ ...record, response: facts })), alternatives: [] };
  }
  const stop = stringMember(first, "finish_reason") ?? facts.stop;
  const message = member(first, "message") ?? null;
  const raw = places.element("choices", 0);
  const record = { value: message, raw, step: places.step("choice", 0), response: { ...facts, stop } };
  const alternatives: Aside[] = others.map((choice, n) => ({
    kind: "alternative",
    text: JSON.stringify(choice),
    raw: places.element("choices", n + 1),
  }));
  const more = isObject(first) ? remains("outcome", first, CHOICE_KEYS, raw) : [];
  return { records: [record], alternatives: [...more, ...alternatives] };
}

/** Says where the members of one object are, and the elements of lists in them. */
class Places {
  /** @param prefix what stands before the number of an element, so that it is told from those of other units */
  constructor(
    readonly raw: RawSpan,
    private readonly prefix: string,
    private readonly known: JsonLayout | null,
    private readonly bytes: Uint8Array,
  ) {}

  private scanned: JsonLayout | null = null;

  /** The places inside a member that is an object. */
  inside(key: string): Places {
    return new Places(this.member(key), this.prefix, null, this.bytes);
  }

  member(key: string): RawSpan {
    const found = this.layout()?.members.get(key);
    const { line, pointer } = this.raw;
    return { line, pointer: `${pointer ?? ""}/${key}`, start: found?.start ?? null, end: found?.end ?? null };
  }

  element(key: string, index: number): RawSpan {
    const found = this.layout()?.members.get(key)?.elements[index];
    const { line, pointer } = this.raw;
    return { line, pointer: `${pointer ?? ""}/${key}/${index}`, start: found?.start ?? null, end: found?.end ?? null };
  }

  step(what: string, index: number): ChatRecord["step"] {
    return { convention: what, step: `${this.prefix}${index}` };
  }

  records(key: string, list: JsonValue[] | string): ChatRecord[] {
    const convention = key === "messages" ? "message" : "item";
    if (typeof list === "string") {
      const value = { role: "user", content: list };
      return [{ value, raw: this.member(key), step: this.step(convention, 0), response: null }];
    }
    return list.map((value, index) => ({
      value,
      raw: this.element(key, index),
      step: this.step(convention, index),
      response: null,
    }));
  }

  self(what: string, value: JsonValue, response: ResponseFacts | null): ChatRecord {
    return { value, raw: this.raw, step: this.step(what, 0), response };
  }

  private layout(): JsonLayout | null {
    if (this.known) return this.known;
    const { start, end } = this.raw;
    if (start === null || end === null) return null;
    this.scanned ??= scanJson(this.bytes, start, end, true, { unread: false }).layout;
    return this.scanned;
  }
}
