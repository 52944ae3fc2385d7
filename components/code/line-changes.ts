import { diffArrays } from "diff";
import type { Side } from "@/lib/views/code";
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

/**
 * Compares the known lines of two sides. Stretches are compared only when both sides know the same number of them with
 * gaps of the same length between, so that a line is never called gone or new because it is merely not known.
 * Null when they cannot be compared, or when that would take too long.
 */
export function lineChanges(before: Side, after: Side): LineChanges | null {
  if (before.kind === "unknown" || after.kind === "unknown") return null;
  if (before.omittedChars > 0 || after.omittedChars > 0) return null;
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
