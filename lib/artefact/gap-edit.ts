import { partialContent, rangesOf, totalLinesOf } from "./known-content";
import { countLines, countNewlines, lineStart, splitLines } from "./lines";
import type { KnownContent, KnownRange, Splice } from "./model";

/**
 * What stays known after one text was replaced by another somewhere in the unknown lines. Lines that the text may have
 * reached into are dropped; lines after the last place where it can stand move; lines between two such places are
 * dropped unless the number of lines is the same.
 */
export function editInGap(content: KnownContent, before: string, after: string): KnownContent {
  const total = totalLinesOf(content);
  const delta = countNewlines(after, 0, after.length) - countNewlines(before, 0, before.length);
  const ranges = rangesOf(content).map((range) => trimReached(range, before));
  const need = countLines(before);
  const gaps: number[] = [];
  let next = 1;
  for (const [index, range] of ranges.entries()) {
    if (range.startLine - next >= need) gaps.push(index);
    next = range.startLine + range.lines.length;
  }
  if (total === null || total + 1 - next >= need) gaps.push(ranges.length);
  const first = gaps[0];
  const last = gaps.at(-1);
  if (first === undefined || last === undefined) return { kind: "unknown" };
  const kept = ranges.flatMap((range, index) => {
    if (index < first) return [range];
    if (index >= last) return [{ startLine: range.startLine + delta, lines: range.lines }];
    return delta === 0 ? [range] : [];
  });
  return partialContent(kept, total === null ? null : total + delta);
}

/** A range without the lines at its ends in which an occurrence of the text may begin or end. */
function trimReached(range: KnownRange, text: string): KnownRange {
  const known = range.lines.join("");
  const tail = overlapLength(text, known);
  const head = overlapLength(reverse(text), reverse(known));
  const cutTail = tail === 0 ? 0 : countLines(known.slice(known.length - tail));
  const cutHead = head === 0 ? 0 : countLines(known.slice(0, head));
  const end = Math.max(cutHead, range.lines.length - cutTail);
  return { startLine: range.startLine + cutHead, lines: range.lines.slice(cutHead, end) };
}

/** The length of the longest proper start of `text` with which `known` ends (Knuth, Morris and Pratt). */
function overlapLength(text: string, known: string): number {
  const end = known.slice(-(text.length - 1 || 1));
  if (text.length < 2) return 0;
  const fallback: number[] = [0];
  let matched = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (matched > 0 && text[at] !== text[matched]) matched = fallback[matched - 1] ?? 0;
    if (text[at] === text[matched]) matched += 1;
    fallback.push(matched);
  }
  matched = 0;
  for (const character of end.split("")) {
    while (matched > 0 && (matched === text.length || text[matched] !== character))
      matched = fallback[matched - 1] ?? 0;
    if (text[matched] === character) matched += 1;
  }
  return matched;
}

function reverse(text: string): string {
  return text.split("").reverse().join("");
}

/**
 * The splice of an edit whose new text stands once in the lines that the tool's answer shows; null when it does not, or
 * when nothing was put in.
 */
export function locateInSnippets(snippets: readonly KnownRange[], before: string, after: string): Splice | null {
  if (after.trim() === "") return null;
  for (const snippet of snippets) {
    const text = snippet.lines.join("");
    const place = text.indexOf(after);
    if (place === -1 || text.indexOf(after, place + 1) !== -1) continue;
    const wholeLines = after.endsWith("\n") && before.endsWith("\n");
    const start = lineStart(text, place);
    const stop = wholeLines ? place + after.length : endOfLine(text, place + after.length);
    const removed = countNewlines(before, 0, before.length) + (wholeLines ? 0 : 1);
    const at = snippet.startLine - 1 + countNewlines(text, 0, start);
    return { at, remove: removed, insert: splitLines(text.slice(start, stop)) };
  }
  return null;
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  return newline === -1 ? text.length : newline + 1;
}
