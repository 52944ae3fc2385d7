import type { FileLedger } from "./file-ledger";
import type { HistoryBook } from "./history-book";
import { firstDisagreement } from "./known-content";
import type { KnownRange } from "./model";
import { knowsSome } from "./observation";
import { newSide, parsePatches } from "./patch";
import { isOneOfPatches } from "./standalone-patches";

/** Where a diff of the working tree stands in the trace; null for the patch that the run delivered. */
export interface Checkpoint {
  turn: number | null;
  item: string | null;
  /** How the diff is called in a message: `The diff of turn #4`. */
  name: string;
  /** The record may be one step behind: then agreeing with the version before is enough. */
  lags: boolean;
}

/**
 * Compares a git diff with what is known of the files that it names. Only known lines are compared; each file that
 * differs gives one conflict.
 */
export function checkPatch(book: HistoryBook, patch: string, checkpoint: Checkpoint): void {
  const files = parsePatches(patch) ?? [];
  if (checkpoint.turn === null && isOneOfPatches(book, files)) {
    book.checks.delivered.agreed += files.length;
    return;
  }
  for (const file of files) {
    const path = file.newPath ?? file.oldPath;
    if (path === null) continue;
    const ledger = book.find(path, book.root);
    if (ledger === null || ledger.versions.length === 0) {
      if (checkpoint.turn !== null) continue;
      book.checks.delivered.unknown += 1;
      if (file.hunks.length > 0)
        report(book, path, checkpoint, `${checkpoint.name} changes this file, but no write of the trace does.`);
      continue;
    }
    const ranges = newSide(file.hunks);
    const line = disagreementIn(ledger, ranges, file.newPath === null, checkpoint.lags);
    count(book, checkpoint, line, ledger.current.kind === "absent" || knowsSome(ledger.current, ranges));
    if (line === null) continue;
    const where = line === 0 ? "the file exists in one and not in the other" : `first in line ${line}`;
    report(book, ledger.path, checkpoint, `${checkpoint.name} shows other lines than the writes give: ${where}.`);
  }
}

function count(book: HistoryBook, { turn }: Checkpoint, line: number | null, isKnown: boolean): void {
  const { diff, delivered } = book.checks;
  if (line !== null) (turn === null ? delivered : diff).differed += 1;
  else if (isKnown) (turn === null ? delivered : diff).agreed += 1;
  else if (turn === null) delivered.unknown += 1;
}

function report(book: HistoryBook, path: string, { turn, item }: Checkpoint, message: string): void {
  book.conflicts.push({ path, turn, item, kind: "patch_differs_from_replay", message });
}

/** The first line that differs, 0 when the file is missing on one side only, null when they agree. */
function disagreementIn(ledger: FileLedger, ranges: KnownRange[], deleted: boolean, lags: boolean): number | null {
  const contents = [ledger.current];
  const before = ledger.versions.at(-2);
  if (lags && before !== undefined) contents.push(before.content);
  let worst: number | null = null;
  for (const content of contents) {
    const found = ranges.map((range) => firstDisagreement(content, range)).find((line) => line !== null) ?? null;
    const missing = content.kind === "absent" ? !deleted && ranges.length > 0 : deleted && content.kind === "whole";
    const line = missing ? 0 : found;
    if (line === null) return null;
    worst ??= line;
  }
  return worst;
}
