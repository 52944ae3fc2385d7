import { AppError } from "@/lib/errors";

/** Where a search goes on. The client hands it back as it came; it says nothing that the answers do not say. */
export interface FindCursor {
  /** Steps outward from the starting turn that are done. */
  step: number;
  /** Inside the step: the context item `n`, or the slot of an item's text. Null: its beginning. */
  text: { of: "context" | "item"; n: number } | null;
  /** Inside the text: a stored piece, where it begins, and where the search goes on, in UTF-16 units of the text. */
  piece: number;
  pieceStart: number;
  from: number;
}

/** The beginning of a step. */
export function atStep(step: number): FindCursor {
  return { step, text: null, piece: 0, pieceStart: 0, from: 0 };
}

const CURSOR = /^(\d{1,9})(?:\.([ci])(\d{1,9})\.(\d{1,9})\.(\d{1,9})\.(\d{1,9}))?$/;

/** A cursor as it is sent. */
export function formatCursor({ step, text, piece, pieceStart, from }: FindCursor): string {
  return text === null ? String(step) : [step, `${text.of[0]}${text.n}`, piece, pieceStart, from].join(".");
}

/** @throws AppError `bad_request` for anything that is no cursor. */
export function parseCursor(sent: string): FindCursor {
  const match = CURSOR.exec(sent);
  if (match === null) throw new AppError("bad_request", "at is what the answer before this one said.");
  const [, step, of, n, piece, pieceStart, from] = match;
  if (of === undefined) return atStep(Number(step));
  return {
    step: Number(step),
    text: { of: of === "c" ? "context" : "item", n: Number(n) },
    piece: Number(piece),
    pieceStart: Number(pieceStart),
    from: Number(from),
  };
}
