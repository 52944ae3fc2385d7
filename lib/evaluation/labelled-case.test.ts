import { describe, expect, it } from "vitest";
import { unknownFailure } from "@/lib/ingest/entries";
import { ingest } from "@/lib/ingest/ingest";
import type { FailureContext, FailureLabel } from "@/lib/trajectory/schema";
import { caseOf, type LabelledCase, withoutLabels } from "./labelled-case";

const steps = [0, 1, 2].map((i) => ({
  i,
  actor: "agent",
  action: "ls",
  args: "{}",
  thought: `${i}`,
  observation: null,
}));
const row = { dataset: "tracewake", split: "s", id: "a/1", task: "t-1", gold_step: 2, label_origin: "human", steps };
const read = (given: object): ReturnType<typeof ingest> =>
  ingest({ name: "x", bytes: new TextEncoder().encode(JSON.stringify({ ...row, ...given })) });
const { trajectory } = read({});

const label = (step: string, more: Partial<FailureLabel> = {}): FailureLabel => ({
  ...{ kind: "mistake", step, convention: "i", agent: null, reason: null },
  ...more,
});

function labelled(labels: FailureLabel[]): Pick<LabelledCase, "label" | "labelPlace" | "labelCount" | "unlabelled"> {
  const { label, labelPlace, labelCount, unlabelled } = caseOf(trajectory, { ...unknownFailure(), labels }, "a name");
  return { label, labelPlace, labelCount, unlabelled };
}

describe("a case", () => {
  it("is what the data set says of its row, with the definition of the label", () => {
    const { trajectory, failure } = read({});
    expect(caseOf(trajectory, failure, "a name")).toMatchObject({
      ...{ id: "a/1", set: "tracewake", split: "s", task: "t-1", unlabelled: null, convention: "i" },
      ...{ label: 2, labelPlace: "turn", labelCount: 1, map: { turns: [[0], [1], [2]], count: 3 } },
      definition: { kind: "point of no return", text: expect.stringContaining("no later step") },
    });
  });

  it("takes the names of the trajectory where no set gives any", () => {
    const found = caseOf(trajectory, { ...unknownFailure(), labels: [label("1")] }, "a name");
    expect(found).toMatchObject({ id: "a name", set: "labelled-steps", split: "actions", task: "t-1", label: 1 });
    expect(found.definition).toEqual({ kind: "mistake", text: null, source: null });
  });

  it("without a label says why", () => {
    const left = read({ gold_step: null, exclusion: "E2" });
    expect(caseOf(left.trajectory, left.failure, "a")).toMatchObject({
      unlabelled: "E2",
      label: null,
      labelPlace: null,
    });
    expect(labelled([])).toEqual({ unlabelled: "no label", label: null, labelPlace: null, labelCount: 0 });
  });

  it("keeps a label that falls on no turn", () => {
    expect(labelled([label("7")])).toMatchObject({ unlabelled: null, label: 7, labelPlace: "outside" });
    expect(labelled([label("-1")])).toMatchObject({ unlabelled: null, label: -1, labelPlace: "outside" });
    expect(labelled([label("2.1")])).toMatchObject({ unlabelled: null, label: null, labelPlace: "unreadable" });
  });

  it("counts the same label once, and takes the earliest of several", () => {
    expect(labelled([label("1"), label("1", { agent: "b" })])).toMatchObject({ label: 1, labelCount: 1 });
    expect(labelled([label("2"), label("1")])).toMatchObject({ label: 1, labelCount: 2 });
    expect(labelled([label("2"), label("1", { convention: "other" })])).toMatchObject({ label: 2, labelCount: 1 });
  });
});

describe("what an engine sees of a failure", () => {
  const failure: FailureContext = {
    ...read({ reference: "diff --git a/x b/x\n" }).failure,
    verification: [{ name: "answer", passed: false, detail: "42" }],
  };

  it("is never a label", () => {
    for (const withReference of [false, true]) {
      const seen = withoutLabels(failure, withReference);
      expect(seen).not.toHaveProperty("labels");
      expect(seen).not.toHaveProperty("labelledCase");
      expect(JSON.stringify(seen)).not.toMatch(/point of no return|"label"/);
      expect(seen.outcome).toBe("failed");
    }
  });

  it("is the reference only when it is asked for", () => {
    expect(withoutLabels(failure, true)).toMatchObject({
      referencePatch: "diff --git a/x b/x\n",
      verification: [{ detail: "42" }],
    });
    const seen = withoutLabels(failure, false);
    expect(seen).toMatchObject({
      referencePatch: null,
      verification: [{ name: "answer", passed: false, detail: null }],
    });
  });
});
