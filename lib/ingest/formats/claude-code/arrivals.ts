import type { ThreadKey } from "./threads";

/** Something that became known, in the order of the file, with the time that its line states (NaN when it states none). */
export interface Stamp {
  target: { arrival: number };
  thread: ThreadKey;
  timeMs: number;
}

/**
 * Numbers everything in the order in which it became known. The file writes the lines of a sub-agent in one block, so
 * that sub-agents that ran side by side stand one after the other: times decide between threads. Within one thread the
 * order of the file stands, and a line without a time follows the line before it.
 */
export function orderArrivals(stamps: Stamp[]): void {
  const latest = new Map<ThreadKey, number>();
  let before = Number.NEGATIVE_INFINITY;
  const timed = stamps.map(({ target, thread, timeMs }, order) => {
    const known = latest.get(thread) ?? Number.NEGATIVE_INFINITY;
    const time = Number.isNaN(timeMs) ? Math.max(known, before) : Math.max(timeMs, known);
    latest.set(thread, time);
    before = time;
    return { target, time, order };
  });
  // One thread is in order already.
  if (latest.size > 1) timed.sort((a, b) => (a.time === b.time ? a.order - b.order : a.time - b.time));
  timed.forEach(({ target }, arrival) => {
    target.arrival = arrival;
  });
}
