const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
/** A quote this near is found by looking at each sign; calling a search costs about as much as looking at this many. */
const NEAR = 16;

/**
 * True when no bracket outside the strings of a JSON text opens more than so many levels. Looks once at the text, and
 * builds nothing; whether the text is JSON is for the parser to say.
 */
export function isNoDeeperThan(text: string, levels: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = closingQuote(text, i);
      if (i === -1) return true;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (++depth > levels) return false;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth--;
  }
  return true;
}

/** The offset of the quote that closes the string which opens at `at`; -1 when there is none. */
function closingQuote(text: string, at: number): number {
  for (let from = at + 1; ; ) {
    // What is before `i` is no open escape: `from` stands behind a quote, and an escape is stepped over whole.
    let i = from;
    for (const near = Math.min(text.length, from + NEAR); i < near; ) {
      const code = text.charCodeAt(i);
      if (code === QUOTE) return i;
      i += code === BACKSLASH ? 2 : 1;
    }
    const quote = text.indexOf('"', i);
    if (quote === -1) return -1;
    let backslashes = 0;
    while (quote - backslashes > i && text.charCodeAt(quote - backslashes - 1) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
    from = quote + 1;
  }
}
