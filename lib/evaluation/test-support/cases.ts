import type { LabelledCase } from "../labelled-case";
import { placeOfStep, type StepMap } from "../step-map";

/** A case of a test: a run whose turns are the steps 0 to `turns` - 1, unless `map` says otherwise. */
export function testCase(more: Partial<LabelledCase> & { turns?: number; label: number | null }): LabelledCase {
  const { turns = 10, ...given } = more;
  const map: StepMap = given.map ?? {
    turns: Array.from({ length: turns }, (_, step) => [step]),
    between: new Set(),
    count: turns,
  };
  return {
    id: "one",
    set: "set",
    split: "split",
    task: given.id ?? "one",
    unlabelled: null,
    labelPlace: given.label === null ? "unreadable" : placeOfStep(map, given.label),
    labelCount: 1,
    definition: { kind: "earliest decisive error", text: "A text.", source: "A source" },
    convention: "i",
    ...given,
    map,
  };
}
