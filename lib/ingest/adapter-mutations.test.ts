import { describe, expect, it } from "vitest";
import { IngestError } from "@/lib/errors";
import { processorMs } from "@/lib/test-support/processor-time";
import { type Trajectory, trajectorySchema, turnsOf } from "@/lib/trajectory/schema";
import { ADAPTERS, ingest, openUpload } from "./ingest";
import type { Part } from "./parts";
import { fixtureName, fixturesOf, isTextFixture, readFixture } from "./test-support/fixtures";
import { brokenIdentities } from "./test-support/identities";
import { isProse, MUTATIONS } from "./test-support/mutations";
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
function attempt(bytes: Uint8Array, part?: Part): Trajectory | IngestError {
  let found: Trajectory | IngestError | undefined;
  const tookMs = processorMs(() => {
    try {
      found = ingest({ name: "x", bytes, ...(part ? { part } : {}) }).trajectory;
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

/** What turns say: thoughts, messages and results. */
function words(trajectory: Trajectory): string[] {
  const items = turnsOf(trajectory).flatMap((turn) => turn.items);
  return items.flatMap((item) => (item.kind === "call" || item.kind === "opaque" ? [] : [item.text]));
}

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

const fixtures = ADAPTERS.flatMap(({ id }) =>
  fixturesOf(id)
    .filter(isTextFixture)
    .map((file) => ({ name: fixtureName(file), file })),
);

describe.each(fixtures)("bad input that every format survives: $name", ({ file }) => {
  const original = readFixture(file);
  const parts = readParts(original);
  const before = read(bytesOf(writeParts(parts)));
  const turns = turnsOf(before).length;

  it("is changed in nothing by writing it again", () => {
    expect(words(before)).toEqual(words(read(original)));
  });

  it.each(MUTATIONS)("$name: the same trace, and what was repaired is counted", ({ note, change }) => {
    const { bytes, count } = change(original);
    const found = attempt(bytes);
    if (found instanceof IngestError) throw found;
    expect(turnsOf(found)).toHaveLength(turns);
    if (note === "duplicate_key" && count > 0) expect(countOf(found, note)).toBeGreaterThan(0);
    else if (note !== null) expect(countOf(found, note)).toBe(count);
    // What only adds repairs, or what nobody asks for, changes no word.
    if (note === null || note === "duplicate_key") expect(words(found)).toEqual(words(before));
    for (const thing of [found, found.task, found.format, ...found.entries]) {
      expect(Object.getPrototypeOf(thing)).toBe(Object.prototype);
    }
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
    const alike = attempt(bytesOf(writeParts(same)));
    if (alike instanceof IngestError) expect(alike.code).not.toBe("several_trajectories");
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

/** Prose of `before` that stands in the file once, and still does, is still in a trajectory, or a note tells of it. */
function checkKept(bytes: Uint8Array, parts: TraceParts, before: Trajectory, at: string): void {
  const found = attempt(bytes);
  const isSeveral = found instanceof IngestError && found.code === "several_trajectories";
  if (found instanceof IngestError && !isSeveral) {
    expect(["no_content", "not_a_trace", "unsupported_format"], `${at}: ${found.message}`).toContain(found.code);
    return;
  }
  const trajectories = found instanceof IngestError ? conversationsIn(bytes, before, at) : [found];
  const after = JSON.stringify(trajectories);
  const left = new TextDecoder().decode(bytes);
  const told = trajectories
    .flatMap((each) => each.notes)
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

/**
 * Requests are one conversation because each begins with all that was said before. One that lost some of it begins another
 * conversation, and nothing else may: the parts are at most as many as the requests, and each of them is read.
 */
function conversationsIn(bytes: Uint8Array, before: Trajectory, at: string): Trajectory[] {
  expect(before.format.id, at).toBe("chat-messages");
  const opened = openUpload({ name: "x", bytes });
  if (opened.kind === "one") throw new Error("one trajectory is refused as several");
  expect(opened.parts.length, at).toBeLessThanOrEqual(requestsIn(bytes));
  return opened.parts.map((part) => {
    const { range } = part;
    const found = attempt(range ? bytes.subarray(range.start, range.end) : bytes, part);
    if (found instanceof IngestError) throw found;
    return found;
  });
}

/** How many lines, or elements of a list, hold messages of their own. */
function requestsIn(bytes: Uint8Array): number {
  const held = readParts(bytes).values.flatMap((part) => ("value" in part ? part.value : []));
  return held.filter((value) => typeof value === "object" && value !== null && !Array.isArray(value)).length;
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

function twofold(value: unknown): unknown {
  if (Array.isArray(value)) return value.flatMap((held) => [twofold(held), twofold(held)]);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, twofold(held)]));
}
