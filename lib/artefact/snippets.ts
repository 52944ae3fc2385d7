import type { KnownRange } from "./model";

/** Numbered lines that an answer shows, and the file's length where it says it. */
export interface Snippet {
  ranges: KnownRange[];
  totalLines: number | null;
  /** The file that the answer names, null when it names none. */
  path: string | null;
}

/**
 * The window that SWE-agent's editor shows: `[File: p (n lines total)]`, `(n more lines above)`, `12:text`. Null when the
 * answer holds no window or when it shows an edit that was not applied.
 */
export function windowSnippet(text: string): Snippet | null {
  const head = /\[File: (.*) \((\d+) lines total\)\]\r?\n/.exec(text);
  if (head === null) return null;
  const total = Number(head[2]);
  const body = text
    .slice(head.index + head[0].length)
    .split("\n")
    .filter((line) => !/^<<<<< (?:START|END) CURSOR >>>>>\r?$/.test(line));
  const above = /^\(\d+ more lines above\)\r?$/.test(body[0] ?? "") ? 1 : 0;
  const range = numberedLines(body.slice(above).join("\n"), /^(\d+):(.*)$/);
  if (range === null || range.startLine + range.lines.length - 1 > total) return null;
  return { ranges: [range], totalLines: total, path: head[1] ?? null };
}

/** Lines from the first on while each carries the next number. */
function numberedLines(text: string, pattern: RegExp): KnownRange | null {
  const lines: string[] = [];
  let startLine = 0;
  for (const raw of text.split("\n")) {
    const match = pattern.exec(raw.endsWith("\r") ? raw.slice(0, -1) : raw);
    if (match === null) break;
    const n = Number(match[1]);
    if (lines.length === 0) startLine = n;
    else if (n !== startLine + lines.length) break;
    lines.push(`${match[2] ?? ""}\n`);
  }
  return lines.length === 0 || startLine < 1 ? null : { startLine, lines };
}

/** The lines that the window's cursors stand at (1-based), where the answer marks them. */
export function cursorsIn(text: string): { from: number; to: number } | null {
  const start = /<<<<< START CURSOR >>>>>\r?\n(?:<<<<< END CURSOR >>>>>\r?\n)?(\d+):/.exec(text);
  const endAt = text.indexOf("<<<<< END CURSOR >>>>>");
  const movedFrom = /START_CURSOR moved to (\d+)/.exec(text);
  const movedTo = /END_CURSOR moved to (\d+)/.exec(text);
  if (movedFrom !== null && movedTo !== null) return { from: Number(movedFrom[1]), to: Number(movedTo[1]) };
  if (start === null || endAt === -1) return null;
  const numbers = [...text.slice(0, endAt).matchAll(/^(\d+):/gm)];
  const last = numbers.at(-1);
  return last === undefined ? null : { from: Number(start[1]), to: Number(last[1]) };
}
