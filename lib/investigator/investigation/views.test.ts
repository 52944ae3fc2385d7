import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { foldTrajectory } from "@/lib/folding/fold";
import { ingest } from "@/lib/ingest/ingest";
import { maskTrajectory } from "@/lib/judge/masked";
import { turnsOf } from "@/lib/trajectory/schema";
import { demoRuns } from "@/prisma/demo";
import { localizeStructurally } from "../structural";
import { SampleRun } from "../test-support/sample-run";
import { outlineText } from "./outline-view";
import { TraceView } from "./trace-view";

describe.each(demoRuns())("demo run $name as the investigator reads it", ({ name, bytes, outcome }) => {
  const { trajectory, failure } = ingest({ name, bytes });
  const history = buildHistory(trajectory, null);
  const verdict = localizeStructurally({ trajectory, history, failure: { ...failure, outcome } });
  const masked = maskTrajectory(trajectory);
  const cited = verdict.candidates.flatMap(({ quotations }) => quotations);
  const view = new TraceView(trajectory, masked, cited);

  it("is no longer than the folded trajectory and 2 %", () => {
    const { savings } = foldTrajectory(trajectory);
    const folded = savings.wholeChars - savings.parts.foldedChars + savings.parts.placeholderChars;
    expect(view.folded().text.length).toBeLessThanOrEqual(folded * 1.02);
  });

  it("holds every word that the structural rule cites", () => {
    const { text } = view.folded();
    const items = new Map(turnsOf(trajectory).flatMap(({ items: own }) => own.map((item) => [item.id, item])));
    for (const quotation of cited) {
      const item = items.get(quotation.item);
      const place = item === undefined ? null : masked.textOf(item, quotation.field);
      const range = place?.maskedRange(quotation);
      expect(text).toContain(range === undefined ? "nothing" : place?.text.slice(range.start, range.end));
    }
  });
});

it("keeps what is quoted from the middle of a long observation", () => {
  const log = Array.from({ length: 500 }, (_, n) => `module ${n} was checked`).join("\n");
  const run = new SampleRun().turn("I look.").run("make", log);
  const trajectory = run.trajectory();
  const text = "module 250 was checked";
  const start = log.indexOf(text);
  const quotation = { item: "t0.2", turn: 0, field: "text" as const, start, end: start + text.length, text };
  const masked = maskTrajectory(trajectory);
  expect(new TraceView(trajectory, masked, []).folded().text).not.toContain(text);
  expect(new TraceView(trajectory, masked, [quotation]).folded().text).toContain(text);
});

describe("the outline", () => {
  const run = new SampleRun();
  for (let n = 0; n < 3_000; n += 1) run.turn(`In turn ${n} I think about ${"many things ".repeat(40)}`);
  const trajectory = run.trajectory();
  const masked = maskTrajectory(trajectory);
  const outline = (maxChars: number): string =>
    outlineText(
      turnsOf(trajectory),
      masked,
      ({ index }) => ({ title: `Thinks ${index}`, hasError: index % 10 === 0, writeCount: 1 }),
      maxChars,
    );

  it.each([1_000_000, 300_000, 100_000, 60_000, 15_000, 4_000])("fits into %d characters", (maxChars) => {
    const text = outline(maxChars);
    expect(text.length).toBeLessThanOrEqual(maxChars);
    expect(text.length).toBeGreaterThan(maxChars / 20);
  });

  it("says less of each turn first, and tells turns together then, with their counts", () => {
    expect(outline(1_000_000)).toContain("#1 Thinks 0 (failed) | In turn 0 I think about many things");
    expect(outline(100_000).split("\n")[2]).toBe("#3 Thinks 2");
    expect(outline(15_000)).toMatch(/^#1 to #\d+: \d+ turns, \d+ writes, \d+ with a failure; first: Thinks 0\n/);
  });
});
