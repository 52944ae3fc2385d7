import type { ReadFile } from "@/lib/trajectory/schema";

const WINDOW_HEADER = /^\[File: (.+) \((\d+) lines total\)\]$/;
const WINDOW_LINE = /^(\d+):(.*)$/;
const CURSOR_MARK = /^<<<<< (?:START|END) CURSOR >>>>>$/;
const MORE_ABOVE = /^\((\d+) more lines above\)$/;
const CAT_HEADER = "Here's the result of running `cat -n` on ";
const ABBREVIATED = "<NOTE>This file is too large to display entirely. Showing abbreviated version.";
const ELIDED = /^\.\.\. eliding lines \d+-\d+ \.\.\.$/;
const [TAB, RETURN, SPACE, DIGIT_0, DIGIT_9] = [0x09, 0x0d, 0x20, 0x30, 0x39];
/** A row with one of these inside is not one line of the file. */
const LINE_END = /[\r\u2028\u2029]/;
const REJECTED = /introduced new syntax error|edit was not applied|No replacement was performed|has NOT been applied/i;

/** The file that a `str_replace_editor` call names; `isWhole` when it asked for all of it. */
export interface NumberedView {
  path: string;
  isWhole: boolean;
}

/**
 * Lines of files that a result shows with their numbers: the windows of `open`, `goto`, `scroll` and successful edits,
 * and the `cat -n` views of `str_replace_editor`. A window of an edit that was rejected shows text that no file holds,
 * so it gives nothing. Each line but the file's last ends in a line feed; a carriage return that the terminal added is
 * left out.
 */
export function fileViews(observation: string, openFile: string | null, view: NumberedView | null): ReadFile[] {
  // Most results show no file: `includes` finds that out several times faster than the patterns do.
  const isWindow = observation.includes("[File: ");
  const isNumbered = view !== null && (observation.includes(CAT_HEADER) || observation.includes(ABBREVIATED));
  if ((!isWindow && !isNumbered) || REJECTED.test(observation)) return [];
  const window = isWindow ? windowView(observation, openFile) : null;
  if (window) return [window];
  return isNumbered ? numberedViews(observation, view) : [];
}

function windowView(text: string, openFile: string | null): ReadFile | null {
  const rows = text.split("\n").map((row) => (row.endsWith("\r") ? row.slice(0, -1) : row));
  const at = rows.findIndex((row) => WINDOW_HEADER.test(row));
  const header = WINDOW_HEADER.exec(rows[at] ?? "");
  if (!header) return null;
  const [, named = "", total = ""] = header;
  const totalLines = Number(total);
  const lines: string[] = [];
  let next: number | null = null;
  let startLine = 1;
  for (const row of rows.slice(at + 1)) {
    if (CURSOR_MARK.test(row) || (lines.length === 0 && MORE_ABOVE.test(row))) continue;
    const match = WINDOW_LINE.exec(row);
    const number = match ? Number(match[1]) : null;
    if (number === null || number > totalLines || (next !== null && number !== next)) break;
    if (next === null) startLine = number;
    lines.push(match?.[2] ?? "");
    next = number + 1;
  }
  if (lines.length === 0 || startLine < 1) return null;
  // Newer versions name the file relative to the working directory, but keep the absolute path in the state.
  const path =
    openFile && (openFile === named || openFile.endsWith(`/${named.replace(/^\.\//, "")}`)) ? openFile : named;
  const whole = startLine === 1 && lines.length === totalLines;
  return { path, startLine, text: `${lines.join("\n")}\n`, totalLines, whole };
}

/**
 * The runs of consecutive numbered lines of a view; elided lines part them. Row by row in the text itself: views are long,
 * and a list of their rows takes as much memory again.
 */
function numberedViews(text: string, view: NumberedView): ReadFile[] {
  const isAbbreviated = text.startsWith(ABBREVIATED) || text.includes(`\n${ABBREVIATED}`);
  const header = text.indexOf(CAT_HEADER);
  if (!isAbbreviated && header === -1) return [];
  const separator = isAbbreviated ? SPACE : TAB;
  const mayEndInside = LINE_END.test(text);
  const runs: { startLine: number; lines: string[] }[] = [];
  let next = 0;
  for (let at = header === -1 ? 0 : afterRow(text, header); at < text.length; at = afterRow(text, at)) {
    const digits = afterCodes(text, at, SPACE, SPACE);
    const end = afterCodes(text, digits, DIGIT_0, DIGIT_9);
    if (end === digits || text.charCodeAt(end) !== separator) continue;
    const line = rowText(text, end + 1);
    if ((mayEndInside && LINE_END.test(line)) || (isAbbreviated && ELIDED.test(line))) continue;
    const number = Number(text.slice(digits, end));
    const run = runs[runs.length - 1];
    if (run && number === next) run.lines.push(line);
    else if (number >= next && number > 0) runs.push({ startLine: number, lines: [line] });
    else continue;
    next = number + 1;
  }
  const isClipped = text.includes("<response clipped>");
  const [only] = runs;
  if (view.isWhole && only && runs.length === 1 && !isClipped && !isAbbreviated && only.startLine === 1) {
    // The tool numbers what stands behind the last line feed too, so joining the rows gives the file exactly.
    const text = only.lines.join("\n");
    const totalLines = only.lines.length - (only.lines.at(-1) === "" ? 1 : 0);
    return [{ path: view.path, startLine: 1, text, totalLines, whole: true }];
  }
  const last = runs[runs.length - 1];
  // The last row of a part may be cut short, or be the empty row behind the last line feed, which is no line.
  if (last && (isClipped || last.lines.at(-1) === "")) last.lines.pop();
  return runs
    .filter((run) => run.lines.length > 0)
    .map(({ startLine, lines }) => {
      const text = lines.map((line) => `${line}\n`).join("");
      return { path: view.path, startLine, text, totalLines: null, whole: false };
    });
}

/** The offset of the next row, or the end. */
function afterRow(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}

/** The rest of a row, without the carriage return that a terminal added. */
function rowText(text: string, at: number): string {
  const found = text.indexOf("\n", at);
  const end = found === -1 ? text.length : found;
  return text.slice(at, end > at && text.charCodeAt(end - 1) === RETURN ? end - 1 : end);
}

/** The offset after the characters from `low` to `high` that stand at `at`. */
function afterCodes(text: string, at: number, low: number, high: number): number {
  let end = at;
  while (text.charCodeAt(end) >= low && text.charCodeAt(end) <= high) end++;
  return end;
}
