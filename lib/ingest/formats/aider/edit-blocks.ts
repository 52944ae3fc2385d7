import { pathIn } from "./edit-path";

/** An edit that stands in the assistant's words. Lines count from 0 in those words; texts end their lines. */
export interface EditBlock {
  kind: "search_replace" | "whole_file" | "udiff";
  /** As given, without what stands around it; null where none is named. */
  path: string | null;
  /** The lines from the path or the fence to the closing fence, both included. */
  first: number;
  last: number;
  /** What is to be there before (SEARCH, or the old side of a hunk) and after. A whole file has no `before`. */
  before: string;
  after: string;
}

const HEAD = /^<{5,9} (?:SEARCH>?|ORIGINAL)\s*$/;
const DIVIDER = /^={5,9}\s*$/;
const END = /^>{5,9} (?:REPLACE|UPDATED)\s*$/;
const FENCES = ["```", "<source>", "<code>", "<pre>", "<codeblock>", "<sourcecode>"];
const SHELL = /^```(?:bash|sh|shell|cmd|batch|powershell|ps1|zsh|fish|ksh|csh|tcsh)\b/;

/** What was found: the blocks in order, and how many SEARCH blocks nothing ends. */
export interface FoundEdits {
  edits: EditBlock[];
  open: number[];
}

/**
 * Finds the SEARCH/REPLACE blocks in the assistant's words, with five to nine signs a marker. The path stands on one of the
 * three lines before, outside the fence or inside it; a block without one is for the file of the block before it. Blocks
 * for a shell are passed over, as aider does.
 */
export function findBlocks(lines: readonly string[]): FoundEdits {
  const edits: EditBlock[] = [];
  const open: number[] = [];
  let lastPath: string | null = null;
  let n = 0;
  while (n < lines.length) {
    const line = (lines[n] ?? "").trim();
    if (SHELL.test(line) && !isHead(lines[n + 1]) && !isHead(lines[n + 2])) n = afterFence(lines, n);
    else if (HEAD.test(line)) {
      const divider = nextLine(lines, n + 1, (text) => DIVIDER.test(text));
      const end = nextLine(lines, divider + 1, (text) => END.test(text) || DIVIDER.test(text));
      if (end >= lines.length) {
        open.push(n);
        return { edits, open };
      }
      const named = pathBefore(lines, n);
      lastPath = named.path ?? lastPath;
      const last = isFenceEnd(lines[end + 1]) ? end + 1 : end;
      const before = joined(lines, n + 1, divider);
      const after = joined(lines, divider + 1, end);
      edits.push({ kind: "search_replace", path: lastPath, first: named.first, last, before, after });
      n = last + 1;
    } else n++;
  }
  return { edits, open };
}

function isHead(line: string | undefined): boolean {
  return line !== undefined && HEAD.test(line.trim());
}

function isFence(line: string | undefined): boolean {
  return line !== undefined && FENCES.some((fence) => line.trim().startsWith(fence));
}

function isFenceEnd(line: string | undefined): boolean {
  return line !== undefined && /^(?:`{3,}|<\/(?:source|code|pre|codeblock|sourcecode)>)$/.test(line.trim());
}

function nextLine(lines: readonly string[], from: number, matches: (text: string) => boolean): number {
  let n = from;
  while (n < lines.length && !matches((lines[n] ?? "").trim())) n++;
  return n;
}

function joined(lines: readonly string[], from: number, to: number): string {
  return lines
    .slice(from, to)
    .map((line) => `${line}\n`)
    .join("");
}

/** The line behind the end of the fence that a line opens. */
function afterFence(lines: readonly string[], from: number): number {
  return nextLine(lines, from + 1, (text) => text.startsWith("```")) + 1;
}

/** The path on one of the three lines before a block, as far as fences lead up to it, and where the block begins. */
function pathBefore(lines: readonly string[], head: number): { path: string | null; first: number } {
  let first = head;
  for (let n = head - 1; n >= Math.max(0, head - 3); n--) {
    const line = lines[n] ?? "";
    const isOpener = isFence(line);
    const path = HEAD.test(line.trim()) || END.test(line.trim()) || DIVIDER.test(line.trim()) ? null : pathIn(line);
    if (path !== null) {
      // The path may stand inside the fence: then the fence before it belongs to the block.
      const isInside = !isOpener && isFence(lines[n - 1]) && n === head - 1 && !isFenceEnd(lines[n - 1]);
      return { path, first: isInside ? n - 1 : n };
    }
    if (!isOpener) break;
    first = n;
  }
  return { path: null, first };
}

/**
 * Finds whole files in the assistant's words: a fence with a path on the line before it.
 * @param isWanted whether a path, as given, is one of a file that was written
 */
export function findWholeFiles(lines: readonly string[], isWanted: (path: string) => boolean): EditBlock[] {
  const edits: EditBlock[] = [];
  let n = 1;
  while (n < lines.length) {
    if (!isFence(lines[n])) {
      n++;
      continue;
    }
    const end = nextLine(lines, n + 1, (text) => text.startsWith("```") || isFenceEnd(text));
    const path = isFence(lines[n - 1]) ? null : pathIn(lines[n - 1] ?? "");
    if (path !== null && isWanted(path)) {
      const last = Math.min(end, lines.length - 1);
      edits.push({ kind: "whole_file", path, first: n - 1, last, before: "", after: joined(lines, n + 1, end) });
    }
    n = end + 1;
  }
  return edits;
}

/** Finds the hunks, without line numbers, of unified diffs in the assistant's words. A path holds until the next one. */
export function findHunks(lines: readonly string[]): EditBlock[] {
  const edits: EditBlock[] = [];
  let path: string | null = null;
  let n = 0;
  while (n < lines.length) {
    if (!(lines[n] ?? "").startsWith("```diff")) {
      n++;
      continue;
    }
    const end = nextLine(lines, n + 1, (text) => text.startsWith("```"));
    const last = Math.min(end, lines.length - 1);
    const found = hunksIn(lines, n + 1, end, path);
    path = found.at(-1)?.path ?? path;
    const [first] = found;
    // A fence with one hunk is that hunk; of several each has its own lines.
    if (found.length === 1 && first) edits.push({ ...first, first: n, last });
    else edits.push(...found);
    n = end + 1;
  }
  return edits;
}

function hunksIn(lines: readonly string[], from: number, to: number, before: string | null): EditBlock[] {
  const edits: EditBlock[] = [];
  let path = before;
  let start = from;
  const flush = (end: number): void => {
    const body = lines.slice(start, end);
    if (body.some((line) => /^[-+]/.test(line))) {
      const old = sideOf(body, "-");
      edits.push({ kind: "udiff", path, first: start, last: end - 1, before: old, after: sideOf(body, "+") });
    }
  };
  for (let n = from; n < to; n++) {
    const line = lines[n] ?? "";
    const next = lines[n + 1] ?? "";
    if (line.startsWith("--- ") && next.startsWith("+++ ")) {
      flush(n);
      const [left, right] = [line.slice(4).trim(), next.slice(4).trim()];
      const isGit = right.startsWith("b/") && (left.startsWith("a/") || left === "/dev/null");
      path = isGit ? right.slice(2) : right;
      n++;
      start = n + 1;
    } else if (line.startsWith("@@")) {
      flush(n);
      start = n + 1;
    }
  }
  flush(to);
  return edits;
}

function sideOf(lines: readonly string[], sign: "-" | "+"): string {
  return lines
    .flatMap((line) => (line === "" ? ["\n"] : line[0] === " " || line[0] === sign ? [`${line.slice(1)}\n`] : []))
    .join("");
}
