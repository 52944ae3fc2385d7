import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blame } from "./blame";
import { buildHistory } from "./history";
import { rangesOf, sameContent } from "./known-content";
import { splitLines } from "./lines";
import type { FileVersion } from "./model";
import { decodeVersion, encodeVersions } from "./storage";
import { readOf, type TestCall, trajectoryOf, wholeRead } from "./testing-trajectory";

const PATH = "/repo/a.txt";
const OK = { text: "The file /repo/a.txt has been edited. Here's the result" };

type Edit =
  | { kind: "replace"; line: number; count: number; text: string }
  | { kind: "insert"; after: number; text: string }
  | { kind: "append"; text: string }
  | { kind: "write"; text: string }
  | { kind: "read" };

const pieces = fc.array(fc.constantFrom("alpha", "beta", "gamma", "", "x\r"), { maxLength: 4 });
const body = pieces.map((lines) => lines.map((line) => `${line}\n`).join(""));
const edits: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("replace" as const), line: fc.nat(20), count: fc.nat(3), text: body }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("insert" as const),
      after: fc.nat(20),
      text: fc.constantFrom("new", "two\nlines", ""),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("append" as const), text: fc.constantFrom("end\n", "no end", "\n") }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("write" as const), text: body }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("read" as const) }) },
);

/** The plainest way to do what the tools do: a list of lines with their writers. */
class Model {
  lines: { text: string; turn: number | null }[];

  constructor(text: string) {
    this.lines = splitLines(text).map((line) => ({ text: line, turn: null }));
  }

  get text(): string {
    return this.lines.map((line) => line.text).join("");
  }

  splice(at: number, remove: number, text: string, turn: number): void {
    this.lines.splice(at, remove, ...splitLines(text).map((line) => ({ text: line, turn })));
  }
}

/** The call of an edit and what it does to the model; null when it cannot be done there. */
function play(edit: Edit, model: Model, turn: number): TestCall | null {
  const lines = model.lines.length;
  if (edit.kind === "read") return { tool: "look", result: { reads: [wholeRead(PATH, model.text)] } };
  if (edit.kind === "write") {
    const before = new Set(model.lines.map((line) => line.text));
    model.lines = splitLines(edit.text).map((line) => ({ text: line, turn: before.has(line) ? -1 : turn }));
    return { tool: "Write", arguments: { file_path: PATH, content: edit.text }, result: { text: "has been updated" } };
  }
  if (edit.kind === "append") {
    const open = lines > 0 && !model.text.endsWith("\n");
    const rest = open ? (model.lines.at(-1)?.text ?? "") : "";
    model.splice(open ? lines - 1 : lines, open ? 1 : 0, rest + edit.text, turn);
    return { tool: "bash", text: `printf '%s' '${edit.text}' >> ${PATH}`, result: { exitCode: 0 } };
  }
  if (edit.kind === "insert") {
    if (edit.after > lines || (edit.after === lines && !model.text.endsWith("\n"))) return null;
    model.splice(edit.after, 0, `${edit.text}\n`, turn);
    const call = { command: "insert", path: PATH, insert_line: edit.after, new_str: edit.text };
    return { tool: "file_editor", arguments: call, result: OK };
  }
  const at = Math.min(edit.line, lines);
  const old = model.lines
    .slice(at, at + edit.count)
    .map((line) => line.text)
    .join("");
  if (old === "" || model.text.split(old).length !== 2 || old === edit.text) return null;
  // The text may stand at another place than the lines it was taken from.
  const offset = model.text.indexOf(old);
  if (
    model.lines
      .slice(0, at)
      .map((line) => line.text)
      .join("").length !== offset
  )
    return null;
  if (edit.text === "" && !old.endsWith("\n")) return null;
  if (!old.endsWith("\n")) return null;
  const kept = model.lines.slice(at, at + edit.count);
  const fresh = splitLines(edit.text);
  model.lines.splice(
    at,
    kept.length,
    ...fresh.map((text) => ({ text, turn: kept.some((line) => line.text === text) ? -1 : turn })),
  );
  return {
    tool: "file_editor",
    arguments: { command: "str_replace", path: PATH, old_str: old, new_str: edit.text },
    result: OK,
  };
}

function replayOf(start: string, given: readonly Edit[]): { versions: FileVersion[]; model: Model; conflicts: number } {
  const model = new Model(start);
  const calls: TestCall[] = [{ tool: "look", result: { reads: [wholeRead(PATH, start)] } }];
  for (const edit of given) {
    const call = play(edit, model, calls.length);
    if (call !== null) calls.push(call);
  }
  const history = buildHistory(trajectoryOf(calls), null);
  return { versions: history.files.get(PATH)?.versions ?? [], model, conflicts: history.conflicts.length };
}

const starts = fc.constantFrom("", "one\n", "one\ntwo\nthree\nfour\n", "a\r\nb\r\n", "same\nsame\nother\nlast");

describe("replay, storage and blame", () => {
  it("equal a plain model for random edits of a whole file", () => {
    fc.assert(
      fc.property(starts, fc.array(edits, { maxLength: 15 }), (start, given) => {
        const { versions, model, conflicts } = replayOf(start, given);
        expect(conflicts).toBe(0);
        expect(versions.at(-1)?.content).toEqual({ kind: "whole", text: model.text });
        const stored = encodeVersions(versions);
        const runs = blame(versions, stored, versions.length - 1);
        const writers = runs.flatMap((run) =>
          Array.from({ length: run.lineCount }, () => (run.uncertain ? "?" : run.turn)),
        );
        expect(writers).toHaveLength(model.lines.length);
        // A line that came back with the same text may count as kept or as new: the model leaves it open with -1.
        model.lines.forEach((line, n) => {
          if (line.turn !== -1) expect(writers[n]).toBe(line.turn);
        });
      }),
      { numRuns: 400 },
    );
  }, 30_000);

  it("give every version back from storage, also from the last row that stands on its own", () => {
    fc.assert(
      fc.property(starts, fc.array(edits, { maxLength: 15 }), (start, given) => {
        const { versions } = replayOf(start, given);
        const stored = encodeVersions(versions);
        for (const version of versions) {
          expect(sameContent(decodeVersion(stored, version.n), version.content)).toBe(true);
          const from = stored.slice(0, version.n + 1).findLastIndex((one) => one.kind !== "splices");
          expect(sameContent(decodeVersion(stored.slice(from, version.n + 1), version.n), version.content)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  }, 30_000);

  it("keep every known line of a partly known file true", () => {
    const lines = Array.from({ length: 40 }, (_, n) => `line ${n}\n`);
    const windows = fc.array(fc.record({ from: fc.nat(39), size: fc.integer({ min: 1, max: 8 }) }), {
      minLength: 1,
      maxLength: 3,
    });
    const changes = fc.array(fc.record({ at: fc.nat(39), text: fc.constantFrom("", "new\n", "two\nmore\n") }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(windows, changes, fc.boolean(), (seen, given, shows) => {
        const truth = [...lines];
        const reads = seen.map(({ from, size }) => readOf(PATH, lines.slice(from, from + size).join(""), from + 1));
        const calls: TestCall[] = [{ tool: "look", result: { reads } }];
        for (const [n, { at, text }] of given.entries()) {
          const old = truth[at];
          if (old === undefined || truth.filter((line) => line === old).length !== 1) continue;
          const fresh = splitLines(text).map((line) => `${n} ${line}`);
          truth.splice(at, 1, ...fresh);
          const from = Math.max(0, at - 2);
          const shown = shows ? [readOf(PATH, truth.slice(from, at + 3).join(""), from + 1)] : [];
          const call = { command: "str_replace", path: PATH, old_str: old, new_str: fresh.join("") };
          calls.push({
            tool: "file_editor",
            arguments: call,
            result: { ...OK, reads: shown.filter((one) => one.text !== "") },
          });
        }
        const history = buildHistory(trajectoryOf(calls), null);
        const versions = history.files.get(PATH)?.versions ?? [];
        expect(history.conflicts).toEqual([]);
        for (const range of rangesOf(versions.at(-1)?.content ?? { kind: "unknown" })) {
          expect(range.lines).toEqual(truth.slice(range.startLine - 1, range.startLine - 1 + range.lines.length));
        }
        const stored = encodeVersions(versions);
        for (const version of versions)
          expect(sameContent(decodeVersion(stored, version.n), version.content)).toBe(true);
      }),
      { numRuns: 300 },
    );
  }, 30_000);
});
