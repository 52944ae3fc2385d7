import { JSON_MAX_DEPTH } from "@/lib/catalogue/limits";
import { IngestError } from "@/lib/errors";

/** A byte range, end exclusive. */
export interface ByteSpan {
  start: number;
  end: number;
}

/** A member of the root object: where its value is and, when that is an array, where each element is. */
export interface MemberSpan extends ByteSpan {
  elements: ByteSpan[];
}

/** Where the parts of a JSON value are: the members of a root object, or the elements of a root array. */
export interface JsonLayout {
  members: Map<string, MemberSpan>;
  elements: ByteSpan[];
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

/** What one pass over the bytes of a JSON value found. `end` is the offset after the value. */
export interface JsonScan {
  layout: JsonLayout;
  patches: JsonPatch[];
  repairs: JsonRepairs;
  end: number;
}

/** A count of zero for everything. */
export function noRepairs(): JsonRepairs {
  return { nonFinite: 0, nul: 0, surrogates: 0, controls: 0, invalidUtf8: 0, duplicateKeys: 0 };
}

const KEY_LEVELS = 3;
/** More keys than this in one object are not compared: the check must stay linear on hostile input. */
const KEYS_COMPARED = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const LOWER_U = 0x75;

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isNumberByte = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e || byte === 0x45 || byte === 0x65);

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

function matches(bytes: Uint8Array, at: number, end: number, word: string): boolean {
  if (at + word.length > end) return false;
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word.charCodeAt(i)) return false;
  return true;
}

/** The line (1-based) that a byte offset is on. */
export function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1;
  let from = bytes.indexOf(0x0a);
  while (from !== -1 && from < offset) {
    line++;
    from = bytes.indexOf(0x0a, from + 1);
  }
  return line;
}

/**
 * Looks once at every byte of the JSON value in `[start, end)`, before anything is built from it: its depth, where its
 * parts are, and what must be replaced so that it can be parsed and stored. It does not check the whole grammar.
 * @throws IngestError `too_deep` (deeper than JSON_MAX_DEPTH) or `malformed` (brackets that do not match, a value that
 * is not complete), each with byte and line.
 */
export function scanJson(bytes: Uint8Array, start: number, end: number): JsonScan {
  const patches: JsonPatch[] = [];
  const repairs = noRepairs();
  const layout: JsonLayout = { members: new Map(), elements: [] };
  const isObject = new Uint8Array(JSON_MAX_DEPTH + 1);
  const keys: { hash: number; start: number; end: number }[][] = [[], [], [], []];
  let depth = 0;
  let expectKey = false;
  let member: MemberSpan | null = null;
  let memberKey: ByteSpan | null = null;
  let valueStart = -1;
  let i = start;

  const fail = (code: "malformed" | "too_deep", message: string, at: number): never => {
    const line = lineAt(bytes, at);
    throw new IngestError(code, `${message} (line ${line}, byte ${at})`, { byte: at, line, pointer: null });
  };
  const trimmed = (from: number, to: number): ByteSpan => {
    let [first, last] = [from, to];
    while (first < last && isSpace(bytes[first])) first++;
    while (last > first && isSpace(bytes[last - 1])) last--;
    return { start: first, end: last };
  };
  const endElement = (list: ByteSpan[], at: number): void => {
    const span = trimmed(valueStart, at);
    if (span.end > span.start) list.push(span);
    valueStart = at + 1;
  };
  const endMember = (at: number): void => {
    if (member && memberKey) {
      const span = trimmed(member.start, at);
      const name = keyText(bytes, memberKey);
      layout.members.set(name, { ...span, elements: member.elements });
    }
    member = null;
    memberKey = null;
  };
  const place = (): string => {
    if (depth === 0) return "";
    if (isObject[1] !== 1) return `, in element ${layout.elements.length} of the list`;
    if (!memberKey) return "";
    const name = keyText(bytes, memberKey);
    if (!member || depth < 2 || isObject[2] === 1) return `, in "${name}"`;
    return `, in element ${member.elements.length} of "${name}"`;
  };
  const noteKey = (from: number, to: number): void => {
    const known = keys[depth];
    if (!known || known.length >= KEYS_COMPARED) return;
    let hash = to - from;
    for (let k = from; k < to; k++) hash = (Math.imul(hash, 31) + (bytes[k] ?? 0)) | 0;
    for (const other of known) {
      if (other.hash !== hash || other.end - other.start !== to - from) continue;
      let same = true;
      for (let k = 0; same && k < to - from; k++) same = bytes[other.start + k] === bytes[from + k];
      if (!same) continue;
      repairs.duplicateKeys++;
      return;
    }
    known.push({ hash, start: from, end: to });
  };
  /** Returns the offset after the escape that starts at the backslash `at`. */
  const afterEscape = (at: number): number => {
    if (bytes[at + 1] !== LOWER_U) return at + 2;
    const code = hexAt(bytes, at + 2, end);
    if (code === 0) {
      repairs.nul++;
      patches.push({ start: at, end: at + 6, text: "\\ufffd" });
    } else if (code >= 0xd800 && code <= 0xdfff) {
      const isHigh = code <= 0xdbff;
      const next = isHigh && bytes[at + 6] === BACKSLASH && bytes[at + 7] === LOWER_U ? hexAt(bytes, at + 8, end) : -1;
      if (isHigh && next >= 0xdc00 && next <= 0xdfff) return at + 12;
      repairs.surrogates++;
      patches.push({ start: at, end: at + 6, text: "\\ufffd" });
    }
    return code === -1 ? at + 2 : at + 6;
  };
  /** Returns the offset after the closing quote of the string that starts at the quote `at`. */
  const afterString = (at: number): number => {
    let k = at + 1;
    while (k < end) {
      const byte = bytes[k] ?? 0;
      if (byte > BACKSLASH) k++;
      else if (byte === QUOTE) return k + 1;
      else if (byte === BACKSLASH) k = afterEscape(k);
      else if (byte < 0x20) {
        if (byte === 0) repairs.nul++;
        else repairs.controls++;
        patches.push({
          start: k,
          end: k + 1,
          text: byte === 0 ? "\\ufffd" : `\\u${byte.toString(16).padStart(4, "0")}`,
        });
        k++;
      } else k++;
    }
    return fail("malformed", `the JSON ends inside a string that starts at byte ${at}${place()}`, end);
  };
  const afterNumber = (at: number): number => {
    let k = at + 1;
    if (bytes[at] === 0x2d && matches(bytes, k, end, "Infinity")) {
      repairs.nonFinite++;
      patches.push({ start: at, end: at + 9, text: "null" });
      return at + 9;
    }
    let hasExponent = false;
    while (k < end && isNumberByte(bytes[k])) {
      if (((bytes[k] ?? 0) | 0x20) === 0x65) hasExponent = true;
      k++;
    }
    if ((hasExponent || k - at > 300) && !Number.isFinite(Number(keyText(bytes, { start: at, end: k }) || "x"))) {
      // `1e999` is correct JSON that becomes Infinity; a malformed number stays for the parser to refuse.
      if (/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(keyText(bytes, { start: at, end: k }))) {
        repairs.nonFinite++;
        patches.push({ start: at, end: k, text: "null" });
      }
    }
    return k;
  };

  while (i < end) {
    const byte = bytes[i] ?? 0;
    if (byte === QUOTE) {
      const after = afterString(i);
      if (expectKey && depth <= KEY_LEVELS) {
        noteKey(i + 1, after - 1);
        if (depth === 1) memberKey = { start: i + 1, end: after - 1 };
      }
      i = after;
      if (depth === 0) break;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth >= JSON_MAX_DEPTH) fail("too_deep", `the JSON is nested deeper than ${JSON_MAX_DEPTH} levels`, i);
      depth++;
      isObject[depth] = byte === OPEN_OBJECT ? 1 : 0;
      expectKey = byte === OPEN_OBJECT;
      const known = keys[depth];
      if (expectKey && known) known.length = 0;
      if (!expectKey && (depth === 1 || (depth === 2 && isObject[1] === 1))) valueStart = i + 1;
      i++;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      const closesObject = byte === CLOSE_OBJECT;
      if (depth === 0 || (isObject[depth] === 1) !== closesObject) {
        fail("malformed", `"${String.fromCharCode(byte)}" closes nothing here${place()}`, i);
      }
      if (!closesObject && depth === 1) endElement(layout.elements, i);
      else if (!closesObject && depth === 2 && isObject[1] === 1 && member) endElement(member.elements, i);
      else if (closesObject && depth === 1) endMember(i);
      depth--;
      expectKey = false;
      i++;
      if (depth === 0) break;
    } else if (byte === COMMA) {
      expectKey = isObject[depth] === 1;
      if (depth === 1) {
        if (expectKey) endMember(i);
        else endElement(layout.elements, i);
      } else if (depth === 2 && !expectKey && isObject[1] === 1 && member) endElement(member.elements, i);
      i++;
    } else if (byte === COLON) {
      expectKey = false;
      if (depth === 1) member = { start: i + 1, end: i + 1, elements: [] };
      i++;
    } else if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2d) {
      i = afterNumber(i);
      if (depth === 0) break;
    } else if (byte === 0x4e && matches(bytes, i, end, "NaN")) {
      repairs.nonFinite++;
      patches.push({ start: i, end: i + 3, text: "null" });
      i += 3;
      if (depth === 0) break;
    } else if (byte === 0x49 && matches(bytes, i, end, "Infinity")) {
      repairs.nonFinite++;
      patches.push({ start: i, end: i + 8, text: "null" });
      i += 8;
      if (depth === 0) break;
    } else i++;
  }
  if (depth > 0) {
    fail("malformed", `the JSON ends inside ${isObject[depth] === 1 ? "an object" : "a list"}${place()}`, end);
  }
  return { layout, patches, repairs, end: i };
}

const keyDecoder = new TextDecoder();

/** The characters of a short span; a key with escapes is given as written. */
function keyText(bytes: Uint8Array, span: ByteSpan): string {
  return keyDecoder.decode(bytes.subarray(span.start, span.end));
}
