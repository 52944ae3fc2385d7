import { type AnsiStyle, PLAIN_STYLE, scanAnsi } from "./ansi";

/**
 * A stretch of text to highlight: UTF-16 offsets into the text that is shown. `n` numbers the evidence, or the matches of
 * what is looked for. Where marks overlap, the first one of a list is seen.
 */
export interface TextMark {
  start: number;
  end: number;
  kind: "decisive" | "candidate" | "find" | "find-current";
  n: number;
  /** True for the quotation that the address asks for: it is opened wherever it stands. */
  isAsked?: boolean;
}

/** True for a match of what is looked for. */
export function isFindMark(mark: Pick<TextMark, "kind">): boolean {
  return mark.kind === "find" || mark.kind === "find-current";
}

/** The mark that is gone to: the open match, else the quotation that is asked for. */
export function goneTo<T extends TextMark>(marks: readonly T[]): T | null {
  return marks.find(({ kind }) => kind === "find-current") ?? marks.find(({ isAsked }) => isAsked) ?? null;
}

/** A run that is drawn as one element: plain words, or one character that would otherwise be invisible. */
export interface TextRun {
  text: string;
  style: AnsiStyle;
  mark: TextMark | null;
  isCode: boolean;
  /** The character's name when the run stands for an invisible character. */
  hidden: string | null;
}

const NAMES: Record<number, string> = {
  173: "soft hyphen",
  1564: "Arabic letter mark",
  8203: "zero-width space",
  8204: "zero-width non-joiner",
  8205: "zero-width joiner",
  8206: "left-to-right mark",
  8207: "right-to-left mark",
  8234: "left-to-right embedding",
  8235: "right-to-left embedding",
  8236: "end of directional formatting",
  8237: "left-to-right override",
  8238: "right-to-left override",
  8288: "word joiner",
  8294: "left-to-right isolate",
  8295: "right-to-left isolate",
  8296: "first strong isolate",
  8297: "end of isolate",
  65279: "byte order mark",
};

/** A joiner between emoji parts belongs to the picture and is left alone. */
const PICTURE_JOINER = /(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic})/u;
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to make visible
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]|\r(?!\n)/gu;

/** The name of a character that is drawn as a small box because it would be invisible or would reorder the text (X8). */
export function hiddenName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xe0000 && code <= 0xe007f) return "tag character";
  if (code === 0x0d) return "carriage return";
  if (code === 0) return "NUL";
  return NAMES[code] ?? "control character";
}

/** How a hidden character, or a row of equal ones, is written in its box. */
export function hiddenLabel(characters: string): string {
  const code = characters.codePointAt(0) ?? 0;
  const count = characters.length / (code > 0xffff ? 2 : 1);
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}${count > 1 ? ` ×${count}` : ""}`;
}

/** Cuts text at its hidden characters; equal ones in a row stay together. Line ends and tabs are left as they are. */
export function splitHidden(text: string): { text: string; hidden: string | null }[] {
  // Nearly every run has none, and a search costs a tenth of the iterator.
  if (text.search(HIDDEN) === -1) return text === "" ? [] : [{ text, hidden: null }];
  const parts: { text: string; hidden: string | null }[] = [];
  let at = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const character = match[0];
    if (character === "\u200d" && PICTURE_JOINER.test(text.slice(Math.max(0, match.index - 3), match.index + 3)))
      continue;
    if (match.index > at) parts.push({ text: text.slice(at, match.index), hidden: null });
    const last = parts.at(-1);
    if (last && last.hidden !== null && match.index === at && last.text.startsWith(character)) last.text += character;
    else parts.push({ text: character, hidden: hiddenName(character) });
    at = match.index + character.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), hidden: null });
  return parts;
}

interface Span {
  start: number;
  end: number;
}

/** Stretches between single backticks on one line: shown in the code face, with nothing else interpreted. */
function codeSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(/(?<!`)`([^`\n]{1,200})`(?!`)/g)) {
    spans.push({ start: match.index, end: match.index + match[0].length });
  }
  return spans;
}

/** A stretch of the text in which nothing that is highlighted begins or ends. */
interface Stretch extends Span {
  mark: TextMark | null;
  isCode: boolean;
}

/** The whole text in stretches, in order. Of marks that overlap, the first of the list is seen. `code` is in order. */
function stretchesOf(length: number, marks: readonly TextMark[], code: readonly Span[]): Stretch[] {
  const ordered = marks.map((mark, order) => ({ mark, order })).sort((a, b) => a.mark.start - b.mark.start);
  const edges = [...marks, ...code].flatMap(({ start, end }) => [start, end]);
  const inside = edges.filter((edge) => edge > 0 && edge < length);
  const cuts = [...new Set([0, ...inside, length])].sort((a, b) => a - b);
  const stretches: Stretch[] = [];
  let open: typeof ordered = [];
  let nextMark = 0;
  let nextCode = 0;
  for (let i = 0; i + 1 < cuts.length; i++) {
    const start = cuts[i] ?? 0;
    for (let one = ordered[nextMark]; one && one.mark.start <= start; one = ordered[++nextMark]) open.push(one);
    open = open.filter(({ mark }) => mark.end > start);
    while ((code[nextCode]?.end ?? length) <= start) nextCode++;
    const seen = open.reduce((first, one) => (one.order < first.order ? one : first), open[0] ?? NOTHING);
    stretches.push({
      start,
      end: cuts[i + 1] ?? length,
      mark: seen.mark,
      isCode: (code[nextCode]?.start ?? length) <= start,
    });
  }
  return stretches;
}

const NOTHING = { mark: null, order: -1 };

/**
 * Text as runs: escape sequences become looks, quotations become marks, hidden characters become boxes. Every run is
 * plain text; nothing is read as markup. With `prose`, single-line backtick spans get the code face. With `literal`, text
 * that no terminal has shown (files, arguments) keeps its escape characters, as boxes.
 */
export function textRuns(
  text: string,
  options: { marks?: readonly TextMark[]; prose?: boolean; literal?: boolean; style?: AnsiStyle } = {},
): TextRun[] {
  const stretches = stretchesOf(text.length, options.marks ?? [], options.prose ? codeSpans(text) : []);
  const looks = options.literal
    ? [{ start: 0, end: text.length, style: PLAIN_STYLE }]
    : scanAnsi(text, options.style ?? PLAIN_STYLE).runs;
  const runs: TextRun[] = [];
  let first = 0;
  for (const look of looks) {
    while ((stretches[first]?.end ?? text.length) <= look.start && first < stretches.length) first++;
    for (let at = first; at < stretches.length; at++) {
      const stretch = stretches[at];
      if (stretch === undefined || stretch.start >= look.end) break;
      const piece = text.slice(Math.max(stretch.start, look.start), Math.min(stretch.end, look.end));
      for (const part of splitHidden(piece)) {
        runs.push({ ...part, style: look.style, mark: stretch.mark, isCode: stretch.isCode });
      }
    }
  }
  return runs;
}
