import type { ThreadKey } from "./threads";

/** Something that became known, in the order of the file, with the time that its line states. */
export interface Stamp {
  target: { arrival: number };
  thread: ThreadKey;
  time: string | null;
}

/**
 * Numbers everything in the order in which it became known. The file writes the lines of a sub-agent in one block, so
 * that sub-agents that ran side by side stand one after the other: times decide between threads. Within one thread the
 * order of the file stands, and a line without a time follows the line before it.
 */
export function orderArrivals(stamps: Stamp[]): void {
  const latest = new Map<ThreadKey, number>();
  let before = Number.NEGATIVE_INFINITY;
  const timed = stamps.map((stamp, order) => {
    const stated = stamp.time === null ? Number.NaN : Date.parse(stamp.time);
    const known = latest.get(stamp.thread) ?? Number.NEGATIVE_INFINITY;
    const time = Number.isNaN(stated) ? Math.max(known, before) : Math.max(stated, known);
    latest.set(stamp.thread, time);
    before = time;
    return { stamp, time, order };
  });
  // One thread is in order already.
  if (latest.size > 1) timed.sort((a, b) => (a.time === b.time ? a.order - b.order : a.time - b.time));
  timed.forEach(({ stamp }, arrival) => {
    stamp.target.arrival = arrival;
  });
}
