import { wholeChange } from "./effect-application";
import type { FileLedger } from "./file-ledger";
import type { HistoryBook } from "./history-book";
import { firstDisagreement, sameContent } from "./known-content";
import type { Write } from "./model";
import { knowsSome, type Place } from "./observation";
import { type FilePatch, newSide } from "./patch";

/**
 * Takes every file that was written back to what it held before the run: before each of its patches (W12) AutoCodeRover
 * cleans the working tree, so that no patch stands on an earlier one. Files of the same call stay as they are.
 */
export function takeTreeBack(book: HistoryBook, place: Place): void {
  for (const ledger of book.all()) {
    const { base, current } = ledger;
    if (!ledger.written || ledger.versions.at(-1)?.item === place.item || sameContent(base, current)) continue;
    const certainty = base.kind === "partial" || base.kind === "unknown" ? base.kind : ("replayed" as const);
    const note = "before each patch the tree goes back to the commit that the run began with";
    ledger.add({ ...place, operation: "observe", certainty, note }, base, wholeChange(current, base));
  }
}

/** Whether a patch is what one call gave whose patches stand alone; the run may have delivered another than its last. */
export function isOneOfPatches(book: HistoryBook, files: readonly FilePatch[]): boolean {
  const calls = new Map<string, Write[]>();
  for (const write of book.writes) {
    if (write.grammar !== "W12") continue;
    calls.set(write.item, [...(calls.get(write.item) ?? []), write]);
  }
  const named = files.map((file) => ({ file, ledger: ledgerOf(book, file) }));
  return [...calls.values()].some((writes) => {
    const isWhole = files.length > 0 && writes.length === files.length;
    return isWhole && named.every(({ file, ledger }) => ledger !== null && gave(writes, ledger, file));
  });
}

function ledgerOf(book: HistoryBook, { newPath, oldPath }: FilePatch): FileLedger | null {
  const path = newPath ?? oldPath;
  return path === null ? null : book.find(path, book.root);
}

function gave(writes: readonly Write[], ledger: FileLedger, { hunks }: FilePatch): boolean {
  const write = writes.find(({ path }) => path === ledger.path);
  const content = ledger.versions[write?.versionAfter ?? -1]?.content;
  const ranges = newSide(hunks);
  if (content === undefined || !knowsSome(content, ranges)) return false;
  return ranges.every((range) => firstDisagreement(content, range) === null);
}
