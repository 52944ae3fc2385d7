import type { FoldView, KeptReason } from "@/lib/views/fold";
import type { TextView } from "@/lib/views/turn";
import type { FoldMode } from "./address";
import { formatCount, formatPlural } from "./numbers";
import type { MarkedStretch } from "./text-lines";
import type { TextMark } from "./text-runs";

/** A part of an observation that is shown. Offsets are UTF-16 units of the whole text; `line` is the 1-based one at `start`. */
export interface KeptSegment {
  kind: "kept";
  start: number;
  end: number;
  line: number;
  text: string;
  why: readonly KeptReason[];
}

/** Why a part is folded: it holds no signal, its signals are over the bound, there was no room for it; or the paper's rule. */
export type FoldedReason = "quiet" | "bound" | "room" | "long" | "no_word";

/** A part that is folded. `text` is null when the page has to ask for it. `lines` is 0 inside one long line. */
export interface FoldedSegment {
  kind: "folded";
  start: number;
  end: number;
  line: number;
  lastLine: number;
  lines: number;
  text: string | null;
  why: FoldedReason;
  /** Lines with a signal that only the bound left out. */
  leftOut: number;
}

export type Segment = KeptSegment | FoldedSegment;

/** An observation as its parts, in order and without gaps; null when nothing of it is folded in this mode. */
export function segmentsOf(view: TextView, fold: FoldView | null, mode: FoldMode): Segment[] | null {
  if (fold === null || mode === "off" || view.totalChars === 0) return null;
  const whole = view.omittedChars === 0 ? view.head : null;
  if (mode === "paper") {
    const { isFolded, why } = fold.paper;
    if (!isFolded) return null;
    const span = { start: 0, end: view.totalChars, line: 1, lastLine: view.totalLines, lines: view.totalLines };
    return [{ kind: "folded", ...span, text: whole, why: why === "long" ? "long" : "no_word", leftOut: 0 }];
  }
  if (fold.parts === null) return null;
  const { kept, leftOut } = fold.parts;
  return kept.flatMap((part, i) => {
    const { start, end, line, lineAfter, why } = part;
    const text = part.text ?? whole?.slice(start, end) ?? null;
    const shown: Segment =
      text === null
        ? { ...folded({ end: start, lineAfter: line }, { start: end, line: lineAfter }), text, why: "room", leftOut: 0 }
        : { kind: "kept", start, end, line, text, why };
    const previous = kept[i - 1];
    if (previous === undefined) return [shown];
    // Signals are kept from the beginning on, so those over the bound stand in the last gap.
    const left = i === kept.length - 1 ? leftOut : 0;
    const gap = folded(previous, part);
    const gapText = whole?.slice(gap.start, gap.end) ?? null;
    return [{ ...gap, text: gapText, why: left > 0 ? "bound" : "quiet", leftOut: left } satisfies Segment, shown];
  });
}

function folded(previous: { end: number; lineAfter: number }, next: { start: number; line: number }) {
  const line = previous.lineAfter;
  const lines = next.line - line;
  return {
    kind: "folded" as const,
    start: previous.end,
    end: next.start,
    line,
    lastLine: Math.max(line, next.line - 1),
    lines,
  };
}

/** How much is folded: "1,832 lines, 91,002 characters". */
export function foldedWords({ start, end, lines, line }: FoldedSegment): string {
  const chars = formatPlural(end - start, "character");
  return lines === 0 ? `${chars} of line ${formatCount(line)}` : `${formatPlural(lines, "line")}, ${chars}`;
}

/** Why it is folded, in a few words. */
export function foldedReason({ why, leftOut }: FoldedSegment): string {
  switch (why) {
    case "quiet":
      return "no signal";
    case "bound":
      return `${formatCount(leftOut)} with a signal`;
    case "room":
      return "no room here";
    case "long":
      return "over τ, no diff";
    case "no_word":
      return "no failure word";
  }
}

/** Why it is folded, in a sentence. */
export function foldedSentence({ why, leftOut }: FoldedSegment, tauChars: number): string {
  switch (why) {
    case "quiet":
      return "No failure word, diff or test summary stands in it.";
    case "bound":
      return `${formatPlural(leftOut, "line")} in it hold a signal; so much stays of this result that they are only counted.`;
    case "room":
      return "It stays by the rule, but the answer for this turn had no room for it.";
    case "long":
      return `The paper's rule: it is longer than τ = ${formatCount(tauChars)} characters and holds no header of a diff.`;
    case "no_word":
      return "The paper's rule: it holds no failure word and no header of a diff.";
  }
}

/** Why a part stays, in a few words: `error, fail`, `diff`. */
export function keptReason({ why }: KeptSegment): string {
  const words = why.map((reason) => {
    switch (reason.kind) {
      case "signal":
        return `“${reason.word}”`;
      case "tests":
        return "test summary";
      case "first":
        return "first lines";
      case "last":
        return "last lines";
      default:
        return reason.kind;
    }
  });
  return words.join(", ");
}

/**
 * Quotations and matches as marks in the offsets of the whole text, whether their segment is open or not. One whose words
 * do not stand at its offset (a share masks secrets, which moves what follows) is put where its words are found.
 */
export function segmentMarks(segments: readonly Segment[], stretches: readonly MarkedStretch[]): TextMark[] {
  return stretches.map(({ text, ...mark }) => {
    if (text === null) return mark;
    const at = segments.find(({ start, end }) => start <= mark.start && mark.start < end);
    const isThere = at?.text?.startsWith(text, mark.start - at.start) ?? false;
    // A quotation may go over the end of a segment: then its beginning is enough.
    const isBeginningThere =
      at?.text != null && text.startsWith(at.text.slice(mark.start - at.start)) && mark.start < at.end;
    if (at?.text == null || isThere || isBeginningThere) return mark;
    for (const segment of segments) {
      const found = segment.text?.indexOf(text) ?? -1;
      if (found >= 0) return { ...mark, start: segment.start + found, end: segment.start + found + text.length };
    }
    return mark;
  });
}

/** The marks that stand in a segment, wholly or in part. */
export function marksIn<T extends TextMark>(marks: readonly T[], { start, end }: Segment): T[] {
  return marks.filter((mark) => mark.start < end && mark.end > start);
}
