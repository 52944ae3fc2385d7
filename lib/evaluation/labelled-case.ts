import type { FailureContext, FailureLabel, Trajectory } from "@/lib/trajectory/schema";
import { placeOfStep, type StepMap, type StepPlace, stepMapOf, wholeNumber } from "./step-map";

/** What a data set means by its label. */
export interface Definition {
  kind: string;
  /** The definition and its source; null where nobody has told them. */
  text: string | null;
  source: string | null;
}

/** One run of a labelled set, as evaluation sees it. */
export interface LabelledCase {
  /** Unique in the set when the set's own names are. */
  id: string;
  set: string;
  split: string;
  /** Runs of one task are drawn together when intervals are made. */
  task: string;
  /** Why there is no label to score by; null for a case with one. */
  unlabelled: string | null;
  /** The labelled step; of several the earliest. Null without a label, and for one that is no whole number. */
  label: number | null;
  /** Where the label falls; `unreadable` when it is no whole number. Null without a label. */
  labelPlace: StepPlace | "unreadable" | null;
  /** How many different steps are labelled. */
  labelCount: number;
  definition: Definition | null;
  convention: string;
  map: StepMap;
}

/**
 * The case of a run: the label that travels with it, in the numbering that the label itself names.
 * @param name what to call a case that its set gives no name
 */
export function caseOf(trajectory: Trajectory, failure: FailureContext, name: string): LabelledCase {
  const { labelledCase } = failure;
  const { format, task } = trajectory;
  const [first] = failure.labels ?? [];
  const convention = first?.convention ?? "";
  const map = stepMapOf(trajectory, convention);
  const id = labelledCase?.id ?? name;
  const chosen = chooseLabel(failure.labels ?? [], convention);
  return {
    id,
    set: labelledCase?.dataset ?? format.id,
    split: labelledCase?.split ?? format.variant,
    task: labelledCase?.task ?? task.instance ?? task.statement ?? id,
    unlabelled: first === undefined ? (labelledCase?.exclusion ?? "no label") : null,
    label: chosen.step,
    labelPlace: first === undefined ? null : chosen.step === null ? "unreadable" : placeOfStep(map, chosen.step),
    labelCount: chosen.count,
    definition: first === undefined ? null : definitionOf(first),
    convention,
    map,
  };
}

function chooseLabel(labels: readonly FailureLabel[], convention: string): { step: number | null; count: number } {
  const given = new Set(labels.filter((label) => label.convention === convention).map(({ step }) => step));
  const numbers = [...given].map(wholeNumber).filter((number) => number !== null);
  return { step: numbers.length === 0 ? null : Math.min(...numbers), count: given.size };
}

function definitionOf({ kind, definition }: FailureLabel): Definition {
  return { kind, text: definition?.text ?? null, source: definition?.source ?? null };
}

/**
 * What an engine may see of a failure: never the labels, and the reference (a patch, or what the right answer is) only
 * when it is asked for.
 */
export function withoutLabels(failure: FailureContext, withReference: boolean): FailureContext {
  const { labels: _, labelledCase: __, ...rest } = failure;
  const seen: FailureContext = { ...rest, foundAt: (rest.foundAt ?? []).filter(({ what }) => what !== "label") };
  if (withReference) return seen;
  const verification = seen.verification.map(({ name, passed }) => ({ name, passed, detail: null }));
  return { ...seen, referencePatch: null, verification };
}
