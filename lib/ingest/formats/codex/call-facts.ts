import type { RawSpan, RecordedFile, ResultItem } from "@/lib/trajectory/schema";
import type { NoteBook } from "../../notes";
import type { CallEvent } from "./call-events";
import type { HeldCalls } from "./channels";
import type { CodexLine } from "./lines";
import type { Run } from "./run";

/** What events told of a call before its output came. */
interface Facts {
  lines: CodexLine[];
  recorded: RecordedFile[];
  end: CallEvent | null;
}

/** What a result takes over from events. */
type Told = Pick<ResultItem, "isError" | "exitCode" | "durationMs" | "recorded">;

/**
 * Brings together what events tell of calls with the items of those calls, whichever comes first. A call that no item
 * holds is made of its events.
 */
export class CallFacts {
  private readonly facts = new Map<string, Facts>();

  constructor(
    private readonly run: Run,
    private readonly items: HeldCalls,
    private readonly notes: NoteBook,
  ) {}

  /** Takes an event about a call. */
  add(line: CodexLine, event: CallEvent): void {
    const { callId, isEnd } = event;
    const isHeld = this.items.calls.has(callId);
    if (!isEnd) this.begin(line, event, isHeld);
    else if (!isHeld) this.endOwn(line, event);
    else if (this.items.answered.has(callId)) this.complete(line, event);
    else this.answer(line, event, this.facts.get(callId));
  }

  /** Where the beginning of a call stands that an item now states. */
  placesOfCall(callId: string | null): RawSpan[] {
    const facts = callId === null ? undefined : this.facts.get(callId);
    return facts === undefined || facts.end !== null ? [] : rawOf(facts.lines.splice(0));
  }

  /** What is known of the end of a call that an output answers, with the lines of the events that told it. */
  toldOf(callId: string | null, output: Omit<Told, "recorded"> & { text: string }): Told & { lines: CodexLine[] } {
    const facts = callId === null ? undefined : this.facts.get(callId);
    if (!facts?.end || callId === null) {
      const { isError, exitCode, durationMs } = output;
      return { isError, exitCode, durationMs, recorded: [], lines: [] };
    }
    this.facts.delete(callId);
    this.noteOther(facts.end.text, output.text, facts.lines.at(-1));
    return { ...told(output, facts.end, facts.recorded), lines: facts.lines };
  }

  /** Gives what is left to the calls that it is about; without a call it is kept for itself. */
  finish(): void {
    for (const [callId, { lines }] of this.facts) {
      const call = this.run.calls.find(callId)?.item;
      if (call) for (const { raw } of lines) call.raw.push(raw);
      else for (const line of lines) this.run.keep(line);
    }
  }

  /** An event may say more than the output, which may be cut. */
  private noteOther(said: string, shown: string, line: CodexLine | undefined): void {
    if (line === undefined || shown.includes(said.trim())) return;
    const message = "What events say of calls beside their outputs; the raw record shows it";
    this.notes.add("tool_record_not_used", "information", message, line.raw);
  }

  private begin(line: CodexLine, event: CallEvent, isHeld: boolean): void {
    const { callId, recorded } = event;
    const call = isHeld ? this.run.calls.find(callId)?.item : undefined;
    if (!isHeld) this.run.call(line, event.call(), callId, [line.raw]);
    else if (call) call.raw.push(line.raw);
    const facts = this.facts.get(callId) ?? { lines: [], recorded, end: null };
    facts.recorded = recorded;
    if (isHeld && !call) facts.lines.push(line);
    this.facts.set(callId, facts);
  }

  private endOwn(line: CodexLine, event: CallEvent): void {
    const facts = this.facts.get(event.callId);
    if (facts === undefined) this.run.call(line, event.call(), event.callId, [line.raw]);
    this.answer(line, event, facts);
  }

  /** Answers a call out of the event that tells its end: there is no output. */
  private answer(line: CodexLine, event: CallEvent, facts: Facts | undefined): void {
    const { callId, text } = event;
    this.facts.delete(callId);
    const recorded = recordedBy(event, facts);
    const answer = { text, isCut: false, ...told(event, event, recorded) };
    this.run.result(line, callId, answer, [...rawOf(facts?.lines ?? []), line.raw]);
  }

  /** Completes the output that a call has, or is going to have. */
  private complete(line: CodexLine, event: CallEvent): void {
    const { callId } = event;
    const facts = this.facts.get(callId);
    const result = this.run.calls.find(callId)?.result;
    if (result) {
      result.raw.push(line.raw);
      this.noteOther(event.text, result.text, line);
      for (const file of recordedBy(event, facts)) result.recorded.push(file);
      Object.assign(result, told(result, event, result.recorded));
      // What a beginning named is recorded once, however often an end is told.
      if (facts) facts.recorded = [];
    } else if (facts) {
      if (facts.end === null) facts.recorded = [...recordedBy(event, facts)];
      else for (const file of event.recorded) facts.recorded.push(file);
      facts.lines.push(line);
      facts.end = event;
    } else this.facts.set(callId, { lines: [line], recorded: [...recordedBy(event, undefined)], end: event });
  }
}

const rawOf = (lines: CodexLine[]): RawSpan[] => lines.map(({ raw }) => raw);

/** The files of a patch that was applied: older versions name them only where it begins. */
function recordedBy(event: CallEvent, begun: Facts | undefined): RecordedFile[] {
  return event.recorded.length > 0 || event.isError === true ? event.recorded : (begun?.recorded ?? []);
}

/** What an output says, completed by the event that reports the same end. */
function told(output: Omit<Told, "recorded">, event: CallEvent | null, recorded: RecordedFile[]): Told {
  const isError = output.isError ?? event?.isError ?? null;
  return {
    isError,
    exitCode: output.exitCode ?? event?.exitCode ?? null,
    durationMs: output.durationMs ?? event?.durationMs ?? null,
    recorded: isError === true ? [] : recorded,
  };
}
