import { wrapUntrusted } from "@/lib/judge/envelope";
import type { JudgeMessage, JudgeToolCall } from "@/lib/judge/port";
import { investigationMessages, type Known } from "./questions";
import type { TraceView } from "./trace-view";

/** Answers that stay when older ones are dropped. */
const ANSWERS_KEPT = 2;
const OUTLINES_CHARS = [60_000, 15_000, 4_000];

/** What the investigator saw first. */
export interface FirstShown {
  mode: "single_pass" | "outline";
  /** Characters of the trajectory as it was shown. */
  firstChars: number;
  foldedChars: number;
  foldedObservations: number;
}

interface ShownTrace {
  text: string;
  how: string;
  foldedChars: number;
  foldedObservations: number;
}

/** Makes the outline of the trajectory in at most so many characters. */
export type MakeOutline = (maxChars: number) => string;

/**
 * The messages of an investigation. When they are too long for the model, `shrink` first drops older answers, then shows the
 * trajectory as an outline, then as a shorter one; the model's notes stay.
 */
export class Conversation {
  private rest: JudgeMessage[] = [];
  private readonly notes: string[] = [];
  /** Index into OUTLINES_CHARS; -1: the whole trajectory, folded. */
  private outline: number;
  private dropped = false;
  private shown: { outline: number; trace: ShownTrace } | null = null;

  constructor(
    private readonly known: Known,
    private readonly view: TraceView,
    private readonly makeOutline: MakeOutline,
    private readonly nonce: string,
    mode: FirstShown["mode"],
  ) {
    this.outline = mode === "single_pass" ? -1 : 0;
  }

  /** What is shown before the first look-up. */
  first(): FirstShown {
    const { text, foldedChars, foldedObservations } = this.trace();
    const mode = this.outline === -1 ? "single_pass" : "outline";
    return { mode, firstChars: text.length, foldedChars, foldedObservations };
  }

  messages(): JudgeMessage[] {
    const { text, how } = this.trace();
    const notes: JudgeMessage[] =
      this.dropped && this.notes.length > 0
        ? [{ role: "user", text: `Your notes so far:\n${wrapUntrusted(this.notes.join("\n"), this.nonce)}` }]
        : [];
    return [...investigationMessages(this.known, text, how, this.nonce), ...notes, ...this.rest];
  }

  /** An answer of the model, with what each of its calls was told. `answers` are in the order of the calls. */
  add(text: string, calls: JudgeToolCall[], answers: { callId: string; text: string; isTrace: boolean }[]): void {
    this.rest.push({ role: "assistant", text, calls });
    for (const answer of answers) {
      const said = answer.isTrace ? wrapUntrusted(answer.text, this.nonce) : answer.text;
      this.rest.push({ role: "tool", callId: answer.callId, text: said });
    }
  }

  remind(text: string): void {
    this.rest.push({ role: "user", text });
  }

  note(text: string): void {
    this.notes.push(text);
  }

  /** Makes the next question shorter; says how in words, null when nothing is left to leave out. */
  shrink(): string | null {
    if (this.dropAnswers()) return "older answers were dropped";
    if (this.outline >= OUTLINES_CHARS.length - 1) return null;
    this.outline += 1;
    return this.outline === 0 ? "the trajectory is shown as an outline" : "the outline is shorter";
  }

  private trace(): ShownTrace {
    if (this.shown?.outline !== this.outline) this.shown = { outline: this.outline, trace: this.showTrace() };
    return this.shown.trace;
  }

  private showTrace(): ShownTrace {
    const maxChars = OUTLINES_CHARS[this.outline];
    if (maxChars === undefined) {
      const how = this.view.isUnfolded
        ? "All its turns, whole."
        : "All its turns, observations folded; look up what you need of them.";
      return { ...this.view.folded(), how };
    }
    const how = "An outline: a line a turn; look up the turns themselves.";
    let text = this.makeOutline(maxChars);
    // Of many tiny turns an outline would be longer than they are.
    if (!this.view.isLongerThan(text.length)) text = this.makeOutline(this.view.folded().text.length);
    return { text, how, foldedChars: 0, foldedObservations: 0 };
  }

  /** The calls stay with a word in place of their answers: an endpoint wants an answer to each. */
  private dropAnswers(): boolean {
    const answers = this.rest.filter((message) => message.role === "tool");
    const old = new Set(answers.slice(0, Math.max(0, answers.length - ANSWERS_KEPT)));
    let isShorter = false;
    this.rest = this.rest.map((message) => {
      if (message.role !== "tool" || !old.has(message) || message.text === DROPPED) return message;
      isShorter = true;
      return { ...message, text: DROPPED };
    });
    this.dropped ||= isShorter;
    return isShorter;
  }
}

const DROPPED = "[Dropped for want of room. Ask again if you need it.]";
