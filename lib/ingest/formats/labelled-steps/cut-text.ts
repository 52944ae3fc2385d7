import { type JsonObject, type JsonValue, parseNestedJson } from "../../safe-json";

/** The sign at the end of a text that was cut short, with or without how much is gone. */
const CUT = /\s?…(?:\[\+\d{1,12} chars\])?$/;
/** No sign of a cut is longer. */
const SIGN_CHARS = 32;

/** Whether a text ends in the sign that whoever wrote the file cut it short. Dots alone may be the text's own. */
export function isCutShort(text: string): boolean {
  const tail = text.slice(-SIGN_CHARS);
  return (tail.endsWith("…") || tail.endsWith(" chars]")) && CUT.test(tail);
}

/** A text without the sign of its cut. */
function withoutSign(text: string): string {
  const at = Math.max(0, text.length - SIGN_CHARS);
  return text.slice(0, at) + text.slice(at).replace(CUT, "");
}

const STRING = /"(?:[^"\\]|\\[\s\S])*/y;
const BETWEEN = /[\s,]*/y;
const COLON = /\s*:\s*/y;

/**
 * What is left of an object of JSON that was cut short inside: its whole members, and the beginning of the text that the
 * cut went through. Null when it does not even begin as an object.
 */
export function cutObject(text: string): JsonObject | null {
  const rest = withoutSign(text);
  const open = /^\s*\{/.exec(rest);
  if (open === null) return null;
  const members: [string, JsonValue][] = [];
  let at = open[0].length;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(rest);
    if (found === null) return null;
    at = pattern.lastIndex;
    return found[0];
  };
  for (;;) {
    take(BETWEEN);
    const key = stringAt(rest, take(STRING), at);
    if (key === null || !key.isClosed) break;
    at += 1;
    if (take(COLON) === null) break;
    const begun = stringAt(rest, take(STRING), at);
    if (begun !== null) {
      members.push([key.value, begun.value]);
      if (!begun.isClosed) break;
      at += 1;
      continue;
    }
    const end = valueEnd(rest, at);
    const value = end === null ? undefined : parseNestedJson(rest.slice(at, end));
    if (end === null || value === undefined) break;
    members.push([key.value, value]);
    at = end;
  }
  return Object.fromEntries(members);
}

/** The text of a string literal without its closing quote, as far as it goes. */
function stringAt(rest: string, literal: string | null, end: number): { value: string; isClosed: boolean } | null {
  if (literal === null) return null;
  const isClosed = rest[end] === '"';
  // An escape that the cut went through is gone.
  const whole = isClosed ? literal : literal.replace(/\\(?:u[\da-fA-F]{0,3})?$/, (cut) => afterPairs(literal, cut));
  const value = parseNestedJson(`[${whole}"]`);
  const text = Array.isArray(value) ? value[0] : undefined;
  return typeof text === "string" ? { value: text, isClosed } : null;
}

/** Keeps what looks like half an escape at the end of a literal but stands behind an escaped backslash. */
function afterPairs(literal: string, cut: string): string {
  let slashes = 0;
  for (let at = literal.length - cut.length; at >= 0 && literal[at] === "\\"; at--) slashes++;
  return slashes % 2 === 1 ? "" : cut;
}

/** Where a number, a word or a list ends; null when the cut went through it. */
function valueEnd(rest: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < rest.length; at++) {
    const sign = rest[at];
    // A list or an object that holds texts is not looked into: those that are cut hold numbers.
    if (sign === '"') return null;
    if (sign === "[" || sign === "{") depth++;
    else if (depth > 0 && (sign === "]" || sign === "}")) depth--;
    else if (depth === 0 && (sign === "," || sign === "}")) return at;
  }
  return null;
}
