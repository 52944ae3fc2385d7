import { endOfTerminalSequence, SEQUENCE_START } from "./terminal-sequence";

/**
 * A text as it reads once something is taken out or decoded, with the way back to the text that it was made from.
 * Segment i begins at `starts[i]` of the view and at `origins[i]` of that text; `widths[i]` is 0 for a segment that was
 * taken over as it is, else the length of the escape that became the segment's single character.
 */
export interface DecodedView {
  text: string;
  starts: number[];
  origins: number[];
  widths: number[];
  /** The view that this one was made from; null for the text itself. */
  from: DecodedView | null;
}

const BACKSLASH = 92;

/** The view that is the text itself. */
export function plainView(text: string): DecodedView {
  return { text, starts: [0], origins: [0], widths: [0], from: null };
}

/** The range of the original text that a range of the view stands for. `end` is exclusive, and the range not empty. */
export function originRange(view: DecodedView, start: number, end: number): { start: number; end: number } {
  let from = start;
  let to = end;
  for (let current = view; current.from !== null; current = current.from) {
    const first = segmentAt(current, from);
    const last = segmentAt(current, to - 1);
    const width = current.widths[last] ?? 0;
    from = (current.origins[first] ?? 0) + from - (current.starts[first] ?? 0);
    to = (current.origins[last] ?? 0) + (width > 0 ? width : to - (current.starts[last] ?? 0));
  }
  return { start: from, end: to };
}

function segmentAt(view: DecodedView, position: number): number {
  let low = 0;
  let high = view.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((view.starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The view without terminal sequences (CSI, OSC and the other string sequences, two-character escapes); null when there are none. */
export function withoutAnsi(view: DecodedView): DecodedView | null {
  let at = view.text.search(SEQUENCE_START);
  if (at === -1) return null;
  const builder = new ViewBuilder(view);
  const starts = new RegExp(SEQUENCE_START);
  while (at !== -1) {
    builder.replace(at, endOfTerminalSequence(view.text, at), "");
    starts.lastIndex = builder.position;
    at = starts.exec(view.text)?.index ?? -1;
  }
  return builder.finish();
}

/**
 * The view with one level of JSON string escapes decoded: `\n`, `\"`, `\\`, `\/`, `\u0041`, ... Null when the text has
 * none. Escapes are decoded wherever they stand, in a string or not: the view is only ever searched, never shown.
 */
export function withoutJsonEscapes(view: DecodedView): DecodedView | null {
  const { text } = view;
  let at = text.indexOf("\\");
  if (at === -1) return null;
  const builder = new ViewBuilder(view);
  while (at !== -1) {
    const code = text.charCodeAt(at + 1);
    const simple = SIMPLE_ESCAPES.get(code);
    if (simple !== undefined) {
      builder.replace(at, at + 2, simple);
    } else if (code === 117 && isHex4(text, at + 2)) {
      builder.replace(at, at + 6, String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16)));
    } else {
      builder.position = at + 1;
    }
    at = text.indexOf("\\", builder.position);
  }
  return builder.changed ? builder.finish() : null;
}

/** How a shell command writes a single quote inside single quotes. */
const SHELL_QUOTE = /'"'"'|'\\''/g;

/**
 * The view with the single quotes of a single-quoted shell word as they are meant: `'"'"'` and `'\''` become `'`. Tools
 * that put the text of a file into a command line write every quote of it this way. Null when there are none.
 */
export function withoutShellQuotes(view: DecodedView): DecodedView | null {
  const builder = new ViewBuilder(view);
  for (const match of view.text.matchAll(SHELL_QUOTE)) builder.replace(match.index, match.index + match[0].length, "'");
  return builder.changed ? builder.finish() : null;
}

const SIMPLE_ESCAPES = new Map<number, string>([
  [110, "\n"],
  [114, "\r"],
  [116, "\t"],
  [98, "\b"],
  [102, "\f"],
  [34, '"'],
  [39, "'"],
  [47, "/"],
  [BACKSLASH, "\\"],
]);

function isHex4(text: string, start: number): boolean {
  if (start + 4 > text.length) return false;
  for (let i = start; i < start + 4; i += 1) {
    const code = text.charCodeAt(i) | 32;
    const isDigit = code >= 48 && code <= 57;
    if (!isDigit && !(code >= 97 && code <= 102)) return false;
  }
  return true;
}

class ViewBuilder {
  private readonly pieces: string[] = [];
  private readonly starts: number[] = [0];
  private readonly origins: number[] = [0];
  private readonly widths: number[] = [0];
  private length = 0;
  private copied = 0;
  /** Where the search goes on. */
  position = 0;
  changed = false;

  constructor(private readonly view: DecodedView) {}

  /** Puts `by` (nothing, or one character) in the place of `start`..`end`. */
  replace(start: number, end: number, by: string): void {
    this.copy(start);
    if (by !== "") {
      this.mark(start, end - start);
      this.pieces.push(by);
      this.length += by.length;
    }
    this.copied = end;
    this.position = end;
    this.mark(end, 0);
    this.changed = true;
  }

  finish(): DecodedView {
    this.copy(this.view.text.length);
    const { starts, origins, widths } = this;
    return { text: this.pieces.join(""), starts, origins, widths, from: this.view };
  }

  private copy(end: number): void {
    if (end <= this.copied) return;
    this.pieces.push(this.view.text.slice(this.copied, end));
    this.length += end - this.copied;
    this.copied = end;
  }

  private mark(origin: number, width: number): void {
    const last = this.starts.length - 1;
    if (this.starts[last] === this.length) {
      this.origins[last] = origin;
      this.widths[last] = width;
    } else {
      this.starts.push(this.length);
      this.origins.push(origin);
      this.widths.push(width);
    }
  }
}
