import { countLines, expandTabs, joinLines, lineOffset, sameLine, splitLines, stripEnding } from "./lines";
import type { ContentChange, KnownContent, KnownRange, Splice } from "./model";

export const ABSENT: KnownContent = { kind: "absent" };
export const UNKNOWN: KnownContent = { kind: "unknown" };

/** A text of which everything is known. */
export function wholeContent(text: string): KnownContent {
  return { kind: "whole", text };
}

/**
 * Ranges of a file; `unknown` when nothing is left, whole is never concluded from ranges. A length that ends before the
 * last known line is no length.
 */
export function partialContent(ranges: readonly KnownRange[], total: number | null): KnownContent {
  const tidy = tidyRanges(ranges);
  const last = tidy.at(-1);
  const end = last === undefined ? 0 : last.startLine + last.lines.length - 1;
  const totalLines = total !== null && total >= end ? total : null;
  if (tidy.length === 0 && totalLines === null) return UNKNOWN;
  return { kind: "partial", ranges: tidy, totalLines };
}

/** What is known as ranges: one for a whole text, none for a file that is absent, empty or unknown. */
export function rangesOf(content: KnownContent): KnownRange[] {
  if (content.kind === "partial") return content.ranges;
  if (content.kind !== "whole" || content.text === "") return [];
  return [{ startLine: 1, lines: splitLines(content.text) }];
}

/** The file's length in lines, null when it is not known. */
export function totalLinesOf(content: KnownContent): number | null {
  if (content.kind === "whole") return countLines(content.text);
  return content.kind === "partial" ? content.totalLines : null;
}

/** Whether two contents are the same knowledge of the same text. */
export function sameContent(left: KnownContent, right: KnownContent): boolean {
  if (left.kind === "whole") return right.kind === "whole" && left.text === right.text;
  if (left.kind !== "partial") return left.kind === right.kind;
  if (right.kind !== "partial" || left.totalLines !== right.totalLines) return false;
  if (left.ranges.length !== right.ranges.length) return false;
  return left.ranges.every((range, index) => {
    const other = right.ranges[index];
    return (
      other !== undefined &&
      other.startLine === range.startLine &&
      other.lines.length === range.lines.length &&
      other.lines.every((line, at) => line === range.lines[at])
    );
  });
}

/** Applies a change: its splices, then what it learned. An unknown file counts as one with no known range. */
export function applyChange(content: KnownContent, change: ContentChange): KnownContent {
  if (content.kind === "whole") return wholeContent(spliceText(content.text, change.splices));
  const base = content.kind === "partial" ? content : { ranges: [], totalLines: null };
  let ranges = base.ranges;
  for (const splice of change.splices.toReversed()) ranges = spliceRanges(ranges, splice);
  return partialContent(overlay(ranges, change.learned), change.totalLines);
}

/** A text with splices of whole lines applied; all splices are in the coordinates of the given text, in order. */
export function spliceText(text: string, splices: readonly Splice[]): string {
  let out = "";
  let line = 0;
  let at = 0;
  for (const splice of splices) {
    const start = at + lineOffset(text.slice(at), splice.at - line);
    const end = start + lineOffset(text.slice(start), splice.remove);
    out += text.slice(at, start) + joinLines(splice.insert);
    at = end;
    line = splice.at + splice.remove;
  }
  return out + text.slice(at);
}

/** The length after splices, null when the length before was not known. */
export function totalAfter(total: number | null, splices: readonly Splice[]): number | null {
  if (total === null) return null;
  return Math.max(0, total + lineDelta(splices));
}

/** How many lines longer a file is after the splices. */
export function lineDelta(splices: readonly Splice[]): number {
  return splices.reduce((sum, splice) => sum + splice.insert.length - splice.remove, 0);
}

function spliceRanges(ranges: readonly KnownRange[], splice: Splice): KnownRange[] {
  const end = splice.at + splice.remove;
  const delta = splice.insert.length - splice.remove;
  const out: KnownRange[] = [];
  for (const range of ranges) {
    const start = range.startLine - 1;
    const before = Math.min(range.lines.length, Math.max(0, splice.at - start));
    if (before > 0) out.push({ startLine: range.startLine, lines: range.lines.slice(0, before) });
    const skipped = Math.max(0, end - start);
    if (skipped < range.lines.length) {
      const first = Math.max(skipped, before);
      out.push({ startLine: start + first + delta + 1, lines: range.lines.slice(first) });
    }
  }
  if (splice.insert.length > 0) out.push({ startLine: splice.at + 1, lines: splice.insert });
  return tidyRanges(out);
}

/** Lays ranges over others; where both know a line, the new one counts. */
export function overlay(ranges: readonly KnownRange[], learned: readonly KnownRange[]): KnownRange[] {
  let out: readonly KnownRange[] = ranges;
  for (const range of learned) {
    const length = range.lines.length;
    out = spliceRanges(out, { at: range.startLine - 1, remove: length, insert: range.lines });
  }
  return [...out];
}

function tidyRanges(ranges: readonly KnownRange[]): KnownRange[] {
  const sorted = ranges.filter((range) => range.lines.length > 0).sort((a, b) => a.startLine - b.startLine);
  const out: KnownRange[] = [];
  for (const range of sorted) {
    const last = out.at(-1);
    if (last !== undefined && last.startLine + last.lines.length === range.startLine) {
      out[out.length - 1] = { startLine: last.startLine, lines: last.lines.concat(range.lines) };
    } else {
      out.push(range);
    }
  }
  return out;
}

/** The first line (1-based) at which a range says something else than what is known, null when they agree. */
export function firstDisagreement(content: KnownContent, range: KnownRange): number | null {
  if (content.kind === "whole") {
    const lines = knownLines(content, range.startLine, range.lines.length) ?? [];
    for (const [index, line] of range.lines.entries()) {
      const known = lines[index];
      // An empty line behind the last line end is how some views show that there is one.
      if (known === undefined ? stripEnding(line) !== "" : !showsSame(known, line)) return range.startLine + index;
    }
    return null;
  }
  for (const known of rangesOf(content)) {
    const from = Math.max(known.startLine, range.startLine);
    const to = Math.min(known.startLine + known.lines.length, range.startLine + range.lines.length);
    for (let line = from; line < to; line += 1) {
      const left = known.lines[line - known.startLine] ?? "";
      const right = range.lines[line - range.startLine] ?? "";
      if (!showsSame(left, right)) return line;
    }
  }
  return null;
}

/** Whether two lines are the same as far as a view can tell: some views show tabs as spaces. */
function showsSame(left: string, right: string): boolean {
  return sameLine(left, right) || (left.includes("\t") && sameLine(expandTabs(left), expandTabs(right)));
}

/** The lines of a range that are not known yet, as ranges. */
export function unknownPart(content: KnownContent, range: KnownRange): KnownRange[] {
  if (content.kind === "whole") return [];
  let rest: KnownRange[] = [range];
  for (const known of rangesOf(content)) {
    const end = known.startLine + known.lines.length;
    rest = rest.flatMap((piece) => {
      const before = Math.max(0, known.startLine - piece.startLine);
      const skip = Math.max(before, end - piece.startLine);
      return [
        { startLine: piece.startLine, lines: piece.lines.slice(0, before) },
        { startLine: piece.startLine + skip, lines: piece.lines.slice(skip) },
      ].filter((part) => part.lines.length > 0);
    });
  }
  return tidyRanges(rest);
}

/** The known lines from `startLine` (1-based), as many as asked for; null when one of them is not known. */
export function knownLines(content: KnownContent, startLine: number, count: number): string[] | null {
  if (content.kind === "whole") {
    const start = lineOffset(content.text, startLine - 1);
    return splitLines(content.text.slice(start, start + lineOffset(content.text.slice(start), count)));
  }
  for (const range of rangesOf(content)) {
    const from = startLine - range.startLine;
    if (from >= 0 && from + count <= range.lines.length) return range.lines.slice(from, from + count);
  }
  return count === 0 ? [] : null;
}
