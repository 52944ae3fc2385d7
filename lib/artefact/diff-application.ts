import type { Applied, NotApplied } from "./effect";
import { applyChange, knownLines, totalAfter, totalLinesOf, wholeContent } from "./known-content";
import { diffLines } from "./line-diff";
import { splitLines } from "./lines";
import type { KnownContent, Splice } from "./model";
import type { Hunk } from "./patch";

/**
 * Applies the hunks of a diff as `git apply` and `patch` do when they succeed: each where it says that it stands, else
 * at the one place where it fits. Lines that are not known, places that are not the only ones and hunks that fit nowhere
 * (`patch` may still force them in) are not followed.
 */
export function applyDiff(content: KnownContent, hunks: readonly Hunk[]): Applied | NotApplied {
  if (content.kind === "whole") return applyWhole(content.text, hunks);
  if (content.kind === "absent") return unfollowed("the patch is for a file that is not there");
  const splices: Splice[] = [];
  for (const hunk of hunks) {
    const at = hunk.oldStart - 1;
    const old = hunk.oldLines.length === 0 ? null : knownLines(content, hunk.oldStart, hunk.oldLines.length);
    if (old === null || !sameLines(old, hunk.oldLines, 0))
      return unfollowed("the patch reaches lines that are not known");
    const isEnd = at + hunk.oldLines.length === totalLinesOf(content);
    if (!isEnd && hunk.newLines.at(-1)?.endsWith("\n") === false)
      return unfollowed("it is not told whether a line without an end comes last");
    splices.push(...diffLines(hunk.oldLines, hunk.newLines, at));
  }
  const change = { splices, learned: [], totalLines: totalAfter(totalLinesOf(content), splices) };
  return { ok: true, content: applyChange(content, change), change, note: null };
}

function unfollowed(reason: string): NotApplied {
  return { ok: false, contradicts: false, reason };
}

function applyWhole(text: string, hunks: readonly Hunk[]): Applied | NotApplied {
  let lines = splitLines(text);
  let delta = 0;
  let isExact = true;
  for (const hunk of hunks) {
    const { oldLines, newLines } = hunk;
    const expected = hunk.oldStart - 1 + delta;
    isExact = isExact && fits(lines, hunk, expected);
    const at = isExact ? expected : onlyPlace(lines, hunk);
    if (at === null) return unfollowed("the patch does not fit at one place only");
    lines = ended([...lines.slice(0, at), ...newLines, ...lines.slice(at + oldLines.length)]);
    delta += newLines.length - oldLines.length;
  }
  const joined = lines.join("");
  const change = { splices: diffLines(splitLines(text), splitLines(joined), 0), learned: [], totalLines: null };
  return { ok: true, content: wholeContent(joined), change, note: null };
}

/** `patch` ends a line that has no end when it puts another behind it. */
function ended(lines: readonly string[]): string[] {
  return lines.map((line, n) => (n === lines.length - 1 || line.endsWith("\n") ? line : `${line}\n`));
}

/** Whether a hunk stands at a line; one without lines around it on one side only belongs to that end of the file. */
function fits(lines: readonly string[], { oldLines, leading, trailing }: Hunk, at: number): boolean {
  if (at < 0 || at + oldLines.length > lines.length || !sameLines(lines, oldLines, at)) return false;
  if (trailing < leading && at + oldLines.length !== lines.length) return false;
  return trailing <= leading || at === 0;
}

function onlyPlace(lines: readonly string[], hunk: Hunk): number | null {
  const [first] = hunk.oldLines;
  if (first === undefined) return null;
  let found: number | null = null;
  for (let at = lines.indexOf(first); at !== -1; at = lines.indexOf(first, at + 1)) {
    if (!sameLines(lines, hunk.oldLines, at)) continue;
    if (found !== null || !fits(lines, hunk, at)) return null;
    found = at;
  }
  return found;
}

function sameLines(lines: readonly string[], wanted: readonly string[], at: number): boolean {
  return wanted.every((line, index) => lines[at + index] === line);
}
