import { describe, expect, it } from "vitest";
import { IngestError } from "@/lib/errors";
import { processorMs } from "@/lib/test-support/processor-time";
import { type Trajectory, trajectorySchema, turnsOf } from "@/lib/trajectory/schema";
import { ADAPTERS, ingest } from "./ingest";
import { fixtureName, fixturesOf, readFixture } from "./test-support/fixtures";
import { brokenIdentities } from "./test-support/identities";
import {
  changedAt,
  mapParts,
  type Path,
  pathsOf,
  placeholder,
  readParts,
  type TraceParts,
  withStrings,
  writeParts,
} from "./test-support/trace-parts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (bytes: Uint8Array): Trajectory => ingest({ name: "x", bytes }).trajectory;
/** How many changes of one kind are tried one at a time, spread over a fixture. */
const TRIED = 80;

/** What holds whatever the bytes were: a valid trajectory that Postgres takes, or an IngestError; no other end. */
function attempt(bytes: Uint8Array): Trajectory | IngestError {
  let found: Trajectory | IngestError | undefined;
  const tookMs = processorMs(() => {
    try {
      found = read(bytes);
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      found = error;
    }
  });
  expect(tookMs).toBeLessThan(2_000);
  if (found === undefined) throw new Error("neither read nor refused");
  if (found instanceof IngestError) expect(found.message).not.toMatch(/undefined|\[object/);
  else checkStorable(found);
  return found;
}

function checkStorable(trajectory: Trajectory): void {
  expect(trajectorySchema.parse(trajectory)).toEqual(trajectory);
  expect(brokenIdentities(trajectory)).toEqual([]);
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("isAdmin");
  const strings = new Set<string>();
  collectStrings(trajectory, strings);
  for (const text of strings) {
    if (text.includes("\u0000") || !text.isWellFormed()) throw new Error(`Postgres refuses ${JSON.stringify(text)}`);
  }
}

/** Every string and every key. */
function collectStrings(value: unknown, into: Set<string>): void {
  if (typeof value === "string") into.add(value);
  else if (typeof value === "object" && value !== null) {
    for (const [key, held] of Object.entries(value)) {
      into.add(key);
      collectStrings(held, into);
    }
  }
}

const countOf = (trajectory: Trajectory, code: string): number =>
  trajectory.notes.find((note) => note.code === code)?.count ?? 0;

/** A trajectory without what says where things stand in the bytes, without notes, and without lines kept as they are. */
function content(trajectory: Trajectory): unknown {
  const { notes: _, entries, ...rest } = trajectory;
  const read = entries.filter(
    (entry) => entry.kind === "turn" || !["metadata", "opaque", "injected", "compaction"].includes(entry.contextKind),
  );
  return JSON.parse(JSON.stringify({ ...rest, read }, (key, value) => (key === "raw" ? undefined : value)));
}

/** Words, as against an identifier, a role or a date: what may be changed everywhere and still be the same trace. */
const isProse = (text: string): boolean => /\s/.test(text) && !/^\s*[[{]/.test(text);

function spread<T>(all: readonly T[]): T[] {
  const step = Math.max(1, Math.ceil(all.length / TRIED));
  return all.filter((_, n) => n % step === 0);
}

/** Each change of one place, tried alone. */
function* oneAtATime(
  parts: TraceParts,
  wanted: (held: unknown, path: Path) => boolean,
  change: (held: unknown) => unknown,
): Generator<{ at: string; bytes: Uint8Array }> {
  const places = parts.values.flatMap((part, n) =>
    "line" in part ? [] : pathsOf(part.value, wanted).map((path) => ({ n, path })),
  );
  for (const { n, path } of spread(places)) {
    const values = parts.values.map((part, at) =>
      at === n && "value" in part ? { value: changedAt(part.value, path, change) } : part,
    );
    yield { at: `${n}/${path.join("/")}`, bytes: bytesOf(writeParts({ ...parts, values })) };
  }
}

const fixtures = ADAPTERS.flatMap(({ id }) => fixturesOf(id).map((file) => ({ name: fixtureName(file), file })));

describe.each(fixtures)("bad input that every format survives: $name", ({ file }) => {
  const original = readFixture(file);
  const parts = readParts(original);
  const before = read(bytesOf(writeParts(parts)));
  const turns = turnsOf(before).length;

  it("is changed in nothing by writing it again", () => {
    expect(content(before)).toEqual(content(read(original)));
  });

  it.each([
    ["U3: NUL", "nul_character", "\\u0000"],
    ["U3: lone high surrogates", "lone_surrogate", "\\ud83d"],
    ["U3: lone low surrogates", "lone_surrogate", "\\ude00"],
  ])("%s behind every text: replaced, counted, nothing else lost", (_, code, spelling) => {
    let inserted = 0;
    const marked = mapParts(parts, (value) =>
      withStrings(value, (text) => {
        if (!isProse(text)) return text;
        inserted += 1;
        return text + placeholder(0);
      }),
    );
    const bytes = bytesOf(writeParts(marked).replaceAll(placeholder(0), spelling));
    const found = attempt(bytes);
    if (found instanceof IngestError) throw found;
    expect(countOf(found, code)).toBe(inserted);
    expect(turnsOf(found)).toHaveLength(turns);
    expect(JSON.stringify(found)).toContain("\ufffd");
  });

  it("U3: NUL and half a surrogate in the middle of any one string, and in any one key", () => {
    for (const spelling of ["\\u0000", "\\udc00"]) {
      const isText = (held: unknown): boolean => typeof held === "string";
      const split = (held: unknown): unknown => {
        const text = String(held);
        return text.slice(0, text.length / 2) + placeholder(0) + text.slice(text.length / 2);
      };
      for (const { at, bytes } of oneAtATime(parts, isText, split)) {
        const written = new TextDecoder().decode(bytes).replaceAll(placeholder(0), spelling);
        const found = attempt(bytesOf(written));
        if (!(found instanceof IngestError)) {
          const code = spelling === "\\u0000" ? "nul_character" : "lone_surrogate";
          expect(countOf(found, code), at).toBe(1);
        }
      }
      for (const { bytes } of oneAtATime(parts, isObjectWithMembers, keyed)) {
        attempt(bytesOf(new TextDecoder().decode(bytes).replaceAll(placeholder(0), spelling)));
      }
    }
  });

  it("U3: NUL that JSON inside a string spells", () => {
    for (const { bytes } of oneAtATime(parts, isNestedJson, withNestedNul)) {
      attempt(bytesOf(new TextDecoder().decode(bytes).replaceAll(placeholder(0), "\\\\u0000")));
    }
  });

  it("bytes that are not UTF-8 behind every text are counted", () => {
    let inserted = 0;
    const marked = mapParts(parts, (value) =>
      withStrings(value, (text) => {
        if (!isProse(text)) return text;
        inserted += 1;
        return text + placeholder(0);
      }),
    );
    const found = attempt(withByte(bytesOf(writeParts(marked)), placeholder(0), 0xff));
    if (found instanceof IngestError) throw found;
    expect(countOf(found, "invalid_utf8")).toBe(inserted);
    expect(turnsOf(found)).toHaveLength(turns);
  });

  it("a byte order mark changes nothing but places", () => {
    expect(content(read(Uint8Array.from([0xef, 0xbb, 0xbf, ...original])))).toEqual(content(read(original)));
  });

  it("line endings of another system change nothing but places", () => {
    const text = new TextDecoder().decode(original).replaceAll(/\r?\n/g, "\r\n");
    expect(content(read(bytesOf(text)))).toEqual(content(read(original)));
  });

  it.each(["NaN", "-Infinity", "1e999"])("%s instead of every number is null, and counted", (literal) => {
    let numbers = 0;
    const marked = mapParts(parts, (value) =>
      withNumbers(value, () => {
        numbers += 1;
        return placeholder(0);
      }),
    );
    const found = attempt(bytesOf(writeParts(marked).replaceAll(`"${placeholder(0)}"`, literal)));
    if (found instanceof IngestError) throw found;
    expect(countOf(found, "non_finite_number")).toBe(numbers);
    expect(turnsOf(found)).toHaveLength(turns);
  });

  it("keys that occur twice: the last counts, and it is told", () => {
    const twice = writeParts(parts, ([first]) => (first ? `${JSON.stringify(first[0])}:"earlier",` : ""));
    const found = attempt(bytesOf(twice));
    if (found instanceof IngestError) throw found;
    expect(content(found)).toEqual(content(before));
    expect(countOf(found, "duplicate_key")).toBeGreaterThan(0);
  });

  it("U4: `__proto__` and `constructor.prototype` in every object, and 20 levels down", () => {
    const evil = '{"isAdmin":true,"text":"x","content":[]}';
    const deep = `${'{"a":'.repeat(19)}{"__proto__":${evil}}${"}".repeat(19)}`;
    const polluted = writeParts(parts, () => `"__proto__":${evil},"constructor":{"prototype":${evil}},"deep":${deep},`);
    const found = attempt(bytesOf(polluted));
    if (found instanceof IngestError) throw found;
    expect(Reflect.get({}, "isAdmin")).toBeUndefined();
    expect(turnsOf(found)).toHaveLength(turns);
    for (const thing of [found, found.task, found.format, ...found.entries]) {
      expect(Object.getPrototypeOf(thing)).toBe(Object.prototype);
    }
  });

  it("any one element of a list missing: what the rest says is still there", () => {
    const isElement = (_: unknown, path: Path): boolean => typeof path.at(-1) === "number";
    for (const { at, bytes } of oneAtATime(parts, isElement, () => undefined)) checkKept(bytes, parts, before, at);
  });

  it("any one member missing, and any one value of another type", () => {
    const isMember = (_: unknown, path: Path): boolean => path.length > 0;
    for (const other of [undefined, null, 7, "words of another kind", [], {}, [["x"]], { text: { text: "x" } }]) {
      for (const { bytes } of oneAtATime(parts, isMember, () => other)) attempt(bytes);
    }
  });

  it("identifiers that repeat: every element twice, and one identifier for all", () => {
    const doubled = mapParts(parts, twofold);
    const lines = parts.isLines ? { ...doubled, values: doubled.values.flatMap((part) => [part, part]) } : doubled;
    const twice = attempt(bytesOf(writeParts(lines)));
    if (twice instanceof IngestError) throw twice;
    checkKept(bytesOf(writeParts(lines)), parts, before, "every element twice");
    const same = mapParts(parts, (value) =>
      withStrings(value, (text, key) => (/id$/i.test(key) && !/^[[{]/.test(text) ? "same" : text)),
    );
    checkKept(bytesOf(writeParts(same)), parts, before, "one identifier for all");
  });

  it("5,000 levels in any one place: refused with the place, or that line alone is not understood", () => {
    const isMember = (_: unknown, path: Path): boolean => path.length > 0;
    for (const { at, bytes } of oneAtATime(parts, isMember, () => placeholder(0))) {
      const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
      const found = attempt(bytesOf(new TextDecoder().decode(bytes).replaceAll(`"${placeholder(0)}"`, deep)));
      if (found instanceof IngestError) {
        expect(found.code, at).toBe("too_deep");
        expect(found.message, at).toMatch(/line \d+, byte \d+/);
      } else expect(countOf(found, "line_not_understood"), at).toBeGreaterThan(0);
    }
  });
});

/** Notes that say at which places something is to be seen in the raw record only. */
const TOLD = ["tool_record_not_used"];

/** Prose of `before` that stands in the file once, and still does, is still in the trajectory, or a note tells of it. */
function checkKept(bytes: Uint8Array, parts: TraceParts, before: Trajectory, at: string): void {
  const found = attempt(bytes);
  if (found instanceof IngestError) {
    expect(["no_content", "not_a_trace", "unsupported_format"], `${at}: ${found.message}`).toContain(found.code);
    return;
  }
  const after = JSON.stringify(found);
  const left = new TextDecoder().decode(bytes);
  const told = found.notes
    .filter((note) => TOLD.includes(note.code))
    .flatMap((note) => note.positions.map(({ start, end }) => bytes.subarray(start ?? 0, end ?? 0)))
    .map((part) => new TextDecoder().decode(part))
    .join("\n");
  const all = writeParts(parts);
  const texts = new Set<string>();
  collectStrings(before.entries, texts);
  for (const text of texts) {
    const written = JSON.stringify(text).slice(1, -1);
    const quoted = `"${written}"`;
    const isOnce = all.includes(quoted) && all.indexOf(quoted) === all.lastIndexOf(quoted);
    if (isProse(text) && isOnce && left.includes(quoted) && !told.includes(quoted)) {
      // In a line that is kept as it is, the text is quoted once more.
      const isThere = [written, JSON.stringify(written).slice(1, -1)].some((spelling) => after.includes(spelling));
      expect(isThere, `${at}: lost ${written.slice(0, 200)}`).toBe(true);
    }
  }
}

const isObjectWithMembers = (held: unknown): boolean =>
  typeof held === "object" && held !== null && !Array.isArray(held) && Object.keys(held).length > 0;

/** The first key with a placeholder in it. */
function keyed(held: unknown): unknown {
  const [first, ...rest] = Object.entries(held ?? {});
  return first ? Object.fromEntries([[first[0] + placeholder(0), first[1]], ...rest]) : held;
}

function isNestedJson(held: unknown): boolean {
  if (typeof held !== "string" || !/^\s*[[{]/.test(held)) return false;
  try {
    JSON.parse(held);
    return true;
  } catch {
    return false;
  }
}

const withNestedNul = (held: unknown): unknown =>
  JSON.stringify(withStrings(JSON.parse(String(held)), (text) => text + placeholder(0)));

function withNumbers(value: unknown, change: () => unknown): unknown {
  if (typeof value === "number") return change();
  if (Array.isArray(value)) return value.map((held) => withNumbers(held, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, withNumbers(held, change)]));
}

function twofold(value: unknown): unknown {
  if (Array.isArray(value)) return value.flatMap((held) => [twofold(held), twofold(held)]);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, twofold(held)]));
}

function withByte(bytes: Uint8Array, mark: string, byte: number): Uint8Array {
  const [first = 0, second = 0, third = 0] = bytesOf(mark);
  const result: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const isMark = bytes[i] === first && bytes[i + 1] === second && bytes[i + 2] === third;
    result.push(isMark ? byte : (bytes[i] ?? 0));
    if (isMark) i += 2;
  }
  return Uint8Array.from(result);
}
