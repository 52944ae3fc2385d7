import type { ReadFile } from "@/lib/trajectory/schema";

const WINDOW = "[File: ";
const WINDOW_HEADER = /^\[File: (.+) \((\d+) lines total\)\]$/;
const CURSOR_MARK = /^<<<<< (?:START|END) CURSOR >>>>>$/;
const MORE_ABOVE = /^\((\d+) more lines above\)$/;
const CAT_HEADER = "Here's the result of running `cat -n` on ";
const ABBREVIATED = "<NOTE>This file is too large to display entirely. Showing abbreviated version.";
const ELIDED = /^\.\.\. eliding lines \d+-\d+ \.\.\.$/;
const [TAB, FEED, RETURN, SPACE, DIGIT_0, DIGIT_9, COLON] = [0x09, 0x0a, 0x0d, 0x20, 0x30, 0x39, 0x3a];
/** A row with one of these inside is not one line of the file. */
const LINE_END = /[\r\u2028\u2029]/;
/** One of these stands wherever REJECTED matches; to look for so few takes half as long. */
const MAY_BE_REJECTED = /applied|performed|x error/i;
const REJECTED = /introduced new syntax error|edit was not applied|No replacement was performed|has NOT been applied/i;
/** Longer numbers may be beyond the whole numbers that a double holds. */
const DIGITS_MAX = 15;

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
  const isWindow = observation.includes(WINDOW);
  const isNumbered = view !== null && (observation.includes(CAT_HEADER) || observation.includes(ABBREVIATED));
  if (!isWindow && !isNumbered) return [];
  if (MAY_BE_REJECTED.test(observation) && REJECTED.test(observation)) return [];
  const window = isWindow ? windowView(observation, openFile) : null;
  if (window) return [window];
  return isNumbered ? numberedViews(observation, view) : [];
}

/** Row by row in the text itself, as `numberedViews`. */
function windowView(text: string, openFile: string | null): ReadFile | null {
  const header = windowHeader(text);
  if (header === null) return null;
  const { named, totalLines } = header;
  const mayEndInside = mayHoldLineEnd(text);
  const lines: string[] = [];
  let next: number | null = null;
  let startLine = 1;
  for (let at = header.after; at < text.length; ) {
    const end = rowEnd(text, at);
    const digits = afterCodes(text, at, DIGIT_0, DIGIT_9);
    if (digits === at || text.charCodeAt(digits) !== COLON) {
      const row = rowText(text, at, end);
      if (!CURSOR_MARK.test(row) && (lines.length > 0 || !MORE_ABOVE.test(row))) break;
    } else {
      const number = numberIn(text, at, digits);
      const line = rowText(text, digits + 1, end);
      const isOther = number > totalLines || (next !== null && number !== next);
      if (isOther || (mayEndInside && LINE_END.test(line))) break;
      if (next === null) startLine = number;
      lines.push(line);
      next = number + 1;
    }
    at = end + 1;
  }
  if (lines.length === 0 || startLine < 1) return null;
  // Newer versions name the file relative to the working directory, but keep the absolute path in the state.
  const path =
    openFile && (openFile === named || openFile.endsWith(`/${named.replace(/^\.\//, "")}`)) ? openFile : named;
  const whole = startLine === 1 && lines.length === totalLines;
  return { path, startLine, text: `${lines.join("\n")}\n`, totalLines, whole };
}

/** The first row that heads a window; `after` is the offset of the row behind it. */
function windowHeader(text: string): { named: string; totalLines: number; after: number } | null {
  for (let at = text.indexOf(WINDOW); at !== -1; at = text.indexOf(WINDOW, at + 1)) {
    if (at > 0 && text.charCodeAt(at - 1) !== FEED) continue;
    const end = rowEnd(text, at);
    const [, named, total] = WINDOW_HEADER.exec(rowText(text, at, end)) ?? [];
    if (named !== undefined) return { named, totalLines: Number(total), after: end + 1 };
  }
  return null;
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
  const mayEndInside = mayHoldLineEnd(text);
  const runs: { startLine: number; lines: string[] }[] = [];
  let run = runs[0];
  let next = 0;
  for (let at = header === -1 ? 0 : rowEnd(text, header) + 1, end = at; at < text.length; at = end + 1) {
    end = rowEnd(text, at);
    const digits = afterCodes(text, at, SPACE, SPACE);
    const after = afterCodes(text, digits, DIGIT_0, DIGIT_9);
    if (after === digits || text.charCodeAt(after) !== separator) continue;
    const line = rowText(text, after + 1, end);
    if ((mayEndInside && LINE_END.test(line)) || (isAbbreviated && ELIDED.test(line))) continue;
    const number = numberIn(text, digits, after);
    if (run && number === next) run.lines.push(line);
    else if (number >= next && number > 0) {
      run = { startLine: number, lines: [line] };
      runs.push(run);
    } else continue;
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
      return { path: view.path, startLine, text: `${lines.join("\n")}\n`, totalLines: null, whole: false };
    });
}

/** False when no row can hold a line end inside. Looking for each takes a fraction of what the pattern takes. */
function mayHoldLineEnd(text: string): boolean {
  return text.includes("\r") || text.includes("\u2028") || text.includes("\u2029");
}

/** The offset of the line feed that ends the row, or the end. */
function rowEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

/** The rest of a row that ends at `end`, without the carriage return that a terminal added. */
function rowText(text: string, at: number, end: number): string {
  return text.slice(at, end > at && text.charCodeAt(end - 1) === RETURN ? end - 1 : end);
}

/** The number that some digits write, without making a text of them. */
function numberIn(text: string, start: number, end: number): number {
  if (end - start > DIGITS_MAX) return Number(text.slice(start, end));
  let number = 0;
  for (let at = start; at < end; at++) number = number * 10 + text.charCodeAt(at) - DIGIT_0;
  return number;
}

/** The offset after the characters from `low` to `high` that stand at `at`. */
function afterCodes(text: string, at: number, low: number, high: number): number {
  let end = at;
  while (text.charCodeAt(end) >= low && text.charCodeAt(end) <= high) end++;
  return end;
}
