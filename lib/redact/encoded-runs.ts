/** A stretch of base64 (either alphabet) and what it decodes to, one character a byte. */
export interface EncodedRun {
  start: number;
  end: number;
  decoded: string;
}

/** Shorter runs cannot hold a secret of any family. */
const RUN_MIN_CHARS = 24;
/** Wrapped base64 (64 or 76 columns) goes on in the next line; shorter lines are words, not a block. */
const WRAPPED_LINE_MIN_CHARS = 56;
/** Share of plain characters from which decoded bytes count as text. */
const TEXT_SHARE = 0.9;

const LATIN1 = new TextDecoder("latin1");
const VALUES = new Int8Array(128).fill(-1);
for (let i = 0; i < 64; i += 1) {
  VALUES["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".charCodeAt(i)] = i;
}
VALUES["-".charCodeAt(0)] = 62;
VALUES["_".charCodeAt(0)] = 63;

/**
 * The base64 runs of a text that decode to text. A run may be glued to characters of the same alphabet (a path, a
 * name), so all four phases are tried and the ones that read as text are returned. One pass; work is linear.
 */
export function encodedRuns(text: string): EncodedRun[] {
  const runs: EncodedRun[] = [];
  let i = 0;
  while (i < text.length) {
    if (valueAt(text, i) === -1) {
      i += 1;
      continue;
    }
    const start = i;
    let lineStart = i;
    for (;;) {
      while (i < text.length && valueAt(text, i) !== -1) i += 1;
      const isLong = i - lineStart >= WRAPPED_LINE_MIN_CHARS;
      const next = isLong ? afterLineBreak(text, i) : -1;
      if (next === -1 || valueAt(text, next) === -1) break;
      i = next;
      lineStart = i;
    }
    if (i - start < RUN_MIN_CHARS) continue;
    const values = valuesOf(text, start, i);
    const padded = text.charCodeAt(i) === 61 ? (text.charCodeAt(i + 1) === 61 ? i + 2 : i + 1) : i;
    for (let phase = 0; phase < 4; phase += 1) {
      const decoded = decode(values, phase);
      if (decoded !== null) runs.push({ start, end: padded, decoded });
    }
  }
  return runs;
}

function valueAt(text: string, i: number): number {
  const code = text.charCodeAt(i);
  return code < 128 ? (VALUES[code] ?? -1) : -1;
}

function afterLineBreak(text: string, i: number): number {
  if (text.charCodeAt(i) === 10) return i + 1;
  return text.charCodeAt(i) === 13 && text.charCodeAt(i + 1) === 10 ? i + 2 : -1;
}

function valuesOf(text: string, start: number, end: number): Uint8Array {
  const values = new Uint8Array(end - start);
  let n = 0;
  for (let i = start; i < end; i += 1) {
    const value = valueAt(text, i);
    if (value !== -1) {
      values[n] = value;
      n += 1;
    }
  }
  return values.subarray(0, n);
}

/** Decodes from the phase on; null when the bytes do not read as text, which the first of them mostly show. */
function decode(values: Uint8Array, phase: number): string | null {
  const bytes = new Uint8Array(((values.length - phase) * 3) >> 2);
  let plain = 0;
  for (let n = 0; n < bytes.length; n += 1) {
    const at = phase + ((n / 3) | 0) * 4 + (n % 3);
    const left = values[at] ?? 0;
    const right = values[at + 1] ?? 0;
    const byte =
      n % 3 === 0
        ? (left << 2) | (right >> 4)
        : n % 3 === 1
          ? ((left & 15) << 4) | (right >> 2)
          : ((left & 3) << 6) | right;
    bytes[n] = byte;
    if ((byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13) plain += 1;
    if (n === 48 && plain < 24) return null;
  }
  return plain < bytes.length * TEXT_SHARE ? null : LATIN1.decode(bytes);
}
