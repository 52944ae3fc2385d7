import { applyChange, UNKNOWN, wholeContent } from "./known-content";
import { diffLines } from "./line-diff";
import { splitLines } from "./lines";
import type { ContentChange, FileVersion, KnownContent, StoredContent } from "./model";

/**
 * How the versions of one file are kept: whole (or all that is known) at first and whenever the splices since then
 * outweigh it, otherwise as splices. Reading a version so costs about two texts, and 2,000 edits of a 200 kB file cost
 * about what the edits cost.
 */
export function encodeVersions(versions: readonly FileVersion[]): StoredContent[] {
  const stored: StoredContent[] = [];
  let keptChars = 0;
  let splicedChars = 0;
  let before: FileVersion | null = null;
  for (const version of versions) {
    const change = version.change ?? changeBetween(before, version);
    const chars = change === null ? 0 : JSON.stringify(change).length;
    if (change !== null && keptChars > 0 && splicedChars + chars <= keptChars) {
      splicedChars += chars;
      stored.push(storeChange(change));
    } else {
      const kept = storeContent(version.content, change);
      stored.push(kept);
      keptChars = kept.kind === "keyframe" || kept.kind === "partial" ? Math.max(1, sizeOf(kept)) : 0;
      splicedChars = 0;
    }
    before = version;
  }
  return stored;
}

/** The change between two whole versions that were made without one; null when there is nothing to build on. */
function changeBetween(before: FileVersion | null, version: FileVersion): ContentChange | null {
  if (before?.content.kind !== "whole" || version.content.kind !== "whole") return null;
  const splices = diffLines(splitLines(before.content.text), splitLines(version.content.text));
  return { splices, learned: [], totalLines: null };
}

function storeChange(change: ContentChange): StoredContent {
  const stored: StoredContent = { kind: "splices", splices: change.splices };
  if (change.learned.length > 0) stored.learned = change.learned;
  if (change.totalLines !== null) stored.totalLines = change.totalLines;
  return stored;
}

function storeContent(content: KnownContent, change: ContentChange | null): StoredContent {
  const splices = change === null ? {} : { splices: change.splices };
  if (content.kind === "whole") return { kind: "keyframe", text: content.text, ...splices };
  if (content.kind !== "partial") return content.kind === "absent" ? { kind: "absent" } : { kind: "unknown" };
  return { kind: "partial", ranges: content.ranges, totalLines: content.totalLines, ...splices };
}

function sizeOf(kept: StoredContent): number {
  if (kept.kind === "keyframe") return kept.text.length;
  if (kept.kind !== "partial") return 0;
  return kept.ranges.reduce((sum, range) => sum + range.lines.reduce((chars, line) => chars + line.length, 0), 0);
}

/**
 * The content of version `n`. `stored` is either the whole list from version 0, or the rows that end at `n` and begin at
 * the last one that stands on its own (anything but `splices`).
 */
export function decodeVersion(stored: readonly StoredContent[], n: number): KnownContent {
  const last = stored.length > n ? n : stored.length - 1;
  let first = last;
  while (first > 0 && stored[first]?.kind === "splices") first -= 1;
  let content: KnownContent = UNKNOWN;
  for (let index = first; index <= last; index += 1) {
    const one = stored[index];
    if (one !== undefined) content = decodeNext(content, one);
  }
  return content;
}

/** The content of a version from the one before it and its stored form. */
export function decodeNext(before: KnownContent, stored: StoredContent): KnownContent {
  switch (stored.kind) {
    case "absent":
      return { kind: "absent" };
    case "unknown":
      return UNKNOWN;
    case "keyframe":
      return wholeContent(stored.text);
    case "partial":
      return { kind: "partial", ranges: stored.ranges, totalLines: stored.totalLines };
    case "splices":
      return applyChange(before, {
        splices: stored.splices,
        learned: stored.learned ?? [],
        totalLines: stored.totalLines ?? null,
      });
  }
}
