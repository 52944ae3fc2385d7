/** What became of a file, or why that cannot be told. `absent`: aider finds no place for the block. */
export type BlockOutcome =
  | { kind: "replaced"; text: string }
  | { kind: "absent" }
  | { kind: "unclear"; reason: string };

/** Characters at which Python ends a line besides the line feed: aider's lines would be others than ours. */
const OTHER_LINE_ENDS = /[\r\v\f\p{Zl}\p{Zp}]|[^\P{Cc}\t\n]/u;
/** Comparisons of lines after which the search without indentation is given up. */
const COMPARISONS_MAX = 2_000_000;
const DOTS_LINES_MAX = 2_000;

/**
 * Replaces a SEARCH text in a file as aider does (its `diff` edit format): the first place at which the lines are equal,
 * else the first at which they are but for the same indentation, each also without an empty first line; else piece by
 * piece around lines of three dots, each piece once in the file. A file's last line gets its end.
 * @param before lines that end in a line feed, not all of them blank
 * @param after lines that end in a line feed, or nothing
 */
export function replaceBlock(text: string, before: string, after: string): BlockOutcome {
  if ([text, before, after].some((one) => OTHER_LINE_ENDS.test(one))) {
    return { kind: "unclear", reason: "line ends other than line feeds, which aider may change" };
  }
  const whole = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  const lines = linesOf(before);
  const tries = lines.length > 2 && isBlank(lines[0] ?? "") ? [before, lines.slice(1).join("")] : [before];
  for (const part of tries) {
    // An empty file counts as no result, and aider looks on.
    const exact = replaceLines(whole, part, after);
    if (exact !== null && exact !== "") return { kind: "replaced", text: exact };
    const indented = replaceIndented(whole, part, after);
    if (indented === undefined) return { kind: "unclear", reason: "the block or the file is too long to look for" };
    if (indented !== null && indented !== "") return { kind: "replaced", text: indented };
  }
  if (!before.includes("...\n")) return { kind: "absent" };
  if (lines.length > DOTS_LINES_MAX) return { kind: "unclear", reason: "the block is too long to look for" };
  const pieces = replaceAroundDots(whole, before, after);
  return pieces === null || pieces === "" ? { kind: "absent" } : { kind: "replaced", text: pieces };
}

/** Where whole lines stand first in a text, as an offset; -1 when they do not. */
export function findLines(text: string, part: string): number {
  let at = text.indexOf(part);
  while (at > 0 && text.charCodeAt(at - 1) !== 10) at = text.indexOf(part, at + 1);
  return at;
}

function replaceLines(whole: string, part: string, after: string): string | null {
  const at = findLines(whole, part);
  return at === -1 ? null : whole.slice(0, at) + after + whole.slice(at + part.length);
}

/** Null when the lines stand nowhere; undefined when looking takes too long. */
function replaceIndented(whole: string, before: string, after: string): string | null | undefined {
  let part = linesOf(before);
  let fresh = linesOf(after);
  const common = Math.min(...[...part, ...fresh].filter((line) => !isBlank(line)).map(indentOf));
  if (Number.isFinite(common) && common > 0) {
    const outdent = (line: string): string => (isBlank(line) ? line : line.slice(common));
    part = part.map(outdent);
    fresh = fresh.map(outdent);
  }
  const lines = linesOf(whole);
  const bare = lines.map(withoutIndent);
  const wanted = part.map(withoutIndent);
  let comparisons = 0;
  for (let at = 0; at + part.length <= lines.length; at++) {
    let same = 0;
    while (same < wanted.length && bare[at + same] === wanted[same]) same++;
    comparisons += same + 1;
    if (comparisons > COMPARISONS_MAX) return undefined;
    if (same < wanted.length) continue;
    const indent = commonIndent(lines, part, at);
    if (indent === null) continue;
    const indented = fresh.map((line) => (isBlank(line) ? line : indent + line));
    return [...lines.slice(0, at), ...indented, ...lines.slice(at + part.length)].join("");
  }
  return null;
}

/** What each line of the file has before the line of the block, when it is the same for all that are not blank. */
function commonIndent(lines: readonly string[], part: readonly string[], at: number): string | null {
  const found = new Set<string>();
  for (const [n, line] of part.entries()) {
    const own = lines[at + n] ?? "";
    // A block that is indented more than the file gives a negative length here as in aider: what is cut off the end.
    if (!isBlank(own)) found.add(own.slice(0, own.length - line.length));
  }
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? null : only;
}

function replaceAroundDots(whole: string, before: string, after: string): string | null {
  const [left, right] = [aroundDots(before), aroundDots(after)];
  if (left.length !== right.length || left.length === 1) return null;
  if (left.some((piece, n) => n % 2 === 1 && piece !== right[n])) return null;
  let text = whole;
  for (const [n, part] of left.entries()) {
    const fresh = right[n] ?? "";
    if (n % 2 === 1 || (part === "" && fresh === "")) continue;
    if (part === "") {
      text = (text.endsWith("\n") ? text : `${text}\n`) + fresh;
      continue;
    }
    const at = text.indexOf(part);
    if (at === -1 || text.indexOf(part, at + part.length) !== -1) return null;
    text = text.slice(0, at) + fresh + text.slice(at + part.length);
  }
  return text;
}

const DOTS = "...\n";
const LINE_END = /[\n\r\u2028\u2029]/;

/** A text split at its lines of three dots, with the blanks before them; every second piece is such a line. */
function aroundDots(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf(DOTS); at !== -1; at = text.indexOf(DOTS, at + DOTS.length)) {
    let start = -1;
    for (let before = at; ; before--) {
      if (before === 0 || LINE_END.test(text.charAt(before - 1))) start = before;
      if (before === from || !/\s/.test(text.charAt(before - 1))) break;
    }
    if (start === -1) continue;
    pieces.push(text.slice(from, start), text.slice(start, at + DOTS.length));
    from = at + DOTS.length;
  }
  return [...pieces, text.slice(from)];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

/** Blanks as Python counts them, to which the mark of byte order does not belong. */
const INDENT = /^[^\S\ufeff]+/;

function indentOf(line: string): number {
  return INDENT.exec(line)?.[0].length ?? 0;
}

function withoutIndent(line: string): string {
  return line.slice(indentOf(line));
}

function isBlank(line: string): boolean {
  return indentOf(line) === line.length;
}
