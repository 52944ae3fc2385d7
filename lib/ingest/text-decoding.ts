import { isAscii, isUtf8, transcode } from "node:buffer";

const strict = new TextDecoder("utf-8", { fatal: true });
const lenient = new TextDecoder("utf-8");

/** Between these lengths the way by UTF-16 is the faster one. Of a whole document it makes one copy too many. */
const [LONG_BYTES, HUGE_BYTES] = [4_096, 4 * 1_024 * 1_024];

/** Decodes UTF-8 (without a byte order mark), or null when a sequence is not valid. */
export function decodeStrict(bytes: Uint8Array): string | null {
  if (bytes.length >= LONG_BYTES && bytes.length <= HUGE_BYTES) return decodeLong(bytes);
  try {
    return strict.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}

/** Takes a sixth to nine tenths of the time of the decoder, which makes a text character by character. */
function decodeLong(bytes: Uint8Array): string | null {
  const from = byteOrderMark(bytes);
  const held = Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from);
  if (isAscii(held)) return held.toString("latin1");
  return isUtf8(held) ? transcode(held, "utf8", "utf16le").toString("utf16le") : null;
}

/**
 * Decodes UTF-8 (without a byte order mark). Invalid sequences become U+FFFD; `replaced` counts them, without the
 * characters U+FFFD that the text itself holds.
 */
export function decodeUtf8(bytes: Uint8Array): { text: string; replaced: number } {
  const valid = decodeStrict(bytes);
  if (valid !== null) return { text: valid, replaced: 0 };
  const text = lenient.decode(bytes);
  return { text, replaced: countText(text, "\ufffd") - countOwn(bytes) };
}

/** The length of the byte order mark at the start: 3 for UTF-8, else 0. */
export function byteOrderMark(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function countText(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

function countOwn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) count++;
  }
  return count;
}
