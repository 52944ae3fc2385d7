import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { ingest } from "@/lib/ingest/ingest";
import { maskTrajectory } from "@/lib/judge/masked";
import { type ContextItem, type Turn, turnsOf } from "@/lib/trajectory/schema";
import { demoRuns } from "@/prisma/demo";
import { localizeStructurally } from "../structural";
import { foldedSize } from "../test-support/folded-size";
import { SampleRun } from "../test-support/sample-run";
import { Conversation } from "./conversation";
import { type OutlineLine, outlineText } from "./outline-view";
import { TraceView } from "./trace-view";

/** The trajectory in the first question against its folded size. */
const FIRST_AT_MOST = 1.02;

function madeRun(turns: number, add: (run: SampleRun, n: number) => void): SampleRun {
  const run = new SampleRun();
  for (let n = 0; n < turns; n += 1) add(run, n);
  return run;
}
const LINES = Array.from({ length: 300 }, (_, n) => `module ${n} was checked for its style`).join("\n");
const SYSTEM: ContextItem = {
  ...{ kind: "context", contextKind: "system", id: "c0", text: "You fix bugs.", raw: [], arrival: -1 },
  ...{ author: { role: "harness", name: null }, sourceSteps: [], beforeTurn: 0 },
};

describe.each<[string, SampleRun]>([
  ["one turn of one word", madeRun(1, (run) => run.turn("Done."))],
  ["one call without an answer", madeRun(1, (run) => run.turn().submit())],
  ["many tiny items", madeRun(300, (run, n) => run.turn(n % 3 === 0 ? "Go." : null).run("ls", "a"))],
  ["turns with a dozen of tiny calls", madeRun(20, (run) => Array.from({ length: 12 }, () => run.turn().run("cd x")))],
  ["tiny turns above the length for one pass", madeRun(60, (run) => run.turn("ok"))],
  ["long observations", madeRun(30, (run) => run.turn("I look at all of it.").run("make all", LINES))],
  ["long thoughts", madeRun(50, (run) => run.turn("many words ".repeat(200)).run("ls", "a\nb\n"))],
])("a run with %s", (_, run) => {
  const trajectory = { ...run.trajectory(), entries: [SYSTEM, ...run.trajectory().entries] };
  const masked = maskTrajectory(trajectory);
  const view = new TraceView(trajectory, masked, []);
  const outline = (turn: Turn): OutlineLine => ({
    title: `Turn ${turn.index + 1} of the run`,
    hasError: false,
    writeCount: 0,
  });
  const known = { sources: [], requirements: [], prior: null, hadFailingReport: false };

  it.each(["single_pass", "outline"] as const)(
    "shows at most a fiftieth more of itself first than its folded size, as %s",
    (mode) => {
      const conversation = new Conversation(
        known,
        view,
        (maxChars) => outlineText(view.turns, masked, outline, maxChars),
        "nonce-of-a-test-run",
        mode,
      );
      const { firstChars } = conversation.first();
      expect(firstChars).toBeLessThanOrEqual(foldedSize(trajectory) * FIRST_AT_MOST);
      const { text } = conversation.messages().at(-1) ?? { text: "" };
      // What stands around it is the question's fixed head, and the same for every trajectory.
      expect(text.length - firstChars).toBeLessThan(300);
    },
  );
});

it("the folded size counts the texts and what it takes to tell them apart", () => {
  const run = new SampleRun().turn("Hm.").run("ls", "a");
  // #1, Hm., "> bash" with ls below it, "< a", and a line break after each.
  expect(foldedSize(run.trajectory())).toBe("#1\nHm.\n> bash\nls\n< a\n".length);
});

describe.each(demoRuns())("demo run $name as the investigator reads it", ({ name, bytes, outcome }) => {
  const { trajectory, failure } = ingest({ name, bytes });
  const history = buildHistory(trajectory, null);
  const verdict = localizeStructurally({ trajectory, history, failure: { ...failure, outcome } });
  const masked = maskTrajectory(trajectory);
  const cited = verdict.candidates.flatMap(({ quotations }) => quotations);
  const view = new TraceView(trajectory, masked, cited);

  it("is no longer than the folded trajectory and 2 %", () => {
    expect(view.folded().text.length).toBeLessThanOrEqual(foldedSize(trajectory) * FIRST_AT_MOST);
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
