import { mapParts, type Prefix, placeholder, readParts, type TraceParts, withStrings, writeParts } from "./trace-parts";

/** A file that was changed: its bytes, and how often the change was made. */
export interface Mutated {
  bytes: Uint8Array;
  count: number;
}

/** One way to spoil a whole trace of any format. */
export interface Mutation {
  name: string;
  /** The code of the note that must tell of it, as often as it was done; null when there is nothing to tell. */
  note: string | null;
  change: (original: Uint8Array) => Mutated;
}

const encoder = new TextEncoder();
const MARK = placeholder(0);

/** Words, as against an identifier, a role or a date: what may be changed everywhere and still be the same trace. */
export const isProse = (text: string): boolean => /\s/.test(text) && !/^\s*[[{]/.test(text);

/** Every prose of a trace with `spelling` behind it, as JSON spells it. */
function behindProse(original: Uint8Array, spelling: string): Mutated {
  const { parts, count } = markedProse(original);
  return { bytes: encoder.encode(writeParts(parts).replaceAll(MARK, spelling)), count };
}

function markedProse(original: Uint8Array): { parts: TraceParts; count: number } {
  let count = 0;
  const mark = (text: string): string => {
    if (!isProse(text)) return text;
    count += 1;
    return text + MARK;
  };
  return { parts: mapParts(readParts(original), (value) => withStrings(value, mark)), count };
}

function withBytes(original: Uint8Array, wrong: readonly number[]): Mutated {
  const { parts, count } = markedProse(original);
  const marked = Buffer.from(writeParts(parts));
  const pieces: Uint8Array[] = [];
  const mark = Buffer.from(MARK);
  let from = 0;
  for (let at = marked.indexOf(mark); at !== -1; at = marked.indexOf(mark, from)) {
    pieces.push(marked.subarray(from, at), Uint8Array.from(wrong));
    from = at + mark.length;
  }
  return { bytes: new Uint8Array(Buffer.concat([...pieces, marked.subarray(from)])), count };
}

function insteadOfNumbers(original: Uint8Array, literal: string): Mutated {
  let count = 0;
  const mark = (value: unknown): unknown => {
    if (typeof value === "number") {
      count += 1;
      return MARK;
    }
    if (Array.isArray(value)) return value.map(mark);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, mark(held)]));
  };
  const parts = mapParts(readParts(original), mark);
  return { bytes: encoder.encode(writeParts(parts).replaceAll(`"${MARK}"`, literal)), count };
}

function inFront(original: Uint8Array, prefix: Prefix): Mutated {
  const parts = readParts(original);
  // Text has no keys.
  const isJson = parts.values.some((part) => "value" in part);
  return { bytes: encoder.encode(writeParts(parts, prefix)), count: isJson ? 1 : 0 };
}

const POLLUTION = '{"isAdmin":true,"text":"x","content":[]}';
const DEEP_POLLUTION = `${'{"a":'.repeat(19)}{"__proto__":${POLLUTION}}${"}".repeat(19)}`;

const twice: Prefix = ([first]) => (first ? `${JSON.stringify(first[0])}:"earlier",` : "");
const polluted: Prefix = () =>
  `"__proto__":${POLLUTION},"constructor":{"prototype":${POLLUTION}},"deep":${DEEP_POLLUTION},`;

/** What every trace of every format survives as the same trace, with what was repaired counted. */
export const MUTATIONS: readonly Mutation[] = [
  { name: "U3: NUL", note: "nul_character", change: (original) => behindProse(original, "\\u0000") },
  { name: "U3: raw NUL", note: "nul_character", change: (original) => withBytes(original, [0]) },
  { name: "U3: lone high surrogates", note: "lone_surrogate", change: (original) => behindProse(original, "\\ud83d") },
  { name: "U3: lone low surrogates", note: "lone_surrogate", change: (original) => behindProse(original, "\\ude00") },
  { name: "bytes that are not UTF-8", note: "invalid_utf8", change: (original) => withBytes(original, [0xff]) },
  {
    name: "surrogates as bytes",
    note: "invalid_utf8",
    // Decoders replace each of the three bytes.
    change: (original) => {
      const { bytes, count } = withBytes(original, [0xed, 0xa0, 0x80]);
      return { bytes, count: 3 * count };
    },
  },
  { name: "raw control characters", note: "control_character", change: (original) => withBytes(original, [0x1b]) },
  { name: "NaN", note: "non_finite_number", change: (original) => insteadOfNumbers(original, "NaN") },
  { name: "-Infinity", note: "non_finite_number", change: (original) => insteadOfNumbers(original, "-Infinity") },
  { name: "1e999", note: "non_finite_number", change: (original) => insteadOfNumbers(original, "1e999") },
  { name: "keys that occur twice", note: "duplicate_key", change: (original) => inFront(original, twice) },
  { name: "U4: `__proto__` in every object", note: null, change: (original) => inFront(original, polluted) },
  {
    name: "a byte order mark",
    note: null,
    change: (original) => ({ bytes: Uint8Array.from([0xef, 0xbb, 0xbf, ...original]), count: 0 }),
  },
  {
    name: "line endings of another system",
    note: null,
    change: (original) => {
      const text = new TextDecoder().decode(original).replaceAll(/\r?\n/g, "\r\n");
      return { bytes: encoder.encode(text), count: 0 };
    },
  },
];
