import { AppError } from "@/lib/errors";
import { safeEnd } from "@/lib/trajectory/text-cuts";

/** No answer of a read route is larger than this, whatever a trace holds. Bytes of JSON in UTF-8. */
export const ANSWER_MAX_BYTES = 1_000_000;

/** Bytes that a value takes as JSON. A control character takes six, so characters are no measure. */
export function jsonBytes(value: unknown): number {
  const json = JSON.stringify(value);
  return json === undefined ? 0 : Buffer.byteLength(json);
}

/** The first entries of a list that fit into `budgetBytes` of JSON, and how many are left out. */
export function takeWithin<T>(list: readonly T[], budgetBytes: number): { kept: T[]; omitted: number } {
  const kept: T[] = [];
  let bytes = 2;
  for (const entry of list) {
    bytes += jsonBytes(entry) + 1;
    if (bytes > budgetBytes) break;
    kept.push(entry);
  }
  return { kept, omitted: list.length - kept.length };
}

/** Cuts a text to `maxChars` UTF-16 units, never inside a surrogate pair, and says how many are left out. */
export function cutString(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = safeEnd(text, maxChars);
  return `${text.slice(0, end)}… (${(text.length - end).toLocaleString("en-GB")} more characters)`;
}

const STRING_STEPS = [100_000, 20_000, 4_000, 1_000, 200];

/**
 * Makes an answer fit: names, reasons and other strings that nobody expects to be long are cut, with a count, until the
 * answer is at most `maxBytes`. Texts and lists have their own limits before this.
 * @throws AppError `too_large` when even short strings do not fit.
 */
export function fitStrings<T>(value: T, maxBytes: number = ANSWER_MAX_BYTES): T {
  let fitted = value;
  if (jsonBytes(fitted) <= maxBytes) return fitted;
  for (const step of STRING_STEPS) {
    fitted = mapStrings(fitted, (text) => cutString(text, step));
    if (jsonBytes(fitted) <= maxBytes) return fitted;
  }
  throw new AppError("too_large", "This answer would be larger than 1 MB.");
}

/** The same value with every string passed through `change`; keys stay. What goes in as a view comes out as one. */
export function mapStrings<T>(value: T, change: (text: string) => string): T;
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((entry: unknown) => mapStrings(entry, change));
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapStrings(entry, change)]));
  }
  return value;
}
