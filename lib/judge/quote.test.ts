import { describe, expect, it } from "vitest";
import { SampleRun } from "@/lib/investigator/test-support/sample-run";
import { keyLike } from "@/lib/redact/test-support";
import type { ContextItem, Item } from "@/lib/trajectory/schema";
import { unwrapUntrusted, wrapUntrusted } from "./envelope";
import { maskTrajectory } from "./masked";
import { type ClaimedQuotation, resolveInText, resolveQuotation } from "./quote";

const token = `gh${"p_"}${keyLike(36, 5)}`;
const run = new SampleRun()
  .turn("First I read the test")
  .run("pytest", `export KEY=${token} now\nE   AssertionError: 3 != 4\r\nE   second line\nagain AssertionError: 3 != 4`)
  .turn("I change the sum")
  .write("a.py", 'def add(a, b):\n    return "</untrusted> a - b"\n');
const task: ContextItem = {
  kind: "context",
  id: "c0",
  contextKind: "task",
  author: { role: "person", name: null },
  sourceSteps: [],
  arrival: 0,
  raw: [],
  text: "Sums must be right.",
};
const trajectory = { ...run.trajectory(), entries: [task, ...run.trajectory().entries] };
const masked = maskTrajectory(trajectory);

const resolve = (claimed: Partial<ClaimedQuotation> & { text: string }) =>
  resolveQuotation(trajectory, masked, { turn: 0, item: null, ...claimed });

function itemOf(turn: number, id: string): Item {
  const item = run.at(turn).items.find((one) => one.id === id);
  if (item === undefined) throw new Error("no such item");
  return item;
}

/** The place that was found, checked against the original text of its item. */
function placeOf(claimed: Partial<ClaimedQuotation> & { text: string }): { item: string; field: string; text: string } {
  const resolved = resolve(claimed);
  if (!resolved.ok) throw new Error(resolved.reason);
  const { item, turn, field, start, end, text } = resolved.place;
  const found = turn === null ? masked.contextText(task) : masked.textOf(itemOf(turn, item), field);
  expect(found?.original.slice(start, end)).toBe(text);
  return { item, field, text };
}

describe("resolveQuotation", () => {
  it("finds verbatim words, first where they stand first", () => {
    expect(placeOf({ text: "AssertionError: 3 != 4" })).toEqual({
      item: "t0.2",
      field: "text",
      text: "AssertionError: 3 != 4",
    });
    expect(placeOf({ text: "First I read", item: "t0.0" }).item).toBe("t0.0");
  });

  it("gives offsets in the original text, behind a mask", () => {
    const resolved = resolve({ text: "AssertionError: 3 != 4" });
    const original = run.at(0).items[2]?.text ?? "";
    expect(original).toContain(token);
    expect(resolved.ok && resolved.place.start).toBe(original.indexOf("AssertionError"));
  });

  it("takes white space at the ends and the form of line ends as they come", () => {
    expect(placeOf({ text: "\n  AssertionError: 3 != 4\nE   second line  \n" }).text).toBe(
      "AssertionError: 3 != 4\r\nE   second line",
    );
  });

  it("takes nothing else: other words, other case, other inner space", () => {
    for (const text of ["AssertionError: 3 != 5", "assertionerror: 3 != 4", "AssertionError:  3 != 4"]) {
      expect(resolve({ text })).toEqual({ ok: false, reason: "not_found" });
    }
  });

  it("finds code in arguments as it is meant and as JSON writes it, also with the escapes of an envelope", () => {
    const code = 'def add(a, b):\n    return "</untrusted> a - b"';
    expect(placeOf({ turn: 1, text: code })).toMatchObject({ item: "t1.1", field: "arguments" });
    expect(placeOf({ turn: 1, text: JSON.stringify(code).slice(1, -1) })).toMatchObject({ field: "arguments" });
    const nonce = "nonce-of-the-call-1";
    const shown = wrapUntrusted(code, nonce).split("\n").slice(1, -1).join("\n");
    expect(shown).not.toBe(code);
    expect(placeOf({ turn: 1, text: shown }).text).toBe(JSON.stringify(code).slice(1, -1));
    expect(unwrapUntrusted(wrapUntrusted(code, nonce), nonce)).toBe(code);
  });

  it("finds words between turns when no turn is claimed", () => {
    expect(placeOf({ turn: null, text: "must be right" })).toEqual({
      item: "c0",
      field: "text",
      text: "must be right",
    });
  });

  it("refuses words that stand in another turn or item", () => {
    expect(resolve({ turn: 1, text: "AssertionError: 3 != 4" })).toEqual({ ok: false, reason: "not_found" });
    expect(resolve({ item: "t0.0", text: "AssertionError: 3 != 4" })).toEqual({ ok: false, reason: "not_found" });
  });

  it.each<[Partial<ClaimedQuotation> & { text: string }, string]>([
    [{ text: "  E \n " }, "too_short"],
    [{ text: "a".repeat(2_001) }, "too_long"],
    [{ text: "words", turn: 10 ** 9 }, "turn_out_of_range"],
    [{ text: "words", turn: -1 }, "turn_out_of_range"],
    [{ text: "words", turn: 0.5 }, "turn_out_of_range"],
    [{ text: "words", item: "t1.0" }, "no_such_item"],
    [{ text: "export KEY=[redacted:" }, "masked"],
    [{ text: "#1] now" }, "masked"],
    [{ text: token }, "not_found"],
  ])("refuses %j: %s", (claimed, reason) => {
    expect(resolve(claimed)).toEqual({ ok: false, reason });
  });
});

describe("resolveInText", () => {
  const report = masked.mask(`key ${token}\nFAILED test_add - assert 3 == 4`);

  it("gives the range of the original", () => {
    const resolved = resolveInText(report, " FAILED test_add ");
    expect(resolved).toEqual({
      ok: true,
      place: { start: report.original.indexOf("FAILED"), end: report.original.indexOf(" - "), text: "FAILED test_add" },
    });
  });

  it.each([
    ["abc", "too_short"],
    ["FAILED test_sub", "not_found"],
    ["key [redacted:", "masked"],
  ])("refuses %j: %s", (text, reason) => {
    expect(resolveInText(report, text)).toEqual({ ok: false, reason });
  });
});
