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
}

/** True for a match of what is looked for. */
export function isFindMark(mark: Pick<TextMark, "kind">): boolean {
  return mark.kind === "find" || mark.kind === "find-current";
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

/**
 * Text as runs: escape sequences become looks, quotations become marks, hidden characters become boxes. Every run is
 * plain text; nothing is read as markup. With `prose`, single-line backtick spans get the code face. With `literal`, text
 * that no terminal has shown (files, arguments) keeps its escape characters, as boxes.
 */
export function textRuns(
  text: string,
  options: { marks?: readonly TextMark[]; prose?: boolean; literal?: boolean; style?: AnsiStyle } = {},
): TextRun[] {
  const marks = options.marks ?? [];
  const code = options.prose ? codeSpans(text) : [];
  const runs: TextRun[] = [];
  const cuts = new Set<number>();
  for (const span of [...marks, ...code]) {
    cuts.add(span.start);
    cuts.add(span.end);
  }
  const sorted = [...cuts].sort((a, b) => a - b);
  const looks = options.literal
    ? [{ start: 0, end: text.length, style: PLAIN_STYLE }]
    : scanAnsi(text, options.style ?? PLAIN_STYLE).runs;
  for (const run of looks) {
    const inner = sorted.filter((cut) => cut > run.start && cut < run.end);
    const edges = [run.start, ...inner, run.end];
    for (let i = 0; i + 1 < edges.length; i++) {
      const start = edges[i] ?? 0;
      const end = edges[i + 1] ?? 0;
      const mark = marks.find((each) => each.start <= start && end <= each.end) ?? null;
      const isCode = code.some((each) => each.start <= start && end <= each.end);
      for (const part of splitHidden(text.slice(start, end))) runs.push({ ...part, style: run.style, mark, isCode });
    }
  }
  return runs;
}
