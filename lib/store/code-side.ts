import { rangesOf, totalLinesOf } from "@/lib/artefact/known-content";
import { countLines } from "@/lib/artefact/lines";
import type { KnownContent, KnownRange } from "@/lib/artefact/model";
import { CODE_SIDE_CHARS } from "@/lib/catalogue/limits";
import { safeEnd } from "@/lib/trajectory/text-cuts";
import type { CodeView, Side } from "@/lib/views/code";
import { jsonBytes } from "./answer-size";
import type { VersionRow } from "./file-versions";

/** Bytes of JSON of one side of a code view. */
export const SIDE_MAX_BYTES = 380_000;
/** Lines above a change that are kept when a file is too long to show from its beginning. */
const LEAD_LINES = 200;

/**
 * One side of a code view. A file too long for one answer is shown from a little above `anchorLine` on, whole lines as
 * far as they fit; what is left out is counted. Gaps between known ranges stay gaps.
 * @param version null when the file is not known to the trace at that moment.
 */
export function sideOf(version: VersionRow | null, content: KnownContent, anchorLine: number | null): Side {
  const ranges = rangesOf(content);
  const totalChars = ranges.reduce(
    (sum, range) => sum + range.lines.reduce((chars, line) => chars + line.length, 0),
    0,
  );
  let shown = fitRanges(ranges, 1);
  let shownChars = charsOf(shown);
  if (shownChars < totalChars && anchorLine !== null && anchorLine > LEAD_LINES) {
    shown = fitRanges(ranges, anchorLine - LEAD_LINES);
    shownChars = charsOf(shown);
  }
  return {
    version: version?.n ?? null,
    kind: content.kind,
    certainty: version?.certainty ?? null,
    ranges: shown,
    totalLines: totalLinesOf(content),
    omittedChars: totalChars - shownChars,
    note: version?.note ?? null,
  };
}

function charsOf(ranges: Side["ranges"]): number {
  return ranges.reduce((sum, range) => sum + range.text.length, 0);
}

/** Whole lines from `firstLine` on, as far as the limits go; a single line that is longer than they are is cut. */
function fitRanges(ranges: KnownRange[], firstLine: number): Side["ranges"] {
  const fitted: Side["ranges"] = [];
  let bytes = 0;
  let chars = 0;
  for (const range of ranges) {
    const skip = Math.max(0, firstLine - range.startLine);
    if (skip >= range.lines.length) continue;
    let text = "";
    let isFull = false;
    for (const line of range.lines.slice(skip)) {
      // JSON is never shorter than its text: a line of many megabytes is not measured to learn that it is too long.
      const lineBytes = line.length > SIDE_MAX_BYTES ? line.length : jsonBytes(line);
      if (bytes + lineBytes > SIDE_MAX_BYTES || chars + line.length > CODE_SIDE_CHARS) {
        if (bytes === 0) text += cutToBytes(line, SIDE_MAX_BYTES);
        isFull = true;
        break;
      }
      bytes += lineBytes;
      chars += line.length;
      text += line;
    }
    if (text !== "") fitted.push({ startLine: range.startLine + skip, text });
    if (isFull) break;
  }
  return fitted;
}

function cutToBytes(line: string, maxBytes: number): string {
  let cut = line.slice(0, safeEnd(line, CODE_SIDE_CHARS));
  while (jsonBytes(cut) > maxBytes) cut = cut.slice(0, safeEnd(cut, Math.floor(cut.length / 2)));
  return cut;
}

/**
 * The first line of the right side that is known to differ from the left, 1-based; null when no difference is known. Up to
 * there both sides count lines alike, so known lines of the same number can be compared.
 */
export function firstDifference(left: KnownContent, right: KnownContent): number | null {
  if (left.kind === "unknown" || right.kind === "unknown") return null;
  if (right.kind === "absent") return null;
  if (left.kind === "absent") return 1;
  const known = new Map<number, string>();
  for (const range of rangesOf(left)) {
    for (const [at, line] of range.lines.entries()) known.set(range.startLine + at, line);
  }
  const leftTotal = totalLinesOf(left);
  const rightTotal = totalLinesOf(right);
  for (const range of rangesOf(right)) {
    for (const [at, line] of range.lines.entries()) {
      const number = range.startLine + at;
      const before = known.get(number);
      if (before === undefined ? leftTotal !== null && number > leftTotal : before !== line) return number;
    }
  }
  if (leftTotal !== null && rightTotal !== null && rightTotal < leftTotal) return Math.max(1, rightTotal);
  return null;
}

/** The blame of the lines that a side shows. */
export function clipBlame(runs: CodeView["blame"], side: Side): CodeView["blame"] {
  const clipped: CodeView["blame"] = [];
  for (const { startLine, text } of side.ranges) {
    const end = startLine + countLines(text);
    for (const run of runs) {
      const from = Math.max(run.startLine, startLine);
      const to = Math.min(run.startLine + run.lineCount, end);
      if (from < to) clipped.push({ ...run, startLine: from, lineCount: to - from });
    }
  }
  return clipped;
}
