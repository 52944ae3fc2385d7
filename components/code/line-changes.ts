import { diffArrays } from "diff";
import type { CodeView, Side } from "@/lib/views/code";
import { linesOf } from "./code-rows";

/** What changed between two sides, in line numbers of the right one. */
export interface LineChanges {
  added: ReadonlySet<number>;
  /** Lines of the left side that are gone, by the right line that they stood before. */
  removed: ReadonlyMap<number, { no: number; text: string }[]>;
}

/** Above these the plain view marks no changes: the editor compares, and a page must not wait. */
const LINES_MAX = 6_000;
const EDITS_MAX = 1_500;

interface Stretch {
  gap: number;
  startLine: number;
  lines: string[];
}

function stretches(side: Side): Stretch[] {
  let next = 1;
  return [...side.ranges]
    .sort((a, b) => a.startLine - b.startLine)
    .map((range) => {
      const lines = linesOf(range.text);
      const stretch = { gap: range.startLine - next, startLine: range.startLine, lines };
      next = range.startLine + lines.length;
      return stretch;
    });
}

/** True when something is known of both sides, and all of that is in this answer. */
function areHere(before: Side, after: Side): boolean {
  return [before, after].every((side) => side.kind !== "unknown" && side.omittedChars === 0);
}

/**
 * What changed between the sides of a view. Null when they cannot be compared, or when that would take too long. Where the
 * sides do not know the same parts, blame says what is new.
 */
export function changesOf(view: CodeView): LineChanges | null {
  const { before, after } = view;
  if (!areHere(before, after)) return null;
  return (
    lineChanges(before, after) ?? (view.omitted.blame > 0 ? null : blamedChanges(before, after, writtenLines(view)))
  );
}

/** The lines of the right side that were written since the left one, as far as it can be said who wrote them. */
function writtenLines({ blame, from, turn }: CodeView): Set<number> {
  const written = new Set<number>();
  for (const run of blame) {
    if (run.turn === null || run.uncertain || (from === "before" && run.turn < turn)) continue;
    for (let i = 0; i < run.lineCount && written.size <= LINES_MAX; i++) written.add(run.startLine + i);
  }
  return written;
}

/**
 * Compares sides of which the right one knows more: the answer to an edit shows the lines around it too. Lines that were
 * written are new; of the others the right side must hold every line of the left one, and what it does not hold is gone.
 * A line that is merely known now is neither. Null when a part of the left side has no counterpart.
 */
export function blamedChanges(before: Side, after: Side, written: ReadonlySet<number>): LineChanges | null {
  const left = stretches(before);
  const right = stretches(after);
  if ([...left, ...right].reduce((sum, each) => sum + each.lines.length, 0) > LINES_MAX) return null;
  const added = new Set<number>();
  const removed = new Map<number, { no: number; text: string }[]>();
  let next = 0;
  // How far lines have moved by what stands above the right stretch, and by what is gone inside it.
  let shift = 0;
  for (const to of right) {
    const end = to.startLine + to.lines.length;
    const numbered = to.lines.map((text, i) => ({ no: to.startLine + i, text }));
    const fresh = numbered.filter(({ no }) => written.has(no)).map(({ no }) => no);
    let kept = numbered.filter(({ no }) => !written.has(no));
    for (let each = left[next]; each !== undefined; each = left[++next]) {
      const place = placeAmong(fresh, each.startLine + shift);
      if (place >= end) break;
      if (place < to.startLine) return null;
      const lines = each.lines.map((text, i) => ({ no: (each?.startLine ?? 0) + i, text }));
      kept = kept.filter(({ no }) => no >= place);
      const parts = diffArrays(lines, kept, { maxEditLength: EDITS_MAX, comparator: (a, b) => a.text === b.text });
      if (parts === undefined) return null;
      let at = 0;
      for (const part of parts) {
        if (!part.removed) at += part.value.length;
        else {
          // Gone lines stand before what was written in their place.
          const above = kept[at - 1];
          const line = above === undefined ? place : above.no + 1;
          removed.set(line, [...(removed.get(line) ?? []), ...part.value]);
          shift -= part.value.length;
        }
      }
    }
    for (const no of fresh) added.add(no);
    shift += fresh.length;
  }
  return next < left.length ? null : { added, removed };
}

/** Where a line stands when the written lines above it are counted in. `fresh` is sorted. */
function placeAmong(fresh: readonly number[], line: number): number {
  let place = line;
  for (const no of fresh) {
    if (no >= place) break;
    place += 1;
  }
  return place;
}

/**
 * Compares the known lines of two sides. Stretches are compared only when both sides know the same number of them with
 * gaps of the same length between, so that a line is never called gone or new because it is merely not known.
 * Null when they cannot be compared, or when that would take too long.
 */
export function lineChanges(before: Side, after: Side): LineChanges | null {
  if (!areHere(before, after)) return null;
  const left = before.kind === "absent" ? [{ gap: 0, startLine: 1, lines: [] }] : stretches(before);
  const right = after.kind === "absent" ? [{ gap: 0, startLine: 1, lines: [] }] : stretches(after);
  if (before.kind === "whole" && left.length === 0) left.push({ gap: 0, startLine: 1, lines: [] });
  if (after.kind === "whole" && right.length === 0) right.push({ gap: 0, startLine: 1, lines: [] });
  if (left.length !== right.length || left.some((each, i) => each.gap !== right[i]?.gap)) return null;
  if ([...left, ...right].reduce((sum, each) => sum + each.lines.length, 0) > LINES_MAX) return null;
  const added = new Set<number>();
  const removed = new Map<number, { no: number; text: string }[]>();
  for (const [i, from] of left.entries()) {
    const to = right[i];
    if (!to) return null;
    const parts = diffArrays(from.lines, to.lines, { maxEditLength: EDITS_MAX });
    if (parts === undefined) return null;
    let leftLine = from.startLine;
    let rightLine = to.startLine;
    for (const part of parts) {
      if (part.added) {
        for (let k = 0; k < part.value.length; k++) added.add(rightLine++);
      } else if (part.removed) {
        const gone = part.value.map((text) => ({ no: leftLine++, text }));
        removed.set(rightLine, [...(removed.get(rightLine) ?? []), ...gone]);
      } else {
        leftLine += part.value.length;
        rightLine += part.value.length;
      }
    }
  }
  return { added, removed };
}
