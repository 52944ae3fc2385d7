import type { TextPiece } from "@/lib/views/turn";
import { type AnsiStyle, PLAIN_STYLE } from "./ansi";
import { type TextLine, textLines } from "./text-lines";

/** What is here of a long text so far. Its rows carry no marks: those change while it is open. */
export interface LoadedText {
  lines: TextLine[];
  /** The last line may go on in the next piece, so it is cut again with it. */
  rest: { text: string; start: number; no: number | null; style: AnsiStyle };
  nextOffset: number | null;
  chars: number;
}

/** A long text of which nothing is here yet, from an offset on, where `firstLine` stands if that is known. */
export const freshText = (offset: number, firstLine: number | null): LoadedText => ({
  lines: [],
  rest: {
    text: "",
    start: offset,
    no: firstLine,
    style: PLAIN_STYLE,
  },
  nextOffset: offset,
  chars: 0,
});

/** A piece without what stands after an offset: its text, and where it goes on. */
export function pieceUntil(
  piece: Pick<TextPiece, "offset" | "text" | "nextOffset">,
  to: number,
): [string, number | null] {
  const { offset, text, nextOffset } = piece;
  return [text.slice(0, Math.max(0, to - offset)), nextOffset !== null && nextOffset < to ? nextOffset : null];
}

/** Adds a piece: everything up to its last line break becomes rows, the rest waits. Linear in the piece. */
export function withPiece(loaded: LoadedText, piece: string, nextOffset: number | null): LoadedText {
  const { rest } = loaded;
  const joined = rest.text + piece;
  // A single line of many pieces must not be cut anew with each of them.
  const isLast = nextOffset === null;
  const cut = isLast || joined.length > 100_000 ? joined.length : joined.lastIndexOf("\n") + 1;
  const ready = joined.slice(0, cut);
  const endsLine = ready.endsWith("\n");
  const { lines, style } = textLines(endsLine ? ready.slice(0, -1) : ready, {
    start: rest.start,
    firstLine: rest.no,
    marks: [],
    style: rest.style,
  });
  const added = ready === "" ? [] : lines;
  const lastNo = added.findLast((line) => line.no !== null)?.no ?? null;
  return {
    lines: loaded.lines.concat(added),
    rest: {
      text: joined.slice(cut),
      start: rest.start + cut,
      no: ready === "" ? rest.no : endsLine && lastNo !== null ? lastNo + 1 : null,
      style: ready === "" ? rest.style : style,
    },
    nextOffset,
    chars: loaded.chars + piece.length,
  };
}
