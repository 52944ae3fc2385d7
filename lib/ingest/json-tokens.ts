/** A byte range, end exclusive. */
export interface ByteSpan {
  start: number;
  end: number;
}

/** A replacement that makes the bytes acceptable to `JSON.parse` and to Postgres. */
export interface JsonPatch extends ByteSpan {
  text: string;
}

/** What had to be repaired, and how often. */
export interface JsonRepairs {
  /** `NaN`, `Infinity`, `-Infinity` and numbers beyond the range of a double, read as null. */
  nonFinite: number;
  /** NUL characters, read as U+FFFD. */
  nul: number;
  /** Halves of surrogate pairs that stand alone, read as U+FFFD. */
  surrogates: number;
  /** Other raw control characters inside strings, read as themselves. */
  controls: number;
  /** Byte sequences that are not UTF-8, read as U+FFFD. */
  invalidUtf8: number;
  /** Keys that occur again in the same object (noticed in the three outermost levels); the last one counts. */
  duplicateKeys: number;
}

/** A count of zero for everything. */
export function noRepairs(): JsonRepairs {
  return { nonFinite: 0, nul: 0, surrogates: 0, controls: 0, invalidUtf8: 0, duplicateKeys: 0 };
}

/** The bytes that are scanned, and what the scan collects on the way. */
export interface TokenScan {
  bytes: Uint8Array;
  /** The offset after the last byte that belongs to the value. */
  end: number;
  patches: JsonPatch[];
  repairs: JsonRepairs;
}

const [QUOTE, BACKSLASH, LOWER_U, MINUS] = [0x22, 0x5c, 0x75, 0x2d];

/** 1 for a byte that stands for itself inside a string. A table takes one comparison a byte, for every byte. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);

const isNumberByte = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e || byte === 0x45 || byte === 0x65;

/** The value of four hexadecimal digits at `at`, or -1. */
function hexAt(bytes: Uint8Array, at: number, end: number): number {
  if (at + 4 > end) return -1;
  let value = 0;
  for (let i = at; i < at + 4; i++) {
    const byte = bytes[i] ?? 0;
    const lower = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) value = value * 16 + byte - 0x30;
    else if (lower >= 0x61 && lower <= 0x66) value = value * 16 + lower - 0x57;
    else return -1;
  }
  return value;
}

function startsWith(bytes: Uint8Array, at: number, end: number, word: string): boolean {
  if (at + word.length > end) return false;
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word.charCodeAt(i)) return false;
  return true;
}

/** The offset after the closing quote of the string that starts at the quote `at`, or -1 when the bytes end inside it. */
export function afterString(scan: TokenScan, at: number): number {
  const { bytes, end } = scan;
  let i = at + 1;
  for (;;) {
    while (i < end && IS_PLAIN[bytes[i] ?? 0] === 1) i++;
    if (i >= end) return -1;
    const byte = bytes[i] ?? 0;
    if (byte === QUOTE) return i + 1;
    if (byte === BACKSLASH) i = afterEscape(scan, i);
    else {
      if (byte === 0) scan.repairs.nul++;
      else scan.repairs.controls++;
      const text = byte === 0 ? "\\ufffd" : `\\u${byte.toString(16).padStart(4, "0")}`;
      scan.patches.push({ start: i, end: i + 1, text });
      i++;
    }
  }
}

/** A quote this near is found by looking at each byte; calling a search costs about as much as looking at this many. */
const NEAR = 16;

/**
 * As `afterString`, several times as fast, and without looking at what the string holds: for text of which `JSON.parse` and
 * a look at the parsed strings will tell. `ascii` is the text of the bytes when each byte is one character, else null.
 */
export function afterStringUnread(bytes: Uint8Array, ascii: string | null, at: number, end: number): number {
  let from = at + 1;
  for (;;) {
    // What is before `i` is no open escape: `from` starts after a quote, and an escape is stepped over whole.
    let i = from;
    const near = Math.min(end, from + NEAR);
    while (i < near) {
      const byte = bytes[i];
      if (byte === QUOTE) return i + 1;
      i += byte === BACKSLASH ? 2 : 1;
    }
    if (i >= end) return -1;
    const quote = ascii === null ? bytes.indexOf(QUOTE, i) : ascii.indexOf('"', i);
    if (quote === -1 || quote >= end) return -1;
    let backslashes = 0;
    while (quote - backslashes > i && bytes[quote - backslashes - 1] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

/** The offset after the escape that starts at the backslash `at`; NUL and lone surrogates are patched. */
function afterEscape(scan: TokenScan, at: number): number {
  const { bytes, end } = scan;
  if (bytes[at + 1] !== LOWER_U) return at + 2;
  const code = hexAt(bytes, at + 2, end);
  if (code === -1) return at + 2;
  const isHigh = code >= 0xd800 && code <= 0xdbff;
  if (isHigh && bytes[at + 6] === BACKSLASH && bytes[at + 7] === LOWER_U) {
    const next = hexAt(bytes, at + 8, end);
    if (next >= 0xdc00 && next <= 0xdfff) return at + 12;
  }
  if (code === 0 || (code >= 0xd800 && code <= 0xdfff)) {
    if (code === 0) scan.repairs.nul++;
    else scan.repairs.surrogates++;
    scan.patches.push({ start: at, end: at + 6, text: "\\ufffd" });
  }
  return at + 6;
}

/** The offset after the number (or `-Infinity`) that starts at `at`. A number beyond a double is patched to null. */
export function afterNumber(scan: TokenScan, at: number): number {
  const { bytes, end } = scan;
  if (bytes[at] === MINUS && startsWith(bytes, at + 1, end, "Infinity")) return afterNonFinite(scan, at, 9);
  let i = at + 1;
  let hasExponent = false;
  while (i < end && isNumberByte(bytes[i] ?? 0)) {
    if (((bytes[i] ?? 0) | 0x20) === 0x65) hasExponent = true;
    i++;
  }
  if (!hasExponent && i - at <= 300) return i;
  const text = new TextDecoder().decode(bytes.subarray(at, i));
  // `1e999` is correct JSON that becomes Infinity; a malformed number stays for the parser to refuse.
  const isOut = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) && !Number.isFinite(Number(text));
  return isOut ? afterNonFinite(scan, at, i - at) : i;
}

/** The offset after `NaN` or `Infinity` at `at`, which are patched to null; -1 when neither stands there. */
export function afterBareWord(scan: TokenScan, at: number): number {
  if (startsWith(scan.bytes, at, scan.end, "NaN")) return afterNonFinite(scan, at, 3);
  return startsWith(scan.bytes, at, scan.end, "Infinity") ? afterNonFinite(scan, at, 8) : -1;
}

function afterNonFinite(scan: TokenScan, at: number, length: number): number {
  scan.repairs.nonFinite++;
  scan.patches.push({ start: at, end: at + length, text: "null" });
  return at + length;
}
