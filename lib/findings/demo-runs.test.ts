import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { ingest } from "@/lib/ingest/ingest";
import { localizeStructurally } from "@/lib/investigator/structural";
import { turnsOf } from "@/lib/trajectory/schema";
import { textOf } from "@/lib/trajectory/texts";
import { demoRuns } from "@/prisma/demo";
import { outlineTurn } from "./outline";
import { packStrip } from "./strip";

/** What a newcomer sees first has to be right: the demo runs, through everything that is pure. */
describe.each(demoRuns())("demo run $name", ({ name, bytes, outcome }) => {
  const { trajectory, failure } = ingest({ name, bytes });
  const history = buildHistory(trajectory, null);
  const turns = turnsOf(trajectory);

  it("is understood without rest, and its files are known at every turn", () => {
    expect(trajectory.notes.filter((note) => note.level === "not_understood")).toEqual([]);
    expect(history.conflicts).toEqual([]);
    const unsure = [...history.files.values()].flatMap(({ path, versions }) =>
      versions
        .filter(({ certainty }) => certainty === "unknown" || certainty === "partial")
        .map(({ n }) => `${path}@${n}`),
    );
    expect(unsure).toEqual([]);
  });

  it("has a verdict that fits its outcome, with quotations that resolve", () => {
    const verdict = localizeStructurally({ trajectory, history, failure: { ...failure, outcome } });
    expect(verdict.status).toBe(outcome === "failed" ? "determined" : "undetermined");
    const items = new Map(turns.flatMap((turn) => turn.items.map((item) => [item.id, item])));
    for (const { item, field, start, end, text } of verdict.candidates.flatMap(({ quotations }) => quotations)) {
      const found = items.get(item);
      expect(found === undefined ? null : textOf(found, field)?.slice(start, end)).toBe(text);
    }
  });

  it("has a title for every turn", () => {
    for (const turn of turns) {
      const { title } = outlineTurn(
        turn,
        history.writes.filter((write) => write.turn === turn.index),
      );
      expect(title).toMatch(/^[A-Z]/);
      expect(title).not.toBe("Says nothing");
    }
  });
});

it("shows what each story is about", () => {
  const verdicts = demoRuns().map(({ name, bytes, outcome }) => {
    const { trajectory, failure } = ingest({ name, bytes });
    const history = buildHistory(trajectory, null);
    const verdict = localizeStructurally({ trajectory, history, failure: { ...failure, outcome } });
    const strip = packStrip(trajectory, history, verdict);
    return {
      name,
      turns: strip.turns,
      first: verdict.candidates[0]?.file ?? null,
      tests: strip.test.replaceAll(".", ""),
    };
  });
  expect(verdicts).toEqual([
    { name: "ferrybook-58.traj", turns: 31, first: "/testbed/ferrybook/planner.py", tests: "pfppfff" },
    { name: "paperdock-traversal.jsonl", turns: 25, first: "/home/dev/paperdock/paperdock/store.py", tests: "pp" },
    { name: "gridlog-todo.traj", turns: 122, first: null, tests: expect.stringMatching(/^p(?:[fp])+p$/) },
  ]);
});
