import type { RawSpan, Turn } from "@/lib/trajectory/schema";
import { AGENT, HARNESS, PERSON } from "../../entries";
import type { NoteBook } from "../../notes";
import { isObject, type JsonObject, listMember, stringMember } from "../../safe-json";
import { readCallEvent, reviewText } from "./call-events";
import { CallFacts } from "./call-facts";
import { type HeldCalls, messageParts, placesOf, reasoningTexts, textsOfEvent } from "./channels";
import { type CodexLine, textOf } from "./lines";
import { type Output, partText } from "./outputs";
import type { Run } from "./run";
import { readCall } from "./tools";
import { TokenBook } from "./usage";
import { requestIn, userTextKind } from "./user-texts";

/** Events of the user interface that keep books: nothing of them is said by anybody. */
const BOOKS =
  /^(?:turn\.completed|task_started|turn_started|task_complete|turn_complete|session_configured|thread_\w+|context_compacted|turn_diff|background_event|undo_\w+|sub_agent_activity|guardian_\w+|entered_review_mode|mcp_(?:startup|list)_\w+|plan_\w+|item_\w+|\w+_delta|\w+_approval_request|deprecation_notice|model_\w+|hook_\w+|\w+_section_break|raw_response_item|web_search_begin|get_history_entry_response|shutdown_complete|collab_\w+)$/;

/** Turns the lines of a rollout into entries, in the order of the file. */
export class RolloutWriter {
  task: string | null = null;
  title: string | null = null;
  exitStatus: string | null = null;
  readonly tokens = new TokenBook();
  private prompted = false;
  private readonly facts: CallFacts;
  /** Items by their type and identifier, with the places of what was made of them. */
  private readonly seen = new Map<string, Map<string, { line: CodexLine; raw: RawSpan[] }>>();
  /** The number of turns when each message of a person came. */
  private readonly asked: number[] = [];
  private rollbacks = 0;
  private usageComesFirst: boolean | null = null;
  /** What the last settings said. */
  private said: string | null = null;

  constructor(
    private readonly run: Run,
    items: HeldCalls,
    private readonly notes: NoteBook,
  ) {
    this.facts = new CallFacts(run, items, notes);
  }

  add(line: CodexLine): void {
    if (line.channel === "item") this.addItem(line);
    else if (line.channel === "event") this.addEvent(line);
    else if (line.channel === "compacted") {
      const { message, replacement_history: history } = line.payload;
      const text = typeof message === "string" && message !== "" ? message : JSON.stringify(history ?? null);
      this.run.context(line, "compaction", HARNESS, text);
    } else if (line.channel === "unknown" || line.channel === "stream") {
      this.run.opaque(line, line.type === "" ? "a line without a type" : `a line of type ${line.type}`);
    } else if (line.channel === "settings") this.settings(line);
    else this.run.keep(line);
  }

  /** Ends the last turn. Call it once, after the last line. */
  finish(): void {
    this.facts.finish();
    this.run.finish();
  }

  /** Settings are written again and again: those that say nothing new belong to the turn that they are written for. */
  private settings(line: CodexLine): void {
    const { payload } = line;
    this.run.directory = stringMember(payload, "cwd") ?? this.run.directory;
    this.run.model = stringMember(payload, "model") ?? this.run.model;
    this.mark();
    const said = JSON.stringify({ ...payload, turn_id: null });
    if (said === this.said) this.run.lead(line);
    else this.run.keep(line);
    this.said = said;
  }

  private mark(): void {
    if (this.run.turn !== null) this.run.isMarked = true;
  }

  private addItem(line: CodexLine): void {
    const { payload, type } = line;
    const raw = placesOf(line);
    if (this.repeatsEarlier(line, raw)) return;
    if (type === "message") this.addMessage(line, raw);
    else if (type === "reasoning") this.addReasoning(line, raw);
    else if (line.output !== null) this.addOutput(line, line.output, raw);
    else if (type.endsWith("_call")) this.addCall(line, raw);
    else if (type === "agent_message") {
      const author = { role: "agent" as const, name: stringMember(payload, "author") };
      this.run.context(line, "injected", author, messageParts(payload.content).join("\n"), raw);
    } else if (/compact/.test(type)) this.run.context(line, "compaction", HARNESS, JSON.stringify(payload), raw);
    else if (type === "ghost_snapshot") this.run.keep(line);
    else this.run.opaque(line, `an item of type ${type}`);
    this.dateTurn(line);
  }

  /** Some versions write all items of an answer at its end; the events that repeat them tell when it began. */
  private dateTurn(line: CodexLine): void {
    const { turn } = this.run;
    for (const { timestamp } of line.repeatedBy ?? []) {
      if (turn?.startedAt && timestamp !== null && timestamp < turn.startedAt) turn.startedAt = timestamp;
    }
  }

  /** A file that was resumed may write an item again: the same under the same identifier is shown once. */
  private repeatsEarlier(line: CodexLine, raw: RawSpan[]): boolean {
    const { payload, type } = line;
    const id = textOf(payload.id) ?? textOf(payload.call_id);
    if (id === null) return false;
    const known = this.seen.get(type) ?? new Map<string, { line: CodexLine; raw: RawSpan[] }>();
    this.seen.set(type, known);
    const first = known.get(id);
    if (first === undefined || this.run.payloadOf(first.line) !== this.run.payloadOf(line)) {
      known.set(id, { line, raw });
      return false;
    }
    this.noteRepeat(line);
    for (const span of raw) first.raw.push(span);
    return true;
  }

  private addReasoning(line: CodexLine, raw: RawSpan[]): void {
    const text = reasoningTexts(line.payload).join("\n\n");
    const last = this.run.isMarked ? undefined : this.run.turn?.items.at(-1);
    if (text === "") {
      const message = "Reasoning of which the trace holds only an encrypted form";
      this.notes.add("encrypted_reasoning", "information", message, line.raw);
      this.run.hold(line, raw);
    } else if (last?.kind === "thought" && last.text === text) {
      this.noteRepeat(line);
      for (const span of raw) last.raw.push(span);
    } else this.run.item(line, { kind: "thought", author: AGENT, raw, text });
  }

  private noteRepeat(line: CodexLine): void {
    const message = "Items that repeat an earlier one; shown once";
    this.notes.add("repeated_line", "information", message, line.raw);
  }

  private addMessage(line: CodexLine, raw: RawSpan[]): void {
    const { payload } = line;
    const parts = messageParts(payload.content);
    if (listMember(payload, "content").some((part) => stringMember(part, "type") === "input_image")) {
      this.notes.add("picture_not_shown", "information", "Pictures are named, not shown", line.raw);
    }
    const role = stringMember(payload, "role");
    if (role === "assistant") {
      this.run.item(line, { kind: "message", author: AGENT, raw, text: parts.join("\n") });
    } else if (role === "user") this.addUser(line, parts, raw);
    else if (role === "system" || role === "developer") {
      this.run.context(line, "system", HARNESS, parts.join("\n\n"), raw);
    } else this.run.opaque(line, `a message of the role ${role ?? "that it does not state"}`);
  }

  /** Each part for itself: instructions and surroundings stand in one message with what a person says. */
  private addUser(line: CodexLine, parts: string[], raw: RawSpan[]): void {
    const isConfirmed = line.repeatedBy !== null && parts.length === 1;
    const groups: { kind: ReturnType<typeof userTextKind>; texts: string[] }[] = [];
    for (const text of parts.length === 0 ? [""] : parts) {
      const kind = isConfirmed ? ("person" as const) : userTextKind(text);
      const last = groups.at(-1);
      if (last?.kind === kind) last.texts.push(text);
      else groups.push({ kind, texts: [text] });
    }
    for (const [n, { kind, texts }] of groups.entries()) {
      const text = texts.join("\n\n");
      // A repeat of the line is added to the places of its first part.
      const places = n === 0 ? raw : [...raw];
      if (kind === "person") this.addPerson(line, text, places);
      else this.run.context(line, kind, HARNESS, text, places);
    }
  }

  private addPerson(line: CodexLine, text: string, raw: RawSpan[]): void {
    this.exitStatus = null;
    this.asked.push(this.run.writer.turnCount);
    this.run.context(line, this.prompted ? "person" : "task", PERSON, text, raw);
    if (!this.prompted) this.task = requestIn(text);
    this.prompted = true;
  }

  private addCall(line: CodexLine, raw: RawSpan[]): void {
    const { payload, type } = line;
    const callId = textOf(payload.call_id) ?? textOf(payload.id);
    for (const span of this.facts.placesOfCall(callId)) raw.push(span);
    const name = textOf(payload.name);
    if (type === "function_call" || type === "custom_tool_call") {
      const isCustom = type === "custom_tool_call";
      const server = textOf(payload.namespace);
      const tool = server?.startsWith("mcp__")
        ? `${server.endsWith("__") ? server.slice(0, -2) : server}__${name ?? ""}`
        : (name ?? "");
      this.run.call(line, readCall(tool, isCustom ? payload.input : payload.arguments, isCustom), callId, raw);
      return;
    }
    const tool = type.slice(0, -"_call".length);
    const given =
      payload.action ??
      payload.arguments ??
      (payload.revised_prompt === undefined ? {} : { revised_prompt: payload.revised_prompt });
    this.run.call(line, readCall(tool, given), callId, raw);
    if (typeof payload.result === "string" && callId !== null) {
      const text = partText({ type: "image", data: payload.result });
      const nothing = { isError: null, exitCode: null, durationMs: null, isCut: false, recorded: [] };
      this.run.result(line, callId, { text, ...nothing }, [line.raw]);
    }
  }

  private addOutput(line: CodexLine, output: Output, raw: RawSpan[]): void {
    const callId = textOf(line.payload.call_id) ?? textOf(line.payload.id);
    const { lines, isError, exitCode, durationMs, recorded } = this.facts.toldOf(callId, output);
    for (const told of lines) raw.push(told.raw);
    const { text, isCut, session, isMixed } = output;
    this.run.result(line, callId, { text, isError, exitCode, durationMs, isCut, session, isMixed, recorded }, raw);
  }

  private addEvent(line: CodexLine): void {
    const { payload, type } = line;
    if (line.isRepeat) return;
    const event = type === "token_count" ? null : readCallEvent(line);
    if (type === "token_count") this.addTokens(line);
    else if (event !== null) this.facts.add(line, event);
    else if (textsOfEvent(line).some(([, text]) => text !== "")) this.addSaid(line);
    else if (type === "item_completed" && stringMember(payload.item, "type") === "Plan") {
      this.run.item(line, {
        kind: "plan",
        author: AGENT,
        raw: [line.raw],
        text: stringMember(payload.item, "text") ?? "",
      });
    } else if (type === "exited_review_mode" && isObject(payload.review_output)) {
      const text = reviewText(payload.review_output);
      this.run.item(line, { kind: "review", author: AGENT, raw: [line.raw], text });
    } else if (type === "error" || type === "stream_error" || type === "warning") {
      this.run.context(line, "injected", HARNESS, stringMember(payload, "message") ?? JSON.stringify(payload));
      if (type === "error") this.exitStatus = "error";
    } else if (type === "turn_aborted") {
      const reason = stringMember(payload, "reason");
      this.exitStatus = reason === null ? "turn_aborted" : `turn_aborted (${reason})`;
      this.run.context(line, "injected", HARNESS, `The turn was aborted: ${reason ?? "no reason is given"}`);
    } else if (BOOKS.test(type)) this.addBooks(line);
    else this.run.opaque(line, `an event of type ${type}`);
  }

  private addBooks(line: CodexLine): void {
    const { payload, type } = line;
    if (type === "turn.completed") this.tokens.takeTotal(payload.usage);
    else if (type === "task_started" || type === "turn_started") {
      this.exitStatus = null;
      this.mark();
    } else if (type === "task_complete" || type === "turn_complete") {
      this.exitStatus = isObject(payload.error) ? "error" : "task_complete";
      this.mark();
    } else if (type === "thread_name_updated") this.title = stringMember(payload, "thread_name") ?? this.title;
    else if (type === "session_configured") {
      this.run.model = stringMember(payload, "model") ?? this.run.model;
    } else if (type === "thread_rolled_back") this.rollBack(payload);
    this.run.keep(line);
  }

  /** What was used belongs to the turn that used it, and so do further lines that say the same. */
  private addTokens(line: CodexLine): void {
    const request = this.tokens.take(line.payload);
    const { run } = this;
    if (request === null) {
      run.trail(line);
      return;
    }
    // Some versions write what a request used before its items, others behind them; the first one tells which.
    this.usageComesFirst ??= run.turn === null;
    if (this.usageComesFirst || run.turn === null) {
      run.pendingUsage = request.usage;
      run.lead(line);
    } else {
      run.turn.usage ??= request.usage;
      run.trail(line);
    }
    this.mark();
  }

  /** The turns after the last so many messages of a person are not on the path that the run ended on. */
  private rollBack(payload: JsonObject): void {
    const count = payload.num_turns;
    if (typeof count !== "number" || !(count >= 1)) return;
    const from = this.asked.splice(Math.max(0, this.asked.length - Math.trunc(count)))[0];
    if (from === undefined) return;
    const branch = `rollback ${++this.rollbacks}`;
    const isLeft = (entry: { kind: string }): entry is Turn => entry.kind === "turn";
    for (const turn of this.run.writer.entries.filter(isLeft)) if (turn.index >= from) turn.branch ??= branch;
    this.run.close();
  }

  /** What only the user interface was told. */
  private addSaid(line: CodexLine): void {
    const raw = [line.raw];
    const said = textsOfEvent(line);
    const text = said.map(([, words]) => words).join("\n\n");
    const speaker = said[0]?.[0];
    if (speaker === "person") this.addUser(line, [text], raw);
    else this.run.item(line, { kind: speaker === "thought" ? "thought" : "message", author: AGENT, raw, text });
  }
}
