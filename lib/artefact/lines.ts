/**
 * A text as lines that keep their own endings, so that `joinLines(splitLines(text)) === text` for every text. Only `\n`
 * ends a line (`\r\n` is a line that ends in `\r`): this is how the editing tools of the traces count.
 */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    if (end === -1) {
      lines.push(text.slice(start));
      break;
    }
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  return lines;
}

/** The text that the lines make. */
export function joinLines(lines: readonly string[]): string {
  return lines.join("");
}

/** How many lines `splitLines` would give for a text, or for its piece up to `end` (exclusive). */
export function countLines(text: string, end: number = text.length): number {
  const newlines = countNewlines(text, 0, end);
  return end > 0 && text.charCodeAt(end - 1) !== 10 ? newlines + 1 : newlines;
}

/** How many `\n` stand in `text`, or in its piece from `start` to `end` (exclusive). */
export function countNewlines(text: string, start: number = 0, end: number = text.length): number {
  let count = 0;
  let at = text.indexOf("\n", start);
  while (at !== -1 && at < end) {
    count += 1;
    at = text.indexOf("\n", at + 1);
  }
  return count;
}

/** The offset at which the 0-based line starts; the length of the text when it has fewer lines. */
export function lineOffset(text: string, line: number): number {
  let at = 0;
  for (let n = 0; n < line; n += 1) {
    const end = text.indexOf("\n", at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}

/** Where the line begins in which the given offset lies. */
export function lineStart(text: string, offset: number): number {
  // `lastIndexOf` takes a negative position for 0, where it would find a line end that lies after the offset.
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** A line without its ending. */
export function stripEnding(line: string): string {
  if (line.endsWith("\r\n")) return line.slice(0, -2);
  return line.endsWith("\n") ? line.slice(0, -1) : line;
}

/** Whether two lines show the same, whatever their endings. */
export function sameLine(left: string, right: string): boolean {
  return left === right || stripEnding(left) === stripEnding(right);
}

/**
 * Tabs as spaces up to the next multiple of eight, as Python's `expandtabs` does it: the `str_replace_editor` tool
 * rewrites the whole file so, and shows files so.
 */
export function expandTabs(text: string): string {
  if (!text.includes("\t")) return text;
  let column = 0;
  let out = "";
  for (const character of text) {
    if (character === "\t") {
      const width = 8 - (column % 8);
      out += " ".repeat(width);
      column += width;
    } else {
      out += character;
      column = character === "\n" || character === "\r" ? 0 : column + 1;
    }
  }
  return out;
}
