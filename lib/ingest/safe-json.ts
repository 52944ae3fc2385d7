import { JSON_MAX_DEPTH } from "@/lib/catalogue/limits";
import { IngestError } from "@/lib/errors";
import { isNoDeeperThan } from "./json-depth";
import { type JsonLayout, lineAt, scanJson } from "./json-scan";
import { findSyntaxFault } from "./json-syntax";
import type { JsonPatch, JsonRepairs } from "./json-tokens";
import { decodeStrict, decodeUtf8 } from "./text-decoding";

/** Any JSON value. A key `__proto__` is an ordinary own property of it; never copy keys with `Object.assign`. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** A parsed value, where its parts are in the bytes, and what had to be repaired. */
export interface ParsedJson {
  value: JsonValue;
  layout: JsonLayout;
  repairs: Readonly<JsonRepairs>;
}

const encoder = new TextEncoder();

/**
 * Parses the one JSON value in `[start, end)`: tolerates `NaN` and its kin, NUL, lone surrogates, raw control characters
 * and bytes that are not UTF-8, and counts each. Byte offsets in the layout refer to the given bytes.
 * @throws IngestError `malformed` or `too_deep` with byte and line; nothing else.
 */
export function parseJson(bytes: Uint8Array, start = 0, end = bytes.length, withLayout = true): ParsedJson {
  return parseClean(bytes, start, end, withLayout) ?? parseRepaired(bytes, start, end, withLayout);
}

/**
 * Parses a value of which nothing has to be repaired but duplicate keys, which is nearly every one, in less than half the
 * time of the other way. Null when something has to be, or when it is no JSON.
 */
function parseClean(bytes: Uint8Array, start: number, end: number, withLayout: boolean): ParsedJson | null {
  const isWhole = start === 0 && end === bytes.length;
  const text = decodeStrict(isWhole ? bytes : bytes.subarray(start, end));
  if (text === null) return null;
  // UTF-8 has fewer characters than bytes as soon as one is beyond ASCII. Offsets agree only from the first byte on.
  const ascii = isWhole && text.length === end ? text : null;
  // Before it is parsed: that a value is too deep must be known before anything is built from it.
  const scan = scanJson(bytes, start, end, withLayout, { unread: true, ascii });
  if (scan.patches.length > 0) return null;
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    // Not swallowed: the other way repairs it or says where the fault is.
    return null;
  }
  const needsRepair = mayNeedRepair(text) && !isStorable(value, text.includes("\\u0000"));
  return needsRepair ? null : { value, layout: scan.layout, repairs: scan.repairs };
}

/** An escape of NUL, of a surrogate pair, or of half a one. Only escapes can bring these into a string of valid UTF-8. */
const SUSPICIOUS_ESCAPE = /\\u(?:0000|[dD][89abAB][\da-fA-F]{2}(?:\\u[dD][c-fC-F][\da-fA-F]{2})?|[dD][c-fC-F])/g;
const PAIR_CHARS = "\\ud83d\\ude00".length;

/**
 * True when the JSON text holds an escape of NUL or of half a pair that stands alone. It can only be wrong in saying so:
 * what looks like one may stand behind an escaped backslash, or in a member that a later one of its key replaces.
 */
function mayNeedRepair(text: string): boolean {
  // Most lines hold no such escape at all, and a search for two signs is faster than the expression.
  const first = text.indexOf("\\u");
  if (first === -1) return false;
  SUSPICIOUS_ESCAPE.lastIndex = first;
  for (let found = SUSPICIOUS_ESCAPE.exec(text); found !== null; found = SUSPICIOUS_ESCAPE.exec(text)) {
    // Behind an escaped backslash the first half may be text and the second one an escape.
    if (found[0].length < PAIR_CHARS || text[found.index - 1] === "\\") return true;
  }
  return false;
}

/**
 * True when no string and no key of a value holds what Postgres refuses. NUL is only looked for when it may be there: in
 * text beyond Latin-1 that takes as long as all the rest. Iterative, so that depth cannot hurt.
 */
function isStorable(value: JsonValue, mayHoldNul: boolean): boolean {
  const isClean = (text: string): boolean => text.isWellFormed() && !(mayHoldNul && text.includes("\u0000"));
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") {
      if (!isClean(next)) return false;
    } else if (Array.isArray(next)) {
      for (const element of next) if (typeof element === "object" || typeof element === "string") open.push(element);
    } else if (isObject(next)) {
      for (const key of Object.keys(next)) {
        if (!isClean(key)) return false;
        const held = next[key];
        if (typeof held === "object" || typeof held === "string") open.push(held);
      }
    }
  }
  return true;
}

function parseRepaired(bytes: Uint8Array, start: number, end: number, withLayout: boolean): ParsedJson {
  const scan = scanJson(bytes, start, end, withLayout, { unread: false });
  const clean = scan.patches.length === 0 ? bytes.subarray(start, end) : patched(bytes, start, end, scan.patches);
  const { text, replaced } = decodeUtf8(clean);
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw syntaxError(bytes, start, text, scan.patches, cause);
  }
  return { value, layout: scan.layout, repairs: { ...scan.repairs, invalidUtf8: replaced } };
}

/**
 * Parses JSON that stands inside a string of an upload (arguments, a configuration). Repairs are not counted again.
 * Returns undefined when the text is not JSON or nested too deep: the caller then keeps the text as text.
 */
export function parseNestedJson(text: string): JsonValue | undefined {
  const plain = parsePlain(text);
  if (plain !== undefined) return plain;
  try {
    const bytes = encoder.encode(text);
    return parseJson(bytes, 0, bytes.length, false).value;
  } catch (error) {
    if (error instanceof IngestError) return undefined;
    throw error;
  }
}

/** Longer texts are not parsed before their depth is known: what would be built from them is many times as large. */
const PLAIN_CHARS = 65_536;

/**
 * Parses a text as it is, which takes half the time of making bytes of it. Undefined when it is no object or list, or when
 * something of it has to be repaired or refused: then the other way decides.
 */
function parsePlain(text: string): JsonValue | undefined {
  const isContainer = text.startsWith("{") || text.startsWith("[");
  if (!isContainer || mayNeedRepair(text) || !text.isWellFormed()) return undefined;
  if (text.length > PLAIN_CHARS && !isNoDeeperThan(text, JSON_MAX_DEPTH)) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    // Not swallowed: the other way repairs it or finds out that it is no JSON.
    return undefined;
  }
  return isPlain(value, JSON_MAX_DEPTH) ? value : undefined;
}

/** True when a value is no deeper than so many levels and holds no number beyond the range of a double. */
function isPlain(value: JsonValue, levels: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const held of value) if (!isPlain(held, levels - 1)) return false;
    return true;
  }
  // A list of the values would be made for each object of each call.
  for (const key in value) if (!isPlain(value[key] ?? null, levels - 1)) return false;
  return true;
}

/** A text without NUL and lone surrogates, which Postgres refuses. For text that did not come through `parseJson`. */
export function storable(text: string): string {
  const withoutNul = text.includes("\u0000") ? text.replaceAll("\u0000", "\ufffd") : text;
  return withoutNul.toWellFormed();
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The own member of an object, undefined for anything else: `toString` and `__proto__` of a prototype are not members. */
export function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (!isObject(value)) return undefined;
  // What a prototype holds is a function, or behind this one key. Asking `hasOwn` each time takes as long again.
  const held = value[key];
  if (typeof held !== "function" && key !== "__proto__") return held;
  return Object.hasOwn(value, key) ? held : undefined;
}

/** A string member, or null. */
export function stringMember(value: JsonValue | undefined, key: string): string | null {
  const found = member(value, key);
  return typeof found === "string" ? found : null;
}

/** A list member, or an empty list. */
export function listMember(value: JsonValue | undefined, key: string): JsonValue[] {
  const found = member(value, key);
  return Array.isArray(found) ? found : [];
}

/** A number member that is not negative (counts, tokens, costs, times), or null. */
export function countMember(value: JsonValue | undefined, key: string): number | null {
  const found = member(value, key);
  return typeof found === "number" && Number.isFinite(found) && found >= 0 ? found : null;
}

function patched(bytes: Uint8Array, start: number, end: number, patches: readonly JsonPatch[]): Uint8Array {
  const texts = patches.map((patch) => encoder.encode(patch.text));
  const growth = patches.reduce((sum, patch, n) => sum + (texts[n]?.length ?? 0) - (patch.end - patch.start), 0);
  const result = new Uint8Array(end - start + growth);
  let [from, to] = [start, 0];
  patches.forEach((patch, n) => {
    const text = texts[n] ?? new Uint8Array();
    result.set(bytes.subarray(from, patch.start), to);
    to += patch.start - from;
    result.set(text, to);
    to += text.length;
    from = patch.end;
  });
  result.set(bytes.subarray(from, end), to);
  return result;
}

function syntaxError(
  bytes: Uint8Array,
  start: number,
  text: string,
  patches: readonly JsonPatch[],
  cause: unknown,
): IngestError {
  const fault = findSyntaxFault(text);
  if (!fault) return new IngestError("malformed", "this is not JSON", undefined, { cause });
  // Bytes before the fault, less what the patches before it have added. Bytes that were not UTF-8 make it approximate.
  let byte = start + encoder.encode(text.slice(0, fault.index)).length;
  for (const patch of patches) {
    if (patch.start >= byte) break;
    byte -= encoder.encode(patch.text).length - (patch.end - patch.start);
  }
  const line = lineAt(bytes, byte);
  const found = fault.index < text.length ? JSON.stringify(text.charAt(fault.index)) : "the end";
  const message = `this is not JSON: expected ${fault.expected}, found ${found} (line ${line}, byte ${byte})`;
  return new IngestError("malformed", message, { byte, line, pointer: null }, { cause });
}
