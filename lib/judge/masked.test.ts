import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SampleRun } from "@/lib/investigator/test-support/sample-run";
import { keyLike } from "@/lib/redact/test-support";
import type { ContextItem, Item } from "@/lib/trajectory/schema";
import { maskTrajectory } from "./masked";

const password = keyLike(14, 3);
const token = `gh${"p_"}${keyLike(36, 5)}`;
const other = `gh${"p_"}${keyLike(36, 6)}`;

const run = new SampleRun()
  .turn("I look at the settings")
  .run("cat .env", `DB_PASSWORD=${password}\nTOKEN is ${token} here\nlast line`)
  .turn(`The password ${password} and ${token}, then ${other}`)
  .run(`psql --user app --secret ${password}`, "ok");
run.call({ tool: "edit", callKind: "write", arguments: { path: "a.py", text: `key = "${token}"` } });
const trajectory = run.trajectory();

function itemOf(turn: number, n: number): Item {
  const item = run.at(turn).items[n];
  if (item === undefined) throw new Error("no such item");
  return item;
}

describe("maskTrajectory", () => {
  it("M7: no text that it gives out holds a secret, also where the words that showed it are missing", () => {
    const masked = maskTrajectory(trajectory);
    const texts = [0, 1].flatMap((turn) =>
      run.at(turn).items.flatMap((item) => [masked.textOf(item, "text"), masked.textOf(item, "arguments")]),
    );
    const all = texts.map((text) => text?.text ?? "").join("\n");
    for (const secret of [password, token, other]) expect(all).not.toContain(secret);
    expect(all).toContain("psql --user app --secret [redacted:");
  });

  it("names secrets in the order of the trace, whichever text is asked for first", () => {
    const first = maskTrajectory(trajectory).textOf(itemOf(1, 0), "text")?.text;
    const masked = maskTrajectory(trajectory);
    masked.mask(other);
    masked.textOf(itemOf(0, 0), "text");
    expect(masked.textOf(itemOf(1, 0), "text")?.text).toBe(first);
    expect(first).toMatch(/#1\] and \[redacted:[a-z-]+#1\], then \[redacted:[a-z-]+#2\]$/);
  });

  it("keeps line breaks, and gives null for a text that an item does not have", () => {
    const masked = maskTrajectory(trajectory);
    expect(masked.textOf(itemOf(0, 2), "text")?.text.split("\n")).toHaveLength(3);
    expect(masked.textOf(itemOf(0, 0), "arguments")).toBeNull();
  });

  it("knows the secrets of what a model sees besides, and of what stands between turns", () => {
    const report = `login failed, PASSWORD=${password.slice(0, 10)}Zz9`;
    const context: ContextItem = {
      kind: "context",
      id: "c0",
      contextKind: "task",
      author: { role: "person", name: null },
      sourceSteps: [],
      arrival: 0,
      raw: [],
      text: `again ${password.slice(0, 10)}Zz9 and ${password}`,
    };
    const withContext = { ...trajectory, entries: [context, ...trajectory.entries] };
    const masked = maskTrajectory(withContext, [report]).contextText(context).text;
    expect(masked).toMatch(/^again \[redacted:[^\]]+\] and \[redacted:[^\]]+\]$/);
  });

  it("maps every range there and back; a range at a mask has no original", () => {
    const parts = fc.array(
      fc.oneof(
        fc.constantFrom("a plain line\n", "x", "\n", "end "),
        fc.constantFrom(`TOKEN=${token}`, ` ${password} `, `${other};`),
      ),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(parts, fc.nat(), fc.nat(), (pieces, a, b) => {
        const text = maskTrajectory(trajectory).mask(pieces.join(""));
        const start = a % (text.text.length + 1);
        const end = start + (b % (text.text.length + 1 - start));
        const place = text.originalRange({ start, end });
        const shown = text.text.slice(start, end);
        if (place === null) {
          expect(text.text.slice(Math.max(0, start - 60), end + 60)).toContain("[redacted:");
          return;
        }
        expect(text.original.slice(place.start, place.end)).toBe(shown);
        if (place.start < place.end) expect(text.maskedRange(place)).toEqual({ start, end });
      }),
      { numRuns: 500 },
    );
  });

  it("moves an end inside a mask to the mask's own end", () => {
    const text = maskTrajectory(trajectory).mask(`see ${token} there`);
    const range = text.maskedRange({ start: 10, end: 12 });
    expect(text.text.slice(range.start, range.end)).toMatch(/^\[redacted:[^\]]+\]$/);
    expect(text.maskedRange({ start: 0, end: text.original.length })).toEqual({ start: 0, end: text.text.length });
  });
});
