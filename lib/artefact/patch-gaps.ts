import type { Applied, NotApplied } from "./effect";
import { spliced } from "./effect-application";
import { partialContent, rangesOf, totalLinesOf } from "./known-content";
import { diffLines } from "./line-diff";
import { firstRun } from "./line-search";
import { stripEnding } from "./lines";
import type { KnownContent, KnownRange, Splice } from "./model";
import type { PatchChunk } from "./patch-grammar";

/** Longer runs of lines are not compared with the edges of gaps. */
const EDGE_LINES = 400;

/** Where a run of lines stands: at one place, or somewhere from a line on, before a place that is known to fit. */
type Place = { at: number } | { from: number; until: number | null };

/**
 * Applies the chunks of a patch to what is known of a file. A chunk's place is certain when its lines stand in known
 * lines exactly, and nowhere before them the unknown lines could hold them too: the tool takes the first place that
 * fits. From the first chunk of which that cannot be told, only what stands before any place that it may have is known.
 */
export function patchPartial(content: KnownContent, chunks: readonly PatchChunk[]): Applied | NotApplied {
  const known = new KnownLines(content);
  if (known.hasCarriageReturns) {
    return {
      ok: false,
      contradicts: false,
      reason: "versions of the tool leave different ends of lines in such a file",
    };
  }
  const splices: Splice[] = [];
  let from = 0;
  for (const [n, chunk] of chunks.entries()) {
    const place = placeOfChunk(known, chunk, from);
    if ("at" in place) {
      const fresh = chunk.after.map((line) => `${line}\n`);
      const old = known.lines(place.at, chunk.before.length);
      splices.push(...diffLines(old, fresh, place.at));
      from = place.at + chunk.before.length;
      continue;
    }
    const rest = chunks.slice(n + 1);
    // What follows is looked for from here on, or at the end.
    const lowest = Math.min(place.from, ...rest.map((one) => lowestOf(known, one, from)));
    return beforePlace(content, splices, { ...place, from: lowest }, rest.length === 0 ? chunk : null);
  }
  const after = spliced(content, splices);
  return isEndTold(after.content) ? after : { ...after, content: withoutEnd(after.content), change: null };
}

function placeOfChunk(known: KnownLines, chunk: PatchChunk, start: number): Place {
  let from = start;
  for (const context of chunk.contexts) {
    const place = known.place([context], from);
    if (!("at" in place)) return { from: Math.min(place.from, lowestOf(known, chunk, place.from)), until: null };
    from = place.at + 1;
  }
  // The end of the file and lines without a place are told by lines that may not be known.
  if (chunk.atEnd || chunk.before.length === 0) return { from: lowestOf(known, chunk, from), until: null };
  return known.place(chunk.before, from);
}

/** The first line that a chunk may change when it is looked for from a line on. */
function lowestOf(known: KnownLines, chunk: PatchChunk, from: number): number {
  if (chunk.before.length === 0) return Math.max(0, known.length - 1);
  const atEnd = chunk.atEnd ? Math.max(0, known.length - chunk.before.length) : from;
  // One empty line that is not there is no line at all: what takes its place comes where the search began.
  return chunk.before.length === 1 && chunk.before[0] === "" ? Math.min(from, atEnd) : atEnd;
}

/** What is left when a chunk changed some place: the lines before all that it may be, and those behind the last one. */
function beforePlace(
  content: KnownContent,
  splices: Splice[],
  place: { from: number; until: number | null },
  chunk: PatchChunk | null,
): Applied {
  // A change before it that reaches into what it may be is not told either.
  let from = place.from;
  for (const splice of splices.toReversed()) if (splice.at + splice.remove > from) from = Math.min(from, splice.at);
  const earlier = splices.filter((splice) => splice.at + splice.remove <= from && splice.at < from);
  const upTo = spliced(content, earlier).content;
  const moved = earlier.reduce((sum, splice) => sum + splice.insert.length - splice.remove, 0);
  const delta = chunk === null ? 0 : chunk.after.length - chunk.before.length;
  const end = chunk === null || place.until === null ? null : place.until + chunk.before.length + moved;
  const ranges = rangesOf(upTo).flatMap((range): KnownRange[] => {
    const first = Math.max(0, from + moved - (range.startLine - 1));
    const kept = { startLine: range.startLine, lines: range.lines.slice(0, first) };
    if (end === null) return [kept];
    const skipped = Math.max(0, end - (range.startLine - 1));
    return [kept, { startLine: range.startLine + skipped + delta, lines: range.lines.slice(skipped) }];
  });
  const note = "the patch changed lines that are not known";
  return { ok: true, content: partialContent(ranges, null), change: null, note };
}

/** Whether the last line is known and not empty: an empty one is dropped by some versions of the tool. */
function isEndTold(content: KnownContent): boolean {
  const total = totalLinesOf(content);
  const last = rangesOf(content).at(-1);
  if (total === null || last === undefined) return total === null;
  const line = last.lines.at(-1) ?? "";
  return last.startLine + last.lines.length - 1 === total && line.endsWith("\n") && stripEnding(line) !== "";
}

/** What is known without the length, and without an end that the tool may have changed. */
function withoutEnd(content: KnownContent): KnownContent {
  const total = totalLinesOf(content);
  const ranges = rangesOf(content).map((range) => {
    const isEnd = range.startLine + range.lines.length - 1 === total;
    return isEnd ? { ...range, lines: range.lines.slice(0, -1) } : range;
  });
  return partialContent(ranges, null);
}

/** The known lines of a file, without their endings, by 0-based numbers. */
class KnownLines {
  private readonly ranges: { at: number; raw: readonly string[]; lines: readonly string[] }[];

  constructor(content: KnownContent) {
    this.ranges = rangesOf(content).map(({ startLine, lines }) => ({
      at: startLine - 1,
      raw: lines,
      lines: lines.map(stripEnding),
    }));
  }

  /** How many lines the file has at least. */
  get length(): number {
    const last = this.ranges.at(-1);
    return last === undefined ? 0 : last.at + last.lines.length;
  }

  get hasCarriageReturns(): boolean {
    return this.ranges.some(({ raw }) => raw.some((line) => line.endsWith("\r\n")));
  }

  /** Known lines with their endings, as they stand. */
  lines(at: number, count: number): string[] {
    const range = this.ranges.find((one) => one.at <= at && at + count <= one.at + one.raw.length);
    return range === undefined ? [] : range.raw.slice(at - range.at, at - range.at + count);
  }

  /** Where a run first stands at or after `from`, as far as that is certain. */
  place(run: readonly string[], from: number): Place {
    let next = from;
    let possible: number | null = null;
    for (const range of this.ranges) {
      const end = range.at + range.lines.length;
      if (end <= next) continue;
      possible ??= this.firstInGap(run, next, range.at);
      const found = firstRun(range.lines, run, Math.max(0, next - range.at));
      if (found !== null) {
        const at = range.at + found;
        possible ??= this.firstAtEdge(run, Math.max(next, range.at - run.length + 1), Math.min(at, range.at));
        return possible === null ? { at } : { from: possible, until: at };
      }
      possible ??= this.firstAtEdge(run, Math.max(next, range.at - run.length + 1), range.at);
      possible ??= this.firstAtEdge(run, Math.max(next, end - run.length + 1), end);
      next = Math.max(next, end);
    }
    // No known line holds it exactly: a line that differs in its blanks may be meant, anywhere.
    return { from, until: null };
  }

  /** The gap before a range holds the run when it is long enough. */
  private firstInGap(run: readonly string[], from: number, end: number): number | null {
    return end - from >= run.length ? from : null;
  }

  /** The first of some places at which no known line speaks against the run. */
  private firstAtEdge(run: readonly string[], from: number, until: number): number | null {
    if (from < until && run.length > EDGE_LINES) return from;
    for (let at = from; at < until; at += 1) if (this.isPossible(run, at)) return at;
    return null;
  }

  private isPossible(run: readonly string[], at: number): boolean {
    return this.ranges.every((range) => {
      const first = Math.max(at, range.at);
      const last = Math.min(at + run.length, range.at + range.lines.length);
      for (let n = first; n < last; n += 1) if (range.lines[n - range.at] !== run[n - at]) return false;
      return true;
    });
  }
}
