import type { ReadFile } from "@/lib/trajectory/schema";

const WINDOW_HEADER = /^\[File: (.+) \((\d+) lines total\)\]$/;
const WINDOW_LINE = /^(\d+):(.*)$/;
const CURSOR_MARK = /^<<<<< (?:START|END) CURSOR >>>>>$/;
const MORE_ABOVE = /^\((\d+) more lines above\)$/;
const CAT_HEADER = /Here's the result of running `cat -n` on /;
const CAT_LINE = /^ *(\d+)\t(.*)$/;
const ABBREVIATED_LINE = /^ *(\d+) (.*)$/;
const ABBREVIATED = /^<NOTE>This file is too large to display entirely\. Showing abbreviated version\./;
const ELIDED = /^\.\.\. eliding lines \d+-\d+ \.\.\.$/;
/** What stands in a result that `numberedViews` can read. */
const NUMBERED = ["Here's the result of running `cat -n` on ", "<NOTE>This file is too large to display entirely"];
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
  const isView =
    observation.includes("[File: ") || (view !== null && NUMBERED.some((words) => observation.includes(words)));
  if (!isView || REJECTED.test(observation)) return [];
  const rows = observation.split("\n").map((row) => (row.endsWith("\r") ? row.slice(0, -1) : row));
  const window = windowView(rows, openFile);
  if (window) return [window];
  return view === null ? [] : numberedViews(rows, view);
}

function windowView(rows: string[], openFile: string | null): ReadFile | null {
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

/** The runs of consecutive numbered lines of a view; elided lines part them. */
function numberedViews(rows: string[], view: NumberedView): ReadFile[] {
  const isAbbreviated = rows.some((row) => ABBREVIATED.test(row));
  const pattern = isAbbreviated ? ABBREVIATED_LINE : CAT_LINE;
  const header = rows.findIndex((row) => CAT_HEADER.test(row));
  if (!isAbbreviated && header === -1) return [];
  const runs: { startLine: number; lines: string[] }[] = [];
  let next = 0;
  for (const row of rows.slice(header + 1)) {
    const match = pattern.exec(row);
    if (!match || (isAbbreviated && ELIDED.test(match[2] ?? ""))) continue;
    const number = Number(match[1]);
    const run = runs[runs.length - 1];
    if (run && number === next) run.lines.push(match[2] ?? "");
    else if (number >= next && number > 0) runs.push({ startLine: number, lines: [match[2] ?? ""] });
    else continue;
    next = number + 1;
  }
  const isClipped = rows.some((row) => row.includes("<response clipped>"));
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
