import type { CallItem, ContextItem, RawSpan, Turn } from "@/lib/trajectory/schema";
import { AGENT, HARNESS, PERSON, plainResult } from "../../entries";
import type { RowFacts, RowReading } from "../../rows/row-trajectory";
import { isObject, type JsonValue, listMember, member, parseNestedJson, stringMember } from "../../safe-json";
import { kindOfCall } from "../../tool-kinds";

/** Reads the records of a session into turns. */
export function readSession(reading: RowReading): RowFacts {
  const { row } = reading;
  const session = new Session(reading);
  addAbout(reading);
  for (const [index, value] of listMember(row.value, "turns").entries()) {
    session.add(value, index, row.places.element("turns", index));
  }
  const about = member(row.value, "session");
  const agent = stringMember(about, "agent") ?? stringMember(row.value, "agent");
  const model = stringMember(about, "model") ?? stringMember(row.value, "model");
  return {
    variant: "SWE-chat",
    framework: agent ?? "Unknown",
    models: model === null ? [] : [model],
    agent: agent ?? "Agent",
    statement: session.statement,
    durationMs: session.durationMs,
  };
}

/** Keeps what the data set says about the session, but for its judgement of it. */
function addAbout({ row, writer, notes }: RowReading): void {
  const about = member(row.value, "session");
  if (!isObject(about)) return;
  const place = row.places.member("session");
  const { session_success: judged, ...rest } = about;
  if (judged !== undefined) {
    const message = "The data set's judgement of the session; shown as such, outside the trace";
    notes.add("failure_context", "information", message, row.places.inside("session").member("session_success"));
  }
  const text = JSON.stringify(rest, null, 2);
  writer.addContext({ contextKind: "metadata", author: HARNESS, sourceSteps: [], raw: [place], text });
}

/** A record with where it stands. */
interface Said {
  text: string;
  raw: RawSpan;
  step: { convention: string; step: string };
  time: string | null;
}

class Session {
  statement: string | null = null;
  private turn: Turn | null = null;
  /** True once the turn has called: what the agent says next is another turn. */
  private hasCalled = false;
  private last: Turn | null = null;
  private readonly calls = new Map<string, { turn: Turn; item: CallItem }>();
  private readonly unnamed: { turn: Turn; item: CallItem }[] = [];
  private answered = 0;
  private times: { first: number; last: number } | null = null;

  constructor(private readonly reading: RowReading) {}

  get durationMs(): number | null {
    const ms = this.times === null ? 0 : this.times.last - this.times.first;
    return ms > 0 ? ms : null;
  }

  add(value: JsonValue, index: number, raw: RawSpan): void {
    const number = member(value, "turn_number");
    const step = { convention: "turn_number", step: String(typeof number === "number" ? number : index) };
    const said: Said = { text: stringMember(value, "content") ?? "", raw, step, time: this.timeOf(value) };
    switch (stringMember(value, "turn_type")) {
      case "user_prompt":
        this.addPerson(said);
        break;
      case "assistant_response":
        this.addWords(said, "message");
        break;
      case "assistant_thinking":
        this.addWords(said, "thought");
        break;
      case "tool_use":
        this.addCall(said, value);
        break;
      case "tool_result":
        this.addResult(said, value);
        break;
      default:
        this.addUnknown(said, value);
    }
  }

  private addPerson(said: Said): void {
    this.turn = null;
    const isTask = this.statement === null;
    this.statement ??= said.text;
    this.context(isTask ? "task" : "person", PERSON, said, said.text);
  }

  private addWords(said: Said, kind: "message" | "thought"): void {
    const turn = this.turnFor(said, this.hasCalled);
    this.reading.writer.addItem(turn, { kind, author: AGENT, raw: [said.raw], text: said.text });
  }

  private addCall(said: Said, value: JsonValue): void {
    const turn = this.turnFor(said, false);
    this.hasCalled = true;
    const content = member(value, "content");
    const given = typeof content === "string" ? parseNestedJson(content) : content;
    const values = isObject(given) ? given : null;
    const tool = stringMember(value, "tool_name") ?? "";
    const item = this.reading.writer.addItem(turn, {
      kind: "call",
      author: AGENT,
      raw: [said.raw],
      callKind: kindOfCall(tool, values, null),
      tool,
      callId: stringMember(value, "tool_call_id"),
      arguments: values,
      text: values === null ? said.text : null,
    });
    if (item.callId === null) this.unnamed.push({ turn, item });
    else this.calls.set(item.callId, { turn, item });
  }

  private addResult(said: Said, value: JsonValue): void {
    const { writer, notes } = this.reading;
    const id = stringMember(value, "tool_call_id");
    const call = id === null ? this.unnamed[this.answered++] : this.calls.get(id);
    this.turn = null;
    const name = call?.item.tool ?? stringMember(value, "tool_name");
    const author = { role: "tool" as const, name };
    const turn = call?.turn ?? this.last;
    if (call === undefined) {
      const message = "Results of which the trace does not hold the call before them";
      notes.add("result_without_call", "information", message, said.raw);
    }
    if (turn === null) {
      this.context("injected", author, said, said.text);
      return;
    }
    turn.sourceSteps.push(said.step);
    turn.endedAt = said.time ?? turn.endedAt;
    const flag = member(value, "is_error");
    const isError = typeof flag === "boolean" ? flag : /^\s*<tool_use_error>/.test(said.text) ? true : null;
    const callItem = call?.item.id ?? null;
    writer.addItem(turn, plainResult(said.text, [said.raw], { author, callItem, callId: id, isError }));
  }

  private turnFor(said: Said, isNew: boolean): Turn {
    const { writer } = this.reading;
    const open = isNew ? null : this.turn;
    const turn = open ?? writer.addTurn({ agent: "main", sourceSteps: [], startedAt: said.time });
    if (open === null) this.hasCalled = false;
    turn.sourceSteps.push(said.step);
    turn.endedAt = said.time ?? turn.endedAt;
    this.turn = turn;
    this.last = turn;
    return turn;
  }

  private addUnknown(said: Said, value: JsonValue): void {
    const type = stringMember(value, "turn_type") ?? "none";
    const message = `Records of a type that is not known, such as ${type.slice(0, 40)}`;
    this.reading.notes.add("record_not_understood", "not_understood", message, said.raw);
    this.context("opaque", HARNESS, said, JSON.stringify(value));
  }

  private context(kind: ContextItem["contextKind"], author: ContextItem["author"], said: Said, text: string): void {
    const sourceSteps = [said.step];
    this.reading.writer.addContext({ contextKind: kind, author, sourceSteps, raw: [said.raw], text });
  }

  private timeOf(value: JsonValue): string | null {
    const time = stringMember(value, "timestamp");
    const ms = time === null ? Number.NaN : Date.parse(time);
    if (Number.isNaN(ms)) return null;
    this.times = { first: Math.min(ms, this.times?.first ?? ms), last: Math.max(ms, this.times?.last ?? ms) };
    return time;
  }
}
