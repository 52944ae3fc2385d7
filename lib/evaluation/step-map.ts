import { type Trajectory, type Turn, turnsOf } from "@/lib/trajectory/schema";

/**
 * Which steps of a data set's own numbering fall on which turn. Several may fall on one turn, some on what stands between
 * turns, and a turn may carry none.
 */
export interface StepMap {
  /** The steps of each turn, by its index, ascending. */
  turns: readonly (readonly number[])[];
  /** Steps that are no turn's: a person's message, a system prompt. */
  between: ReadonlySet<number>;
  /** How many different steps there are. */
  count: number;
}

/** Where a step is. */
export type StepPlace = "turn" | "between" | "outside";

/** The map of a trajectory in one numbering. Steps that are no whole numbers (`3.1`) are no labels' and left out. */
export function stepMapOf(trajectory: Trajectory, convention: string): StepMap {
  const turns = turnsOf(trajectory).map(({ sourceSteps }) => numbersIn(sourceSteps, convention));
  const onTurns = new Set(turns.flat());
  const between = new Set<number>();
  for (const entry of trajectory.entries) {
    if (entry.kind !== "context") continue;
    for (const step of numbersIn(entry.sourceSteps, convention)) if (!onTurns.has(step)) between.add(step);
  }
  return { turns, between, count: onTurns.size + between.size };
}

function numbersIn(steps: Turn["sourceSteps"], convention: string): number[] {
  const numbers = steps.filter((step) => step.convention === convention).map(({ step }) => wholeNumber(step));
  return [...new Set(numbers.filter((number) => number !== null))].sort((a, b) => a - b);
}

/** A step as a number; null when it is none. Never by its beginning: `1` and `13` are different steps. */
export function wholeNumber(step: string): number | null {
  return /^-?\d{1,9}$/.test(step) ? Number(step) : null;
}

/** The turns that carry a step, ascending. */
export function turnsOfStep({ turns }: StepMap, step: number): number[] {
  return turns.flatMap((steps, turn) => (steps.includes(step) ? [turn] : []));
}

/** Whether a step is a turn's, stands between turns, or is no step of this run at all. */
export function placeOfStep(map: StepMap, step: number): StepPlace {
  if (turnsOfStep(map, step).length > 0) return "turn";
  return map.between.has(step) ? "between" : "outside";
}

/**
 * How far a turn is from a step: steps between it and the nearest of the turn's own, 0 when it is one of them. Null for a
 * turn that carries no step of this numbering, and for one that there is not.
 */
export function distanceOf(map: StepMap, turn: number, step: number): number | null {
  const steps = map.turns[turn] ?? [];
  return steps.length === 0 ? null : Math.min(...steps.map((one) => Math.abs(one - step)));
}
