import type { ReadFile } from "@/lib/trajectory/schema";

const SKILL_HEADER = /^\[File: (.+) \((\d+) lines total( after edit)?\)\]$/;
const SKILL_ROW = /^(\d{1,9})\|(.*)$/;
const AROUND = /^\((?:\d+ more lines (?:above|below)|this is the (?:beginning|end) of the file)\)$/;

/**
 * Lines of a file that the early skills show in a window: `[File: p (n lines total)]`, `12|text`. An edit that was
 * taken back shows text that no file holds.
 */
export function windowLines(text: string): ReadFile[] {
  if (!text.includes("[File: ") || /has NOT been applied|introduced new syntax error/i.test(text)) return [];
  const rows = text.split("\n").map((row) => (row.endsWith("\r") ? row.slice(0, -1) : row));
  const at = rows.findLastIndex((row) => SKILL_HEADER.test(row));
  const header = SKILL_HEADER.exec(rows[at] ?? "");
  if (!header) return [];
  const [, path = "", total = "", edited] = header;
  const totalLines = Number(total);
  const lines: string[] = [];
  let startLine = 0;
  for (const row of rows.slice(at + 1)) {
    if (lines.length === 0 && AROUND.test(row)) continue;
    const match = SKILL_ROW.exec(row);
    if (!match || (lines.length > 0 && Number(match[1]) !== startLine + lines.length)) break;
    if (lines.length === 0) startLine = Number(match[1]);
    lines.push(match[2] ?? "");
  }
  if (startLine < 1 || startLine + lines.length - 1 > totalLines) return [];
  // An edit always leaves a line feed at the end of the file; of a file that is only opened that is not shown.
  const reachesEnd = startLine + lines.length - 1 === totalLines;
  if (reachesEnd && edited === undefined) lines.pop();
  if (lines.length === 0) return [];
  const whole = reachesEnd && edited !== undefined && startLine === 1;
  return [{ path, startLine, text: lines.map((line) => `${line}\n`).join(""), totalLines, whole }];
}
