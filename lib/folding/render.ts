import type { PartsFold } from "./shape";

/** What stands in place of an observation that the paper's rule folds; its own words are "Folded, please invoke API to view the full context". */
export const PAPER_PLACEHOLDER = "[Folded. Call view_observation with this step to read it.]";

/** A folded stretch between two kept parts. */
export interface FoldedGap {
  start: number;
  end: number;
  /** 1-based lines, both inclusive; equal when it lies inside one line. */
  firstLine: number;
  lastLine: number;
  /** Line breaks in it: how many lines are folded. 0 inside one long line. */
  lines: number;
}

/** What is folded: the stretches between the parts that stay, in order. */
export function gapsOf(fold: PartsFold): FoldedGap[] {
  return fold.kept.slice(1).map((next, i) => {
    const previous = fold.kept[i] ?? next;
    const lines = next.line - previous.lineAfter;
    const lastLine = Math.max(previous.lineAfter, next.line - 1);
    return { start: previous.end, end: next.start, firstLine: previous.lineAfter, lastLine, lines };
  });
}

/** The placeholders of an observation in order, each a line of its own without its line break. */
export function placeholdersOf(fold: PartsFold, item: string): string[] {
  return gapsOf(fold).map((gap) => {
    const lines = `${gap.lines} ${gap.lines === 1 ? "line" : "lines"}, ${gap.firstLine} to ${gap.lastLine}`;
    const what = gap.lines === 0 ? `a part of line ${gap.firstLine}` : lines;
    return `[Folded: ${what}, ${gap.end - gap.start} characters. Call view_observation with ${item} to read them.]`;
  });
}

/**
 * An observation as the investigator gets it: the parts that stay, word for word, and a placeholder in a line of its own
 * for each folded stretch, which says how much it is and how to get it.
 */
export function renderParts(text: string, fold: PartsFold, item: string): string {
  const placeholders = placeholdersOf(fold, item);
  let rendered = "";
  fold.kept.forEach((range, i) => {
    rendered += text.slice(range.start, range.end);
    const placeholder = placeholders[i];
    if (placeholder === undefined) return;
    rendered += `${rendered.endsWith("\n") ? "" : "\n"}${placeholder}\n`;
  });
  return rendered;
}
