import type { CodeView, Side } from "@/lib/views/code";

/** Who wrote a line: named on the first line of a run, a rule beside the rest. */
export interface LineBlame {
  turn: number | null;
  isFirst: boolean;
  isUncertain: boolean;
}

/** A row of the plain code view. Gaps are never filled: they say which lines are not known. */
export type CodeRow =
  | { kind: "line"; no: number; text: string; blame: LineBlame | null; isNew: boolean }
  /** A line of the left side that is gone; `no` is its number there. */
  | { kind: "gone"; no: number; text: string }
  | { kind: "gap"; from: number; to: number | null }
  | { kind: "omitted"; chars: number };

/** Lines without their line endings. A file that ends with a line break has no line after it. */
export function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Blame of a line by number; runs are sorted and apart. */
function blameLookup(runs: CodeView["blame"]): (line: number) => LineBlame | null {
  let at = 0;
  return (line) => {
    for (let run = runs[at]; run && run.startLine + run.lineCount <= line; run = runs[++at]);
    const run = runs[at];
    if (!run || line < run.startLine) return null;
    return { turn: run.turn, isFirst: line === run.startLine, isUncertain: run.uncertain };
  };
}

/** What changed against another side, in line numbers of the side that is shown. */
export interface RowChanges {
  added: ReadonlySet<number>;
  removed: ReadonlyMap<number, { no: number; text: string }[]>;
}

/**
 * One side of a code view as rows: the known lines with who wrote them, and between them the lines that are not known.
 * With `changes`, lines that are new are marked and lines that are gone stand above what took their place.
 */
export function codeRows(side: Side, blame: CodeView["blame"], changes: RowChanges | null): CodeRow[] {
  const rows: CodeRow[] = [];
  const addGone = (before: number) => {
    for (const gone of changes?.removed.get(before) ?? []) rows.push({ kind: "gone", ...gone });
  };
  const blameOf = blameLookup([...blame].sort((a, b) => a.startLine - b.startLine));
  let next = 1;
  for (const range of [...side.ranges].sort((a, b) => a.startLine - b.startLine)) {
    if (range.startLine > next) rows.push({ kind: "gap", from: next, to: range.startLine - 1 });
    const lines = linesOf(range.text);
    lines.forEach((text, i) => {
      const no = range.startLine + i;
      addGone(no);
      rows.push({ kind: "line", no, text, blame: blameOf(no), isNew: changes?.added.has(no) ?? false });
    });
    next = Math.max(next, range.startLine + lines.length);
    addGone(next);
  }
  if (side.omittedChars > 0) rows.push({ kind: "omitted", chars: side.omittedChars });
  else if (side.kind === "partial" && (side.totalLines === null || side.totalLines >= next)) {
    rows.push({ kind: "gap", from: next, to: side.totalLines });
  }
  return rows;
}

/** A row, or a bar that stands for rows that are there but not drawn yet. */
export type DrawnRow = { kind: "row"; row: CodeRow; index: number } | { kind: "folded"; from: number; to: number };

/**
 * The rows to draw when a file is long: those in the opened stretches, with a bar for each stretch between them.
 * `open` holds `[from, to)` stretches of row indices, in any order.
 */
export function drawnRows(rows: readonly CodeRow[], open: readonly (readonly [number, number])[]): DrawnRow[] {
  const drawn: DrawnRow[] = [];
  let next = 0;
  const fold = (to: number) => {
    if (to > next) drawn.push({ kind: "folded", from: next, to });
  };
  for (const [from, to] of [...open].sort((a, b) => a[0] - b[0])) {
    const start = Math.max(next, Math.min(from, rows.length));
    const end = Math.min(to, rows.length);
    if (end <= start) continue;
    fold(start);
    for (let index = start; index < end; index++) {
      const row = rows[index];
      if (row) drawn.push({ kind: "row", row, index });
    }
    next = end;
  }
  fold(rows.length);
  return drawn;
}

/** The stretch to draw first: around a line, or the beginning. */
export function firstStretch(rows: readonly CodeRow[], line: number | null, length: number): [number, number] {
  if (rows.length <= length || line === null) return [0, Math.min(rows.length, length)];
  const at = rows.findIndex((row) => row.kind === "line" && row.no >= line);
  const middle = at < 0 ? rows.length : at;
  const from = Math.max(0, Math.min(middle - Math.floor(length / 3), rows.length - length));
  return [from, from + length];
}
