import type { RecordedFile } from "@/lib/trajectory/schema";
import { wholeChange } from "./effect-application";
import type { FileLedger } from "./file-ledger";
import type { HistoryBook } from "./history-book";
import { ABSENT, sameContent, wholeContent } from "./known-content";
import type { ContentChange, KnownContent } from "./model";
import type { Place } from "./observation";
import { applyHunks, parsePatches } from "./patch";

/** The content after a write as the trace recorded it. `exact` is false when line endings come from a patch. */
export interface RecordedAfter {
  content: KnownContent;
  change: ContentChange | null;
  exact: boolean;
}

/**
 * Takes the content before a write into the history where the trace recorded it. It counts more than what was replayed;
 * a difference is a conflict.
 */
export function takeRecordedBefore(book: HistoryBook, ledger: FileLedger, record: RecordedFile, place: Place): void {
  const before = record.before !== null ? wholeContent(record.before) : record.existedBefore === false ? ABSENT : null;
  if (before === null) return;
  const { current } = ledger;
  if (sameContent(current, before)) {
    if (ledger.written) book.checks.recorded.agreed += 1;
    return;
  }
  if (before.kind === "absent" && current.kind === "unknown") {
    ledger.current = ABSENT;
    return;
  }
  if (current.kind === "whole" || (current.kind === "absent" && ledger.versions.length > 0)) {
    const given = !ledger.written && ledger.versions.some((version) => version.operation === "baseline");
    const kind = given ? ("baseline_differs_from_read" as const) : ("replay_differs_from_record" as const);
    const message = `Before turn #${place.turn + 1} wrote, the file was not what was known of it: the trace recorded another content.`;
    book.conflicts.push({ path: ledger.path, turn: place.turn, item: place.item, kind, message });
    book.checks.recorded.differed += 1;
  }
  const change = wholeChange(current, before);
  const version = { ...place, operation: "observe" as const, certainty: "recorded" as const, note: null };
  ledger.add(version, before, change);
}

/** The content after a write out of its record, from the content before; null when the record does not tell it. */
export function recordedAfter(before: KnownContent, record: RecordedFile): RecordedAfter | null {
  if (record.after !== null) {
    const content = wholeContent(record.after);
    return { content, change: wholeChange(before, content), exact: true };
  }
  if (record.patch === null || record.patch.trim() === "") return null;
  const [file, ...others] = parsePatches(record.patch) ?? [];
  if (file === undefined || others.length > 0 || file.hunks.length === 0) return null;
  const applied = applyHunks(before, file.hunks);
  return applied === null ? null : { ...applied, exact: false };
}
