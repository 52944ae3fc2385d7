import type { ContentChange, FileOperation, KnownContent, Write, WriteGrammar } from "./model";
import type { Hunk } from "./patch";
import type { PatchChunk } from "./patch-grammar";
import type { SkillEdit } from "./skill-effect";

/** One exact text for another. `all` replaces every occurrence; otherwise the tool accepts a single one only. */
export interface StringEdit {
  before: string;
  after: string;
  all: boolean;
}

/** A line command of a `sed` script, for lines `from` to `to` (1-based; null is the last line or beyond every line). */
export type LineCommand =
  | { kind: "delete"; from: number; to: number | null }
  | { kind: "change"; from: number; to: number; text: string }
  /** Before or behind line `at`, which must be there. */
  | { kind: "insert"; at: number; isBefore: boolean; text: string }
  | { kind: "substitute"; from: number; to: number | null; pattern: RegExp; replacement: string; only: RegExp | null };

/** What a write does to one file. */
export type Effect =
  /** The whole content becomes this text. */
  | { kind: "write"; text: string; mustBeNew: boolean }
  | { kind: "append"; text: string }
  /**
   * Edits one after the other, all or none. `tabs`: the tool turns the tabs of the whole file into spaces first; `trims`:
   * where the text is not in the file, it looks for it without the blanks at its ends.
   */
  | {
      kind: "replace";
      edits: StringEdit[];
      tabs: boolean;
      dropsLineEnd: boolean;
      window: LineWindow | null;
      trims?: boolean;
    }
  /** Lines `from` to `to`, 1-based and inclusive, become these lines; `to` below `from` only inserts. */
  | { kind: "lines"; from: number; to: number; lines: string[] }
  /**
   * The text's lines come after line `after`; null is the end of the file. `joins`: behind a last line without a line end
   * they go on in that line.
   */
  | { kind: "insert"; after: number | null; text: string; tabs: boolean; joins?: boolean }
  | { kind: "skill"; edit: SkillEdit }
  | { kind: "script"; commands: LineCommand[] }
  /** Each chunk is looked for behind the one before it, as `apply_patch` does. */
  | { kind: "patch"; chunks: PatchChunk[] }
  /** Takes back the last edit of a file, or as many as `edits` says. */
  | { kind: "undo"; edits?: number }
  /** Lines for others as aider finds them: at the first place, or (a hunk) where alone they stand. */
  | { kind: "block"; before: string; after: string; rule: "first" | "unique" }
  | { kind: "delete" }
  | { kind: "move"; from: string }
  | { kind: "copy"; from: string }
  | { kind: "touch" }
  /** Hunks of a diff where they say that they stand, or where alone they fit. */
  | { kind: "diff"; hunks: Hunk[] }
  /** What stood there before the run comes back. */
  | { kind: "restore" }
  /** Git puts the changes of the run away, under a number, or takes them out again. */
  | { kind: "stash"; n: number }
  | { kind: "unstash"; n: number }
  /** `isLink`: the path becomes another name of a file, and nothing is written to that. */
  | { kind: "opaque"; isLink?: boolean };

/** What became of a content. `change` is null when the new content does not follow from the old one by splices. */
export interface Applied {
  ok: true;
  content: KnownContent;
  change: ContentChange | null;
  note: string | null;
}

/** `contradicts`: the tool cannot have done this to the content that we know; otherwise we cannot follow it. */
export interface NotApplied {
  ok: false;
  contradicts: boolean;
  reason: string;
}

/** Lines that a tool had on screen, 1-based and inclusive. */
export interface LineWindow {
  from: number;
  to: number;
}

/** A write as a call asks for it and its result answers; `path` is as the call spells it. */
export interface Attempt {
  path: string;
  grammar: WriteGrammar;
  operation: FileOperation;
  effect: Effect;
  status: Write["status"];
  reason: string | null;
  fragment: Write["fragment"];
}

/** What a write says that was cut short: that the file was written stands, what is in it afterwards does not. */
export function withoutContent(attempt: Attempt): Attempt {
  const effect: Effect = BRINGS_NO_TEXT.has(attempt.effect.kind) ? attempt.effect : { kind: "opaque" };
  return { ...attempt, effect, fragment: null, reason: attempt.reason ?? "the trace holds this call cut short" };
}

/** Effects that bring in no text of the call's own. */
const BRINGS_NO_TEXT: ReadonlySet<Effect["kind"]> = new Set(["undo", "delete", "move", "copy", "touch"]);

/** How a tool's answer reads: it worked, it changed nothing, or it does not say. */
export interface Outcome {
  status: "applied" | "assumed" | "refused";
  reason: string | null;
}

/**
 * Judges an answer by its error flag and by the texts that the tool is known to give.
 * @param failure what the tool says when nothing was changed; its first line becomes the reason
 */
export function judgeAnswer(
  answer: { text: string; isError: boolean | null } | null,
  success: RegExp,
  failure: RegExp,
): Outcome {
  if (answer === null) return { status: "assumed", reason: null };
  const failed = failure.exec(answer.text);
  if (answer.isError === true) return { status: "refused", reason: reasonIn(answer.text, failed?.index ?? 0) };
  if (success.test(answer.text) && (failed === null || answer.text.search(success) < failed.index)) {
    return { status: "applied", reason: null };
  }
  if (failed !== null) return { status: "refused", reason: reasonIn(answer.text, failed.index) };
  return { status: answer.isError === false ? "applied" : "assumed", reason: null };
}

const REASON_CHARS = 300;

/** The line of an answer at an offset, without tags and not longer than a sentence or two. */
export function reasonIn(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset) + 1;
  const rest = text.slice(start).replace(/^(?:\s|<\/?[a-z_]+>)+/i, "");
  const line = rest.slice(0, REASON_CHARS).split(/\r?\n/, 1)[0] ?? "";
  const plain = line.replace(/<\/?[a-z_]+>$/i, "").trim();
  return plain === "" ? "the tool reported an error" : plain;
}
