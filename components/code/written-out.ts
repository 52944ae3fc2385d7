import { hiddenLabel, splitHidden } from "@/components/trajectory/text-runs";

/** A stretch of one line: 1-based line and columns in UTF-16 units, as the editor counts; `endColumn` is behind it. */
export interface LineStretch {
  line: number;
  startColumn: number;
  endColumn: number;
}

export interface WrittenOut {
  text: string;
  /** Where characters were written out: the same words in the file itself are none. */
  stretches: LineStretch[];
}

/** Control characters and direction marks are drawn by the editor itself, as `␛` or `[U+202E]`. */
const DRAWN_BY_EDITOR = /^(?:(?![\u0080-\u009f])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])/u;

/**
 * Text for the editor, in which every character that it would draw as nothing is written out, as `[U+200B]`: also on a
 * line that is gone, where the editor draws no decorations. Lines stay where they are.
 */
export function writeOutHidden(text: string): WrittenOut {
  const stretches: LineStretch[] = [];
  let written = "";
  let line = 1;
  let column = 1;
  for (const part of splitHidden(text)) {
    if (part.hidden !== null && !DRAWN_BY_EDITOR.test(part.text)) {
      const label = `[${hiddenLabel(part.text)}]`;
      stretches.push({ line, startColumn: column, endColumn: column + label.length });
      written += label;
      column += label.length;
      continue;
    }
    written += part.text;
    const lines = part.text.split(/\r\n|\r|\n/);
    line += lines.length - 1;
    column = (lines.length === 1 ? column : 1) + (lines.at(-1)?.length ?? 0);
  }
  return { text: written, stretches };
}
