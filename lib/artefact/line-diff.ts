import { diffArrays } from "diff";
import type { Splice } from "./model";

/**
 * Edits above this number end the search for a shortest diff and give one splice for the whole middle. It bounds the
 * work at about this number times the lines: 300 edits in 5,000 lines cost some milliseconds.
 */
const MAX_EDITS = 300;

/**
 * Splices that turn `before` into `after`, in the coordinates of `before` plus `offset`, in order. Empty when they are
 * equal. Never hangs: what is too different becomes one splice.
 */
export function diffLines(before: readonly string[], after: readonly string[], offset = 0): Splice[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const old = before.slice(head, before.length - tail);
  const fresh = after.slice(head, after.length - tail);
  if (old.length === 0 && fresh.length === 0) return [];
  const whole = { at: offset + head, remove: old.length, insert: fresh };
  if (old.length <= 1 || fresh.length <= 1) return [whole];
  const parts = diffArrays(old, fresh, { maxEditLength: MAX_EDITS });
  return parts === undefined ? [whole] : splicesOf(parts, offset + head);
}

interface Part {
  value: string[];
  added?: boolean;
  removed?: boolean;
}

function splicesOf(parts: Part[], start: number): Splice[] {
  const splices: Splice[] = [];
  let at = start;
  let open: Splice | null = null;
  for (const part of parts) {
    if (!part.added && !part.removed) {
      at += part.value.length;
      open = null;
      continue;
    }
    if (open === null) {
      open = { at, remove: 0, insert: [] };
      splices.push(open);
    }
    if (part.added) {
      open.insert.push(...part.value);
    } else {
      open.remove += part.value.length;
      at += part.value.length;
    }
  }
  return splices;
}
