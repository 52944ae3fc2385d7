import { parsePatch } from "diff";
import { applyChange, knownLines, totalAfter, totalLinesOf } from "./known-content";
import { diffLines } from "./line-diff";
import { sameLine } from "./lines";
import type { ContentChange, KnownContent, KnownRange, Splice } from "./model";

/** A hunk of a unified diff: what stood from `oldStart` (1-based) and what stands from `newStart`. */
export interface Hunk {
  oldStart: number;
  oldLines: string[];
  newStart: number;
  newLines: string[];
  /** How many lines at its beginning and at its end only tell the place. */
  leading: number;
  trailing: number;
}

export interface FilePatch {
  /** Paths without `a/` and `b/`; null for `/dev/null` or when the patch names no file. */
  oldPath: string | null;
  newPath: string | null;
  hunks: Hunk[];
}

/**
 * Reads unified diffs of any number of files, git's headers included. Null when the text is not one: it never throws and
 * never hangs (jsdiff before 8.0.3 looped for ever on a header with U+2028).
 */
export function parsePatches(text: string): FilePatch[] | null {
  const files = parseDiff(text.replaceAll("\r\n", "\n"));
  if (files === null) return null;
  return files.map(({ oldName, newName, hunks }) => ({
    oldPath: pathIn(oldName, "a/"),
    newPath: pathIn(newName, "b/"),
    hunks,
  }));
}

/** A file of a diff with its names as they stand in the headers. */
export interface NamedPatch {
  oldName: string | undefined;
  newName: string | undefined;
  hunks: Hunk[];
}

/** As `parsePatches`, with the names and the line ends as they stand. */
export function parseDiff(text: string): NamedPatch[] | null {
  try {
    return parsePatch(text).map((file) => ({
      oldName: file.oldFileName,
      newName: file.newFileName,
      hunks: file.hunks.map(hunkOf),
    }));
  } catch {
    // jsdiff says what is wrong with the patch by throwing; for us it is then simply not a patch.
    return null;
  }
}

function pathIn(name: string | undefined, prefix: string): string | null {
  if (name === undefined || name === "" || name === "/dev/null") return null;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function hunkOf(hunk: { oldStart: number; newStart: number; lines: string[] }): Hunk {
  const oldLines: string[] = [];
  const newLines: string[] = [];
  let last: string[][] = [];
  for (const line of hunk.lines) {
    const sign = line.charAt(0);
    if (sign === "\\") {
      // "No newline at end of file" speaks of the line before it.
      for (const lines of last) lines.push((lines.pop() ?? "").replace(/\n$/, ""));
      continue;
    }
    last = sign === "-" ? [oldLines] : sign === "+" ? [newLines] : [oldLines, newLines];
    for (const lines of last) lines.push(`${line.slice(1)}\n`);
  }
  const signs = hunk.lines.map((line) => line.charAt(0)).filter((sign) => sign !== "\\");
  const isChange = (sign: string): boolean => sign === "-" || sign === "+";
  const leading = signs.findIndex(isChange);
  const trailing = signs.toReversed().findIndex(isChange);
  const all = signs.length;
  return {
    oldStart: hunk.oldStart,
    oldLines,
    newStart: hunk.newStart,
    newLines,
    leading: leading === -1 ? all : leading,
    trailing: trailing === -1 ? all : trailing,
  };
}

/** What a patch makes of a content, exactly at its line numbers; null when a known line is not what the patch says. */
export function applyHunks(
  content: KnownContent,
  hunks: readonly Hunk[],
): { content: KnownContent; change: ContentChange } | null {
  const splices: Splice[] = [];
  const learned: KnownRange[] = [];
  for (const hunk of hunks) {
    // An empty side names the line before it in a diff; the parser has put that right.
    const at = hunk.oldStart - 1;
    const old = knownLines(content, at + 1, hunk.oldLines.length);
    if (content.kind === "whole" && (old === null || old.length < hunk.oldLines.length)) return null;
    if (old?.some((line, index) => !sameLine(line, hunk.oldLines[index] ?? ""))) return null;
    const fresh = old === null ? hunk.newLines : keepEndings(old, hunk);
    splices.push(...diffLines(old ?? hunk.oldLines, fresh, at));
    if (content.kind !== "whole" && fresh.length > 0) learned.push({ startLine: hunk.newStart, lines: fresh });
  }
  const totalLines = content.kind === "whole" ? null : totalAfter(totalLinesOf(content), splices);
  const change = { splices, learned, totalLines };
  return { content: applyChange(content, change), change };
}

/** The new lines of a hunk, with the file's own endings: a patch shows neither `\r` nor, in a record, the last ending. */
function keepEndings(old: readonly string[], hunk: Hunk): string[] {
  const windows = old.length > 0 && old.every((line) => line.endsWith("\r\n") || !line.endsWith("\n"));
  const crlf = windows && old.some((line) => line.endsWith("\r\n"));
  const kept = hunk.newLines.map((line) => (crlf && !line.endsWith("\r\n") ? line.replace(/\n$/, "\r\n") : line));
  const lastOld = old.at(-1);
  const lastNew = kept.at(-1);
  if (lastOld !== undefined && lastNew !== undefined && !lastOld.endsWith("\n") && sameLine(lastOld, lastNew)) {
    kept[kept.length - 1] = lastOld;
  }
  return kept;
}

/** The lines that a patch says stand in the new file. */
export function newSide(hunks: readonly Hunk[]): KnownRange[] {
  return hunks
    .filter((hunk) => hunk.newLines.length > 0)
    .map((hunk) => ({ startLine: hunk.newStart, lines: hunk.newLines }));
}
