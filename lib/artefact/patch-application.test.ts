import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { ABSENT, partialContent, rangesOf, totalLinesOf, UNKNOWN, wholeContent } from "./known-content";
import { splitLines } from "./lines";
import type { KnownContent } from "./model";
import { applyChunks } from "./patch-application";
import { type PatchChunk, readPatch } from "./patch-grammar";

const SEED = 20_260_101;
const options = { seed: SEED, numRuns: 400 };

/** The chunks of a patch for one file. */
function chunksOf(...lines: string[]): PatchChunk[] {
  const reading = readPatch(["*** Begin Patch", "*** Update File: f", ...lines, "*** End Patch"].join("\n"));
  const [file] = reading.ok ? reading.files : [];
  if (file?.kind !== "update") throw new Error(reading.ok ? "no update" : reading.reason);
  return file.chunks;
}

/** What a patch makes of a text: the new text, ranges of it, or why it makes nothing. */
function outcome(content: KnownContent, chunks: readonly PatchChunk[]): string | KnownContent {
  const applied = applyChunks(content, chunks);
  if (!applied.ok) return `${applied.contradicts ? "refused" : "not followed"}: ${applied.reason}`;
  return applied.content.kind === "whole" ? applied.content.text : applied.content;
}

const whole = (text: string, ...lines: string[]): string | KnownContent =>
  outcome(wholeContent(text), chunksOf(...lines));

describe("a patch on a text that is known", () => {
  it.each([
    ["a change", "a\nb\nc\n", ["@@", " a", "-b", "+B", " c"], "a\nB\nc\n"],
    ["no mark before the first change", "a\nb\n", ["-b", "+B"], "a\nB\n"],
    ["the first place that fits", "x\nx\n", ["@@", "-x", "+y"], "y\nx\n"],
    ["a place behind a context", "f:\n x\ng:\n x\n", ["@@ g:", "- x", "+ y"], "f:\n x\ng:\n y\n"],
    ["a place behind two contexts", "A\n f\nB\n f\n  x\n", ["@@ B", "@@  f", "-  x", "+  y"], "A\n f\nB\n f\n  y\n"],
    ["a second change behind the first", "x\n1\nx\n", ["@@", "-x", "+y", "@@", "-x", "+z"], "y\n1\nz\n"],
    ["blanks at the ends of lines", "a  \nb\t\n", ["@@", " a", "-b", "+B"], "a\nB\n"],
    ["blanks on both sides", "    a\n  b\n", ["@@", " a", "-b", "+B"], "a\nB\n"],
    ["typographic quotes", "“a”\nb\n", ["@@", ' "a"', "-b", "+B"], '"a"\nB\n'],
    ["an exact place before a lenient one", " x\nx\n", ["@@", "-x", "+y"], " x\ny\n"],
    ["the end of the file", "x\ny\nx\n", ["@@", "-x", "+z", "*** End of File"], "x\ny\nz\n"],
    ["lines without a place, at the end", "a\n", ["@@", "+b"], "a\nb\n"],
    ["a last line without an end", "a\nb", ["@@", "-b", "+c"], "a\nc\n"],
    ["an end for a last line that stays", "a\nb", ["@@", "-a", "+c"], "c\nb\n"],
    ["an empty line that stands for the end of the last one", "a\nb\n", ["@@", " a", "-b", "+c", " "], "a\nc\n"],
    ["an empty line in the patch as context", "a\n\nb\n", ["@@", " a", "", "-b", "+c"], "a\n\nc\n"],
    ["numbers of lines are no context", "a\nb\n", ["@@ -1,2 +1,2 @@", "-b", "+c"], "a\nc\n"],
    ["all lines gone", "a\n", ["@@", "-a"], ""],
  ])("%s", (_, text, lines, expected) => {
    expect(whole(text, ...lines)).toBe(expected);
  });

  it.each([
    ["a\n", ["@@", "-b", "+c"], /^refused: the lines that the patch expects/],
    ["a\n", ["@@ f", "-a", "+c"], /^refused: the context 'f'/],
    ["a\nb\n", ["@@", "-b", "+c", "@@", "-a", "+d"], /^refused/],
    ["a\nb\nc\n", ["@@", "-a", "+x", "*** End of File"], /^refused/],
  ])("refuses: %j %j", (text, lines, reason) => {
    expect(whole(text, ...lines)).toMatch(reason);
    expect(outcome(ABSENT, chunksOf(...lines))).toBe("refused: the file does not exist");
  });

  it("keeps what the versions of the tool share where they differ", () => {
    const windows = whole("a\r\nb\r\nc\r\n", "@@", " a", "-b", "+B");
    // Newer versions keep CRLF in `a` and `B`, older ones write what the patch says.
    expect(windows).toEqual({ kind: "partial", ranges: [{ startLine: 3, lines: ["c\r\n"] }], totalLines: 3 });
    const empty = whole("a\nb\n\n", "@@", "-a", "+A");
    expect(empty).toEqual({ kind: "partial", ranges: [{ startLine: 1, lines: ["A\n", "b\n"] }], totalLines: null });
  });

  it("changes the lines that differ, not those that tell the place", () => {
    const applied = applyChunks(wholeContent("a\nb\nc\nd\n"), chunksOf("@@", " a", "-b", "+B", " c", " d"));
    expect(applied.ok && applied.change?.splices).toEqual([{ at: 1, remove: 1, insert: ["B\n"] }]);
  });
});

/** A text of lines that are all different, and what some of them become. */
const rewriting = fc
  .array(
    fc.record({
      keep: fc.boolean(),
      fresh: fc.array(fc.constantFrom("new", "", "  in", "+plus", "-x"), { maxLength: 3 }),
    }),
    {
      minLength: 1,
      maxLength: 25,
    },
  )
  .map((plan) => plan.map((one, n) => ({ ...one, old: `line ${n}${n % 3 === 0 ? " {" : ""}` })));

describe("any edit, written as a patch, gives the edited text", () => {
  it("over texts of different lines, with up to three lines of context", () => {
    fc.assert(
      fc.property(rewriting, fc.nat(3), fc.boolean(), (plan, context, hasEnd) => {
        const text = plan.map(({ old }) => `${old}\n`).join("");
        const isLast = plan.at(-1)?.keep === true || hasEnd;
        const before = isLast ? text : text.slice(0, -1);
        const edited = plan.flatMap(({ keep, fresh, old }) => (keep ? [old] : fresh));
        fc.pre(plan.some(({ keep }) => !keep) && edited.at(-1) !== "");
        const lines: string[] = [];
        let shown = -1;
        for (const [n, { keep, fresh, old }] of plan.entries()) {
          if (keep) continue;
          const first = Math.max(shown + 1, n - context);
          if (first > shown + 1 || shown === -1) lines.push("@@");
          for (let at = first; at < n; at += 1) lines.push(` ${plan[at]?.old}`);
          lines.push(`-${old}`, ...fresh.map((line) => `+${line}`));
          shown = n;
        }
        const expected = edited.map((line) => `${line}\n`).join("");
        expect(whole(before, ...lines)).toBe(expected);
      }),
      options,
    );
  });
});

const word = fc.constantFrom("a", "b", "", " a", "a ");
const textOf = fc.array(word, { maxLength: 12 }).map((lines) => lines.map((line) => `${line}\n`).join(""));
const chunk: fc.Arbitrary<PatchChunk> = fc.record({
  contexts: fc.array(
    word.filter((one) => one !== ""),
    { maxLength: 1 },
  ),
  before: fc.array(word, { maxLength: 3 }),
  after: fc.array(fc.constantFrom("a", "b", "new"), { maxLength: 3 }),
  atEnd: fc.boolean(),
  added: fc.constant(0),
  removed: fc.constant(0),
});

/** The tool's rules in the plainest way, for texts of line feeds: the new lines, or null when it refuses. */
function plainly(lines: string[], chunks: PatchChunk[]): string[] | null {
  const views = [(one: string) => one, (one: string) => one.trimEnd(), (one: string) => one.trim()];
  const seek = (run: string[], from: number, atEnd: boolean): number => {
    const first = atEnd ? lines.length - run.length : from;
    for (const view of views) {
      for (let at = first; run.length <= lines.length && at + run.length <= lines.length; at += 1) {
        if (run.every((line, n) => view(line) === view(lines[at + n] ?? ""))) return at;
      }
    }
    return -1;
  };
  const places: { at: number; remove: number; insert: string[] }[] = [];
  let from = 0;
  for (const { contexts, before, after, atEnd } of chunks) {
    for (const context of contexts) {
      const at = seek([context], from, false);
      if (at === -1) return null;
      from = at + 1;
    }
    if (before.length === 0) {
      places.push({ at: lines.at(-1) === "" ? lines.length - 1 : lines.length, remove: 0, insert: after });
      continue;
    }
    let [run, fresh] = [before, after];
    let at = seek(run, from, atEnd);
    if (at === -1 && run.at(-1) === "") {
      run = run.slice(0, -1);
      if (fresh.at(-1) === "") fresh = fresh.slice(0, -1);
      at = run.length === 0 ? from : seek(run, from, atEnd);
    }
    if (at === -1) return null;
    places.push({ at, remove: run.length, insert: fresh });
    from = at + run.length;
  }
  const made = [...lines];
  for (const { at, remove, insert } of places.sort((a, b) => a.at - b.at).reverse()) made.splice(at, remove, ...insert);
  return made;
}

describe("any chunks on any lines", () => {
  it("apply as the rules of the tool say, or are refused", () => {
    let applied = 0;
    fc.assert(
      fc.property(textOf, fc.array(chunk, { minLength: 1, maxLength: 3 }), (text, chunks) => {
        const lines = text.split("\n").slice(0, -1);
        const expected = plainly(lines, chunks);
        const found = outcome(wholeContent(text), chunks);
        if (expected === null) expect(found).toMatch(/^(?:refused|not followed)/);
        else if (typeof found === "string" && !found.startsWith("not followed: ")) {
          applied += 1;
          expect(found).toBe(expected.map((line) => `${line}\n`).join(""));
        } else if (typeof found !== "string") {
          for (const { startLine, lines: known } of rangesOf(found)) {
            expect(known).toEqual(
              expected.slice(startLine - 1, startLine - 1 + known.length).map((line) => `${line}\n`),
            );
          }
        }
      }),
      { ...options, numRuns: 3_000 },
    );
    expect(applied).toBeGreaterThan(300);
  });

  it("on a text of which parts are known, say nothing that is not true of the whole", () => {
    let told = 0;
    fc.assert(
      fc.property(
        textOf,
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        fc.boolean(),
        fc.array(chunk, { minLength: 1, maxLength: 3 }),
        (text, seen, hasTotal, chunks) => {
          const lines = splitLines(text);
          const ranges = lines.flatMap((line, n) => (seen[n] ? [{ startLine: n + 1, lines: [line] }] : []));
          const known = partialContent(ranges, hasTotal ? lines.length : null);
          const full = applyChunks(wholeContent(text), chunks);
          const part = applyChunks(known, chunks);
          if (!full.ok || !part.ok) return;
          const { content } = part;
          if (full.content.kind === "whole") {
            const truth = splitLines(full.content.text);
            for (const range of rangesOf(content)) {
              told += range.lines.length;
              expect(range.lines).toEqual(truth.slice(range.startLine - 1, range.startLine - 1 + range.lines.length));
            }
            const total = totalLinesOf(content);
            if (total !== null) expect(total).toBe(truth.length);
          } else if (full.content.kind === "partial") {
            // What versions of the tool differ in is not known of a part either.
            expect(totalLinesOf(content)).toBeNull();
          }
        },
      ),
      { ...options, numRuns: 6_000 },
    );
    expect(told).toBeGreaterThan(1_000);
  });
});

describe("a patch on a text that is known in part", () => {
  const known = partialContent([{ startLine: 10, lines: ["def f():\n", "  a\n", "  b\n", "  c\n"] }], null);

  it("has its place where nothing unknown stands before it", () => {
    const top = partialContent([{ startLine: 1, lines: ["a\n", "b\n", "c\n"] }], null);
    expect(outcome(top, chunksOf("@@", " a", "-b", "+B", "+more"))).toEqual({
      kind: "partial",
      ranges: [{ startLine: 1, lines: ["a\n", "B\n", "more\n", "c\n"] }],
      totalLines: null,
    });
  });

  it("may have its place in a gap before: what it may have changed is not known any more", () => {
    expect(outcome(known, chunksOf("@@", " def f():", "-  a", "+  A", "+  more"))).toEqual({
      kind: "partial",
      ranges: [{ startLine: 13, lines: ["  b\n", "  c\n"] }],
      totalLines: null,
    });
  });

  it("fits a gap that is too short for it only at its edges", () => {
    const gap = partialContent(
      [
        { startLine: 1, lines: ["x\n"] },
        { startLine: 3, lines: ["a\n", "b\n"] },
      ],
      null,
    );
    expect(outcome(gap, chunksOf("@@", " a", "-b", "+B"))).toMatchObject({
      ranges: [
        { startLine: 1, lines: ["x\n"] },
        { startLine: 3, lines: ["a\n", "B\n"] },
      ],
    });
    expect(outcome(gap, chunksOf("@@", " x", "-b", "+B"))).toMatchObject({ kind: "unknown" });
  });

  it("leaves nothing known that it may have changed anywhere", () => {
    expect(outcome(known, chunksOf("@@", "-nowhere", "+x"))).toEqual(UNKNOWN);
    expect(outcome(UNKNOWN, chunksOf("@@", "-a", "+b"))).toEqual(UNKNOWN);
  });
});

describe("hostile patches", () => {
  it.each([
    ["equal lines", "a\n".repeat(100_000), Array<string>(50_000).fill(" a")],
    ["blank lines that differ", `${" ".repeat(200)}\n`.repeat(20_000), Array<string>(10_000).fill(" ")],
    ["many changes", "a\nb\n".repeat(5_000), Array<string[]>(5_000).fill(["@@", "-a", "+c"]).flat()],
  ])("take time in proportion to their length: %s", (_, text, lines) => {
    const chunks = chunksOf("@@", ...lines, "+end");
    expect(processorMs(() => applyChunks(wholeContent(text), chunks))).toBeLessThan(5_000);
    const half = partialContent([{ startLine: 100, lines: splitLines(text) }], null);
    expect(processorMs(() => applyChunks(half, chunks))).toBeLessThan(5_000);
  });
});
