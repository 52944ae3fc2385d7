import { rangesOf, totalLinesOf } from "./known-content";
import { diffLines } from "./line-diff";
import { countNewlines, lineStart, splitLines } from "./lines";
import type { KnownContent, Splice } from "./model";

/** A piece of known text: the line it starts at (0-based) and whether the file is known to end with it. */
interface Segment {
  line: number;
  text: string;
  isEnd: boolean;
}

/** Occurrences of a text inside what is known. */
export interface Occurrences {
  count: number;
  splices: Splice[];
}

/**
 * Looks for `before` inside each known range, never across a gap, and says which lines change when every occurrence
 * becomes `after`. `limit` stops the search: 2 is enough to know that a text is not unique.
 */
export function replaceInKnown(content: KnownContent, before: string, after: string, limit: number): Occurrences {
  const splices: Splice[] = [];
  let count = 0;
  if (before === "") return { count, splices };
  for (const segment of segmentsOf(content)) {
    const places = placesOf(segment.text, before, limit - count);
    count += places.length;
    splices.push(...splicesAt(segment, places, before.length, after));
    if (count >= limit) break;
  }
  return { count, splices };
}

function segmentsOf(content: KnownContent): Segment[] {
  if (content.kind === "whole") return [{ line: 0, text: content.text, isEnd: true }];
  const total = totalLinesOf(content);
  return rangesOf(content).map((range) => ({
    line: range.startLine - 1,
    text: range.lines.join(""),
    isEnd: total !== null && range.startLine + range.lines.length - 1 >= total,
  }));
}

function placesOf(text: string, before: string, limit: number): number[] {
  const places: number[] = [];
  let at = text.indexOf(before);
  while (at !== -1 && places.length < limit) {
    places.push(at);
    at = text.indexOf(before, at + before.length);
  }
  return places;
}

function splicesAt(segment: Segment, places: readonly number[], length: number, after: string): Splice[] {
  const { text } = segment;
  const splices: Splice[] = [];
  let line = segment.line;
  let counted = 0;
  let next = 0;
  while (next < places.length) {
    const first = places[next] ?? 0;
    const start = lineStart(text, first);
    let fresh = "";
    let copied = start;
    let end = start;
    // A replacement may swallow the end of its last line and so change the next line too, where another may stand.
    do {
      const place = places[next] ?? 0;
      fresh += text.slice(copied, place) + after;
      copied = place + length;
      next += 1;
      end = lineEnd(text, copied, fresh);
    } while (next < places.length && (places[next] ?? 0) < end);
    fresh += text.slice(copied, end);
    line += countNewlines(text, counted, start);
    counted = start;
    const removed = splitLines(text.slice(start, end));
    const insert = splitLines(fresh);
    // The last line now runs on into a line that is not known: the known part of it cannot be told as a line.
    if (end === text.length && !segment.isEnd && insert.length > 0 && !fresh.endsWith("\n")) insert.pop();
    splices.push(...diffLines(removed, insert, line));
  }
  return splices;
}

/** Where the changed lines end: at a line's end in the old text, and so that the new text ends a line too. */
function lineEnd(text: string, from: number, fresh: string): number {
  const atLineEnd = (at: number): boolean => at === 0 || text.charCodeAt(at - 1) === 10;
  if (atLineEnd(from) && (fresh === "" || fresh.endsWith("\n"))) return from;
  const newline = text.indexOf("\n", from);
  return newline === -1 ? text.length : newline + 1;
}
