import { countNewlines } from "@/lib/artefact/lines";
import { TEXT_HEAD_CHARS, TEXT_TAIL_CHARS } from "@/lib/catalogue/limits";
import { safeEnd } from "@/lib/trajectory/text-cuts";
import type { TextView } from "@/lib/views/turn";

/** A text of which only both ends may be at hand. `first` and `last` are the whole text when it is short. */
export interface TextEnds {
  first: string;
  last: string;
  totalChars: number;
  totalLines: number;
}

/** How much of each end a view holds, in UTF-16 units. */
export interface CutLimits {
  headChars: number;
  tailChars: number;
}

export const CUT_LIMITS: CutLimits = { headChars: TEXT_HEAD_CHARS, tailChars: TEXT_TAIL_CHARS };

/** The ends of a text that is here as a whole. */
export function endsOf(text: string): TextEnds {
  return { first: text, last: text, totalChars: text.length, totalLines: countNewlines(text) + 1 };
}

/**
 * The head and tail of a text with what stands between them counted. Cuts fall on a line's end where one is near (in the
 * last half of the head, the first half of the tail), and never inside a surrogate pair. `omittedLines` counts the line
 * breaks between the two, so it is 0 when both ends lie in one long line.
 */
export function cutText(text: TextEnds, limits: CutLimits): TextView {
  const { totalChars, totalLines } = text;
  if (totalChars <= limits.headChars + limits.tailChars) {
    return { head: text.first, tail: "", totalChars, totalLines, omittedChars: 0, omittedLines: 0 };
  }
  const head = headOf(text.first, limits.headChars);
  const tail = tailOf(text.last, limits.tailChars);
  return {
    head,
    tail,
    totalChars,
    totalLines,
    omittedChars: totalChars - head.length - tail.length,
    omittedLines: totalLines - 1 - countNewlines(head) - countNewlines(tail),
  };
}

function headOf(text: string, limit: number): string {
  const end = safeEnd(text, limit);
  const lineEnd = text.lastIndexOf("\n", end - 1) + 1;
  return text.slice(0, lineEnd > limit / 2 ? lineEnd : end);
}

function tailOf(text: string, limit: number): string {
  if (limit <= 0) return "";
  let start = Math.max(0, text.length - limit);
  if (safeEnd(text, start) !== start) start += 1;
  const lineStart = text.indexOf("\n", start) + 1;
  return text.slice(lineStart > 0 && lineStart < start + limit / 2 ? lineStart : start);
}
