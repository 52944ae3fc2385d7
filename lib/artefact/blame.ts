import { rangesOf, UNKNOWN } from "./known-content";
import type { BlameRun, FileVersion, KnownContent, Splice, StoredContent } from "./model";
import { decodeNext } from "./storage";

/** What blame needs of a version beside its stored content. */
export type BlameVersion = Pick<FileVersion, "turn" | "item" | "certainty"> & { operation: string };

/** Lines with one writer; the last run of a list may have no end. */
interface Run {
  count: number;
  turn: number | null;
  item: string | null;
  uncertain: boolean;
}

const INHERITED: Run = { count: Number.POSITIVE_INFINITY, turn: null, item: null, uncertain: false };
const UNCERTAIN: Run = { ...INHERITED, uncertain: true };

/**
 * For each known line of version `n`, who wrote it: a write of the run, nobody (it was there before) or, where the file
 * was not known in between, it cannot be said. Lines are followed through gaps by their numbers, so a line that is read
 * late still counts as inherited when only edits at known places came before.
 * @param versions all versions of the file from 0 to `n` at least
 * @param stored their contents as `encodeVersions` gives them, in the same order
 */
export function blame(versions: readonly BlameVersion[], stored: readonly StoredContent[], n: number): BlameRun[] {
  let runs: Run[] = [INHERITED];
  let content: KnownContent = UNKNOWN;
  for (const [index, version] of versions.slice(0, n + 1).entries()) {
    const one = stored[index];
    if (one === undefined) break;
    const before = content;
    content = decodeNext(before, one);
    runs = nextRuns(runs, before, content, version, one);
  }
  return knownRuns(runs, content);
}

function nextRuns(
  runs: Run[],
  before: KnownContent,
  content: KnownContent,
  version: BlameVersion,
  stored: StoredContent,
): Run[] {
  const writes = version.operation !== "observe" && version.operation !== "baseline";
  const writer = (count: number): Run =>
    writes ? { count, turn: version.turn, item: version.item, uncertain: false } : { ...UNCERTAIN, count };
  const splices = splicesOf(stored);
  if (content.kind === "absent") return [];
  if (splices !== null) return spliceRuns(runs, splices, writer);
  if (content.kind === "unknown") return [UNCERTAIN];
  if (!writes) return before.kind === "absent" ? [UNCERTAIN] : runs;
  const begins = version.operation === "create" || version.operation === "overwrite" || version.operation === "move";
  // An edit whose place is not known may have touched any line that cannot be seen, and moved the others.
  if (content.kind !== "whole" || (!begins && before.kind !== "absent")) return [UNCERTAIN];
  return [writer(Number.POSITIVE_INFINITY)];
}

function splicesOf(stored: StoredContent): Splice[] | null {
  return stored.kind === "absent" || stored.kind === "unknown" ? null : (stored.splices ?? null);
}

function spliceRuns(runs: readonly Run[], splices: readonly Splice[], writer: (count: number) => Run): Run[] {
  const out: Run[] = [];
  let rest = [...runs];
  let line = 0;
  for (const splice of splices) {
    const kept = take(rest, splice.at - line);
    out.push(...kept.head);
    rest = take(kept.tail, splice.remove).tail;
    if (splice.insert.length > 0) out.push(writer(splice.insert.length));
    line = splice.at + splice.remove;
  }
  return merge([...out, ...rest]);
}

/** The first lines of some runs, and the others. */
function take(runs: readonly Run[], count: number): { head: Run[]; tail: Run[] } {
  const head: Run[] = [];
  let left = count;
  for (const [index, run] of runs.entries()) {
    if (left <= 0) return { head, tail: runs.slice(index) };
    if (run.count > left) {
      head.push({ ...run, count: left });
      return { head, tail: [{ ...run, count: run.count - left }, ...runs.slice(index + 1)] };
    }
    head.push(run);
    left -= run.count;
  }
  return { head, tail: [] };
}

function merge(runs: readonly Run[]): Run[] {
  const out: Run[] = [];
  for (const run of runs) {
    const last = out.at(-1);
    if (last !== undefined && last.turn === run.turn && last.item === run.item && last.uncertain === run.uncertain) {
      out[out.length - 1] = { ...last, count: last.count + run.count };
    } else if (run.count > 0) {
      out.push(run);
    }
  }
  return out;
}

/** The runs cut to the lines that are known. */
function knownRuns(runs: readonly Run[], content: KnownContent): BlameRun[] {
  const out: BlameRun[] = [];
  for (const range of rangesOf(content)) {
    const { length } = range.lines;
    let startLine = range.startLine;
    const inside = take(take(runs, range.startLine - 1).tail, length).head;
    for (const { count, turn, item, uncertain } of inside) {
      out.push({ startLine, lineCount: count, turn, item, uncertain });
      startLine += count;
    }
    const missing = range.startLine + length - startLine;
    if (missing > 0) out.push({ startLine, lineCount: missing, turn: null, item: null, uncertain: true });
  }
  return out;
}
