import type { ReadFile } from "@/lib/trajectory/schema";
import type { FileLedger } from "./file-ledger";
import type { HistoryBook } from "./history-book";
import {
  applyChange,
  firstDisagreement,
  overlay,
  partialContent,
  totalLinesOf,
  unknownPart,
  wholeContent,
} from "./known-content";
import { splitLines } from "./lines";
import type { Certainty, ContentChange, KnownContent, KnownRange } from "./model";

/** Where in the trace something was seen or written. */
export interface Place {
  turn: number;
  item: string;
  arrival: number;
}

/** Lines that a result shows, as a range; null when it shows none. A cut range ends its lines, the file's last may not. */
export function rangeOfRead(read: ReadFile): KnownRange | null {
  const lines = splitLines(read.text);
  const last = lines.at(-1);
  if (last === undefined) return null;
  if (!read.whole && !last.endsWith("\n")) lines[lines.length - 1] = `${last}\n`;
  return { startLine: read.startLine, lines };
}

/**
 * Takes what a result shows of a file into its history: nothing when it was known, one version when it tells more, and a
 * conflict when it differs, after which only what was read is known.
 */
export function observeReads(book: HistoryBook, ledger: FileLedger, reads: readonly ReadFile[], place: Place): void {
  const whole = reads.find((read) => read.whole);
  const ranges = (whole === undefined ? reads : [whole]).flatMap((read) => rangeOfRead(read) ?? []);
  const total = whole === undefined ? (reads.find((read) => read.totalLines !== null)?.totalLines ?? null) : null;
  const seen = whole === undefined ? partialContent(overlay([], ranges), total) : wholeContent(whole.text);
  if (seen.kind === "unknown") return;
  const { current } = ledger;
  const version = { ...place, operation: "observe" as const, certainty: certaintyOf(seen), note: null };
  const line = disagreement(current, seen, ranges);
  if (line !== null) {
    reportDisagreement(book, ledger, line, place);
    book.checks.read.differed += 1;
    ledger.add({ ...version, note: "this read differs from what was known before" }, seen, null);
    return;
  }
  if (knowsSome(current, ranges)) book.checks.read.agreed += 1;
  if (current.kind === "whole") return;
  if (seen.kind === "whole") {
    ledger.add(version, seen, null);
    return;
  }
  const change = learn(current, ranges, total);
  if (change === null) return;
  const next = applyChange(current, change);
  // A length that contradicts the lines tells nothing.
  if (change.learned.length === 0 && totalLinesOf(next) === totalLinesOf(current)) return;
  ledger.add(version, next, ledger.versions.length === 0 ? null : change);
}

/** Whether one of these lines was known before. */
export function knowsSome(current: KnownContent, ranges: readonly KnownRange[]): boolean {
  const count = (parts: readonly KnownRange[]): number => parts.reduce((sum, { lines }) => sum + lines.length, 0);
  return ranges.some((range) => count(unknownPart(current, range)) < range.lines.length);
}

/** The first line in which what is seen differs from what is known, 0 when the file was not to exist, null when none. */
function disagreement(current: KnownContent, seen: KnownContent, ranges: readonly KnownRange[]): number | null {
  if (current.kind === "absent") return 0;
  for (const range of ranges) {
    const line = firstDisagreement(current, range);
    if (line !== null) return line;
  }
  if (current.kind !== "whole" || seen.kind !== "whole") return null;
  const known = totalLinesOf(current) ?? 0;
  const read = totalLinesOf(seen) ?? 0;
  return known === read ? null : Math.min(known, read) + 1;
}

function certaintyOf(seen: KnownContent): Certainty {
  return seen.kind === "whole" ? "recorded" : "partial";
}

/** What ranges tell beyond what is known; null when they tell nothing new. */
export function learn(
  current: KnownContent,
  ranges: readonly KnownRange[],
  total: number | null,
): ContentChange | null {
  if (current.kind === "whole") return null;
  const learned = ranges.flatMap((range) => unknownPart(current, range));
  const known = totalLinesOf(current);
  if (learned.length === 0 && (total === null || total === known)) return null;
  return { splices: [], learned, totalLines: total ?? known };
}

function reportDisagreement(book: HistoryBook, ledger: FileLedger, line: number, place: Place): void {
  const where = line === 0 ? ": it was not to exist" : `, first in line ${line}`;
  const message = ledger.written
    ? `What turn #${place.turn + 1} reads differs from what the writes before it give${where}.`
    : `What turn #${place.turn + 1} reads differs from the file as it was known before the run${where}.`;
  const given = !ledger.written && ledger.versions.some((version) => version.operation === "baseline");
  const kind = given ? ("baseline_differs_from_read" as const) : ("replay_differs_from_record" as const);
  book.conflicts.push({ path: ledger.path, turn: place.turn, item: place.item, kind, message });
}
