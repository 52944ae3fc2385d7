/** How a run of terminal text looks. `colour` and `ground` are names of classes, never values from the text. */
export interface AnsiStyle {
  colour: AnsiColour | null;
  ground: AnsiColour | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
}

export const ANSI_COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;
export type AnsiColour = (typeof ANSI_COLOURS)[number];

/** A stretch of the source text that is shown: `start` and `end` are UTF-16 offsets into it. */
export interface AnsiRun {
  start: number;
  end: number;
  style: AnsiStyle;
}

export const PLAIN_STYLE: AnsiStyle = {
  colour: null,
  ground: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
};

const ESC = 0x1b;
const BEL = 0x07;
/** One-character forms of CSI and of the string introducers (ECMA-48, C1). */
const C1_CSI = 0x9b;
const C1_STRINGS = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);
/** More parameters than any terminal uses; the rest of a sequence is skipped without being kept. */
const MAX_PARAMETERS = 32;

/** The nearest of the eight names for a 256-colour index or for red, green and blue, 0 to 255 each. */
function nearest(red: number, green: number, blue: number): AnsiColour {
  const most = Math.max(red, green, blue);
  if (most < 48) return "black";
  const bits = (red > most / 2 ? 1 : 0) + (green > most / 2 ? 2 : 0) + (blue > most / 2 ? 4 : 0);
  return ANSI_COLOURS[bits] ?? "white";
}

function indexed(index: number): AnsiColour {
  if (index < 16) return ANSI_COLOURS[index % 8] ?? "white";
  if (index >= 232) return index < 238 ? "black" : "white";
  const cube = index - 16;
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

function extended(parameters: number[], at: number): { colour: AnsiColour | null; next: number } {
  const mode = parameters[at + 1];
  if (mode === 5) return { colour: indexed(Math.min(parameters[at + 2] ?? 0, 255)), next: at + 3 };
  if (mode === 2) {
    const [red = 0, green = 0, blue = 0] = parameters.slice(at + 2, at + 5);
    return { colour: nearest(red, green, blue), next: at + 5 };
  }
  return { colour: null, next: parameters.length };
}

/** Applies the parameters of one `m` sequence (ECMA-48 8.3.117). */
function graphicRendition(style: AnsiStyle, parameters: number[]): AnsiStyle {
  let next = { ...style };
  let i = 0;
  while (i < Math.max(parameters.length, 1)) {
    const code = parameters[i] ?? 0;
    i++;
    if (code === 0) next = { ...PLAIN_STYLE };
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underline = true;
    else if (code === 22) {
      next.bold = false;
      next.dim = false;
    } else if (code === 23) next.italic = false;
    else if (code === 24) next.underline = false;
    else if (code >= 30 && code <= 37) next.colour = ANSI_COLOURS[code - 30] ?? null;
    else if (code >= 90 && code <= 97) next.colour = ANSI_COLOURS[code - 90] ?? null;
    else if (code === 39) next.colour = null;
    else if (code >= 40 && code <= 47) next.ground = ANSI_COLOURS[code - 40] ?? null;
    else if (code >= 100 && code <= 107) next.ground = ANSI_COLOURS[code - 100] ?? null;
    else if (code === 49) next.ground = null;
    else if (code === 38 || code === 48) {
      const { colour, next: after } = extended(parameters, i - 1);
      if (code === 38) next.colour = colour;
      else next.ground = colour;
      i = after;
    }
  }
  return next;
}

/** Reads a control sequence from just after its introducer; answers where the text goes on. */
function controlSequence(text: string, from: number): { end: number; parameters: number[]; final: string } {
  const parameters: number[] = [];
  let value = -1;
  let i = from;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x30 && code <= 0x39) value = Math.min(Math.max(value, 0) * 10 + code - 0x30, 9_999);
    else if (code === 0x3b || code === 0x3a) {
      if (parameters.length < MAX_PARAMETERS) parameters.push(Math.max(value, 0));
      value = -1;
    } else if (code >= 0x20 && code <= 0x3f) continue;
    else break;
  }
  if (value >= 0 && parameters.length < MAX_PARAMETERS) parameters.push(value);
  const code = text.charCodeAt(i);
  const complete = i < text.length && code >= 0x40 && code <= 0x7e;
  // A broken sequence ends before the character that broke it, so that a line break or a letter is never eaten.
  return { end: complete ? i + 1 : i, parameters, final: complete ? (text[i] ?? "") : "" };
}

/** The end of an OSC, DCS, SOS, PM or APC string. One that is not closed in its line ends with the line. */
function controlString(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BEL || code === 0x9c) return i + 1;
    if (code === ESC) return text[i + 1] === "\\" ? i + 2 : i;
    if (code === 0x0a) return i;
  }
  return text.length;
}

/**
 * Splits terminal text into runs of one look, leaving every escape sequence out. Linear in the text, whatever it holds;
 * links and titles (OSC) are dropped and only their visible text stays. The answer's `style` continues a later piece.
 */
export function scanAnsi(text: string, style: AnsiStyle = PLAIN_STYLE): { runs: AnsiRun[]; style: AnsiStyle } {
  const runs: AnsiRun[] = [];
  let current = style;
  let start = 0;
  let i = 0;
  const flush = (end: number) => {
    if (end > start) runs.push({ start, end, style: current });
  };
  while (i < text.length) {
    const code = text.charCodeAt(i);
    const isCsi = code === C1_CSI || (code === ESC && text[i + 1] === "[");
    if (isCsi) {
      flush(i);
      const sequence = controlSequence(text, code === ESC ? i + 2 : i + 1);
      if (sequence.final === "m") current = graphicRendition(current, sequence.parameters);
      i = sequence.end;
      start = i;
    } else if (C1_STRINGS.has(code) || (code === ESC && /[PX\]^_]/.test(text[i + 1] ?? ""))) {
      flush(i);
      i = controlString(text, code === ESC ? i + 2 : i + 1);
      start = i;
    } else if (code === ESC) {
      flush(i);
      // Two-character escapes, and those with intermediates such as the choice of a character set.
      let end = i + 1;
      while (end < text.length && text.charCodeAt(end) >= 0x20 && text.charCodeAt(end) <= 0x2f) end++;
      const last = text.charCodeAt(end);
      i = end < text.length && last >= 0x30 && last <= 0x7e ? end + 1 : end;
      start = i;
    } else i++;
  }
  flush(text.length);
  return { runs, style: current };
}
