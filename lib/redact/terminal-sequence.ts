/** What begins a terminal sequence: the escape character, or one of the single characters that stand for two (ECMA-48, C1). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const SEQUENCE_START = /[\u001b\u0090\u0098\u009b\u009d-\u009f]/g;

/** True for a character (UTF-16 unit) that begins a terminal sequence. */
export function beginsTerminalSequence(code: number): boolean {
  return code === ESCAPE || (code >= 0x90 && code <= 0x9f && STRINGS_AND_CSI.has(code - C1_DISTANCE));
}

const [ESCAPE, BELL, LINE_FEED, BACKSLASH, STRING_END] = [0x1b, 0x07, 0x0a, 0x5c, 0x9c];
const CSI = 0x5b;
const STRINGS = new Set([0x5d, 0x50, 0x58, 0x5e, 0x5f]);
const STRINGS_AND_CSI = new Set([...STRINGS, CSI]);
/** A single character of C1 is the escape character and the one that many below it. */
const C1_DISTANCE = 0x40;

/**
 * The position after the terminal sequence that begins at `start` (ECMA-48: CSI up to its final byte; OSC, DCS, SOS, PM
 * and APC up to BEL or ST; two characters otherwise). An unfinished one ends with its line.
 */
export function endOfTerminalSequence(text: string, start: number): number {
  const isShort = text.charCodeAt(start) !== ESCAPE;
  const kind = isShort ? text.charCodeAt(start) - C1_DISTANCE : text.charCodeAt(start + 1);
  const body = start + (isShort ? 1 : 2);
  if (kind === CSI) {
    let i = body;
    while (i < text.length && text.charCodeAt(i) >= 0x20 && text.charCodeAt(i) <= 0x3f) i += 1;
    const final = text.charCodeAt(i);
    return final >= 0x40 && final <= 0x7e ? i + 1 : i;
  }
  if (STRINGS.has(kind)) {
    for (let i = body; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code === BELL || code === STRING_END) return i + 1;
      if (code === ESCAPE) return text.charCodeAt(i + 1) === BACKSLASH ? i + 2 : i;
      if (code === LINE_FEED) return i;
    }
    return text.length;
  }
  return Math.min(text.length, kind >= 0x30 && kind <= 0x7e ? body : start + 1);
}
