import type { RawSpan, ResultItem, Turn, Usage } from "@/lib/trajectory/schema";
import { AGENT, type EntryWriter, HARNESS, PERSON, plainResult } from "../entries";
import type { NoteBook } from "../notes";
import { isObject, type JsonValue, listMember, stringMember } from "../safe-json";
import type { LangChainMessage, MessageCall } from "./message";
import { callKindOf, isCutResult, planOf, readsOf } from "./tools";

/** Where a message stands in the run. */
export interface MessagePlace {
  raw: RawSpan[];
  agent: string;
  parentTurn: number | null;
  /** Null on the path that the run ended on. */
  branch: string | null;
  steps: Turn["sourceSteps"];
  /** When it was there at the latest. */
  time: string | null;
  model: string | null;
  /** What a run says of its tokens where the message itself says nothing. */
  usage: Usage | null;
}

interface OpenCall {
  turn: Turn;
  item: string;
  call: MessageCall;
  agent: string;
}

/** Writes messages of LangChain as turns and context, each result with the call that it answers. */
export class ConversationWriter {
  /** The first words of a person to the main agent. */
  task: string | null = null;
  readonly models = new Set<string>();
  private readonly calls = new Map<string, OpenCall>();
  private readonly results = new Map<string, ResultItem>();
  private readonly prompted = new Set<string>();
  private readonly last = new Map<string, Turn>();

  constructor(
    private readonly writer: EntryWriter,
    private readonly notes: NoteBook,
    private readonly mainAgent: string,
  ) {}

  /** Adds a message; gives the turn that it became, or stands in, null when it stands between turns. */
  add(message: LangChainMessage, place: MessagePlace): Turn | null {
    if (message.kind === "ai") return this.addAnswer(message, place);
    if (message.kind === "tool") return this.addResult(message, place);
    this.addContext(message, place);
    return null;
  }

  /** The call with this identifier and the turn that it stands in. */
  callOf(id: string): { turn: Turn; call: MessageCall } | null {
    return this.calls.get(id) ?? null;
  }

  /** The latest result of the call with this identifier. */
  resultOf(id: string): ResultItem | null {
    return this.results.get(id) ?? null;
  }

  private addContext(message: LangChainMessage, place: MessagePlace): void {
    const { kind, name } = message;
    const text = textOf(message.content);
    const given = { sourceSteps: place.steps, raw: place.raw, text };
    if (kind === "system") {
      this.writer.addContext({ ...given, contextKind: "system", author: HARNESS });
    } else if (kind !== "human") {
      const what = JSON.stringify(message.fields, null, 2);
      this.writer.addContext({ ...given, contextKind: "opaque", author: HARNESS, text: what });
      if (kind === "other") this.note("unknown_message", "Messages of kinds that are not known", place);
    } else if (message.isSummary || text.startsWith("Here is a summary of the conversation to date")) {
      this.writer.addContext({ ...given, contextKind: "compaction", author: HARNESS });
    } else {
      const isFirst = !this.prompted.has(place.agent);
      this.prompted.add(place.agent);
      const isMain = place.agent === this.mainAgent;
      if (isFirst && isMain) this.task = text;
      // Another agent's words: the description of what it delegates.
      const author = isMain ? { ...PERSON, name } : AGENT;
      this.writer.addContext({ ...given, contextKind: isFirst ? "task" : "person", author });
    }
  }

  private addAnswer(message: LangChainMessage, place: MessagePlace): Turn {
    const model = message.model ?? place.model;
    if (model !== null) this.models.add(model);
    const { agent, parentTurn, branch, steps, time } = place;
    const turn = this.writer.addTurn({
      agent,
      parentTurn,
      branch,
      sourceSteps: steps,
      model,
      usage: message.usage ?? place.usage,
      endedAt: time,
    });
    this.last.set(agent, turn);
    if (message.reasoning !== null) this.say(turn, "thought", message.reasoning, place);
    const said = new Set(message.calls.flatMap(({ id }) => (id === null ? [] : [id])));
    for (const part of partsOf(message.content)) this.addPart(turn, part, said, place);
    for (const call of message.calls) this.addCall(turn, call, place);
    if (turn.items.length === 0) {
      const text = JSON.stringify(message.fields, null, 2);
      const reason = "an answer of which nothing can be shown";
      this.writer.addItem(turn, { kind: "opaque", author: AGENT, raw: place.raw, text, reason });
    }
    return turn;
  }

  private addPart(turn: Turn, part: JsonValue, said: ReadonlySet<string>, place: MessagePlace): void {
    const type = stringMember(part, "type");
    const text = typeof part === "string" ? part : stringMember(part, "text");
    const thought = thoughtIn(part);
    const id = stringMember(part, "id");
    // The part of Anthropic's content that `tool_calls` repeats.
    if (/^(?:tool_use|tool_call|function_call|input_json_delta)$/.test(type ?? "") && (id === null || said.has(id))) {
      return;
    }
    if (thought !== null) this.say(turn, "thought", thought, place);
    else if (text !== null && (type === null || type === "text" || type === "output_text")) {
      this.say(turn, "message", text, place);
    } else {
      const reason = `a part of type ${type ?? "unknown"}`;
      const source = JSON.stringify(part, null, 2);
      this.writer.addItem(turn, { kind: "opaque", author: AGENT, raw: place.raw, text: source, reason });
    }
  }

  private say(turn: Turn, kind: "thought" | "message", text: string, { raw }: MessagePlace): void {
    if (text.trim() !== "") this.writer.addItem(turn, { kind, author: AGENT, raw, text });
  }

  private addCall(turn: Turn, call: MessageCall, place: MessagePlace): void {
    const plan = planOf(call);
    if (plan !== null) this.writer.addItem(turn, { kind: "plan", author: AGENT, raw: place.raw, text: plan });
    const item = this.writer.addItem(turn, {
      kind: "call",
      author: AGENT,
      raw: place.raw,
      callKind: callKindOf(call),
      tool: call.name,
      callId: call.id,
      arguments: call.arguments,
      text: call.text,
    });
    if (call.id !== null) this.calls.set(call.id, { turn, item: item.id, call, agent: place.agent });
    else this.note("call_without_id", "Calls without an identifier: no result can be told to be theirs", place);
  }

  private addResult(message: LangChainMessage, place: MessagePlace): Turn | null {
    const open = message.callId === null ? undefined : this.calls.get(message.callId);
    const turn = open?.turn ?? this.last.get(place.agent);
    const text = textOf(message.content);
    if (turn === undefined) {
      this.note("result_without_call", "Results of which no call is there", place);
      const { steps: sourceSteps, raw } = place;
      this.writer.addContext({
        contextKind: "opaque",
        author: { role: "tool", name: message.name },
        sourceSteps,
        raw,
        text,
      });
      return null;
    }
    if (open === undefined) this.note("result_without_call", "Results of which no call is there", place);
    const tool = open?.call.name ?? message.name ?? "";
    const result = this.writer.addItem(
      turn,
      plainResult(text, place.raw, {
        author: { role: "tool", name: message.name ?? open?.call.name ?? null },
        callItem: open?.item ?? null,
        callId: message.callId,
        // `success` is what every message says that nobody gave another status.
        isError: message.status === "error" ? true : null,
        isCut: isCutResult(text),
        reads: readsOf(tool, open?.call.arguments ?? null, text),
      }),
    );
    turn.endedAt = place.time ?? turn.endedAt;
    if (message.callId !== null) this.results.set(message.callId, result);
    return turn;
  }

  private note(code: string, message: string, { raw }: MessagePlace): void {
    this.notes.add(code, "not_understood", message, raw[0] ?? null);
  }
}

/** A context item's or result's text: a string, or the parts of a content, of which pictures are named. */
export function textOf(content: JsonValue): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content, null, 2);
  return content.map((part) => (typeof part === "string" ? part : (thoughtOrText(part) ?? namedPart(part)))).join("\n");
}

function partsOf(content: JsonValue): JsonValue[] {
  return Array.isArray(content) ? content : content === "" || content === null ? [] : [content];
}

function thoughtOrText(part: JsonValue): string | null {
  return stringMember(part, "text") ?? thoughtIn(part);
}

/** The words of a part that holds reasoning, in any provider's spelling. */
function thoughtIn(part: JsonValue): string | null {
  const type = stringMember(part, "type") ?? "";
  if (!/^(?:thinking|reasoning|reasoning_content)$/.test(type)) return null;
  const summary = listMember(part, "summary").flatMap((one) => stringMember(one, "text") ?? []);
  const plain = stringMember(part, "thinking") ?? stringMember(part, "reasoning") ?? stringMember(part, "text");
  return plain ?? (summary.length > 0 ? summary.join("\n") : null);
}

function namedPart(part: JsonValue): string {
  const type = stringMember(part, "type");
  if (isObject(part) && type !== null && /image|audio|file|document|video/.test(type)) return `[${type}]`;
  return JSON.stringify(part);
}
