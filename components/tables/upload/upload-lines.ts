import type { ListPage, TrajectoryRow } from "@/lib/views/trajectory-list";
import type { UploadEntry } from "./upload-queue";

/** The uploads that need a line of their own: not those that the list itself shows by now. */
export function notYetListed(entries: readonly UploadEntry[], page: ListPage): UploadEntry[] {
  const listed = new Set([...page.pinned, ...page.rows].map((row) => row.id));
  return entries.filter(({ state }) => !(state.kind === "stored" && !state.duplicate && listed.has(state.id)));
}

/**
 * Whether a row of the server is the same file as an upload whose answer has not come back yet. The row exists a moment
 * before the answer, and one file should not stand in two lines. There is nothing but name and size to tell by.
 */
export function isStillArriving(row: TrajectoryRow, entries: readonly UploadEntry[]): boolean {
  return entries.some(
    ({ name, sizeBytes, state }) =>
      state.kind === "sending" && state.sentBytes >= sizeBytes && name === row.name && sizeBytes === row.sizeBytes,
  );
}
