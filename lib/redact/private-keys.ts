const BEGIN = "-----BEGIN ";
const END = "-----END ";
/** An RSA key of 16,384 bits is 13 kB of PEM. */
const KEY_MAX_CHARS = 20_000;

/**
 * The ranges of private keys in PEM form, from BEGIN to END. A key that is cut off ends with the last line that can be
 * part of one. Certificates and public keys are not secrets.
 */
export function privateKeys(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let at = text.indexOf(BEGIN);
  while (at !== -1) {
    const header = /^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/.exec(text.slice(at, at + 90));
    if (header === null) {
      at = text.indexOf(BEGIN, at + BEGIN.length);
      continue;
    }
    const bodyStart = at + header[0].length;
    const window = text.slice(bodyStart, bodyStart + KEY_MAX_CHARS);
    const endMark = window.indexOf(END);
    const nextBegin = window.indexOf(BEGIN);
    let end = bodyStart;
    if (endMark !== -1 && (nextBegin === -1 || endMark < nextBegin)) {
      const tail = /^-----END [A-Z0-9 ]{0,60}-----/.exec(window.slice(endMark, endMark + 90));
      end = bodyStart + endMark + (tail?.[0].length ?? END.length);
    } else {
      // Base64, white space, escapes, diff marks and line numbers; the first other character ends what is left of it.
      end =
        bodyStart +
        (/^[A-Za-z0-9+/=\s\\|>:.,-]*/.exec(nextBegin === -1 ? window : window.slice(0, nextBegin))?.[0].trimEnd()
          .length ?? 0);
    }
    if (end > bodyStart + 16) found.push({ start: at, end });
    at = text.indexOf(BEGIN, Math.max(end, bodyStart));
  }
  return found;
}
