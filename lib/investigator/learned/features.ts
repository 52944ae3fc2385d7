import { z } from "zod";
import type { Write } from "@/lib/artefact/model";
import { writesByTurn } from "@/lib/artefact/writes-by-turn";
import { actionSignature, closingCycle, endLoop, looseSignature } from "../repetition";
import type { RunSignals } from "../signals";

/**
 * What the ranker looks at, in the order of the columns. All of it is read from calls and the files that they write;
 * nothing needs a result, so a trace without results gives the same columns.
 */
export const FEATURES = [
  "first_turn",
  "position",
  "position_squared",
  "changes_existing_file",
  "first_change_of_existing_file",
  "first_existing_file_changed",
  "first_write_to_file",
  "run_without_write",
  "action_seen_before",
  "action_for_second_time",
  "same_target_for_third_time",
  "next_action_identical",
  "near_closing_cycle",
  "closing_cycle_begins",
  "closing_cycle_third_turn",
  "near_closing_loop",
  "before_closing_loop",
] as const;
export type Feature = (typeof FEATURES)[number];

/** A value for every feature, from its column. */
export function byFeature(value: (column: number) => number): Record<Feature, number> {
  return z
    .record(z.enum(FEATURES), z.number())
    .parse(Object.fromEntries(FEATURES.map((feature, k) => [feature, value(k)])));
}

/** The places of a run that features are measured from; positions on the path, null where the run has no such place. */
export interface Landmarks {
  firstChange: number | null;
  cycleStart: number | null;
  cycleThird: number | null;
  loopStart: number | null;
  /** What comes three times in the closing loop: how many different actions it has. */
  loopDistinct: number;
  cycleDistinct: number;
}

/** The columns of a run: a row for every turn of its path, with what the words about them are made from. */
export interface FeatureTable {
  rows: number[][];
  landmarks: Landmarks;
  /** For each turn of the path, the writes that count as changes of the work. */
  changes: Write[][];
  /** For each turn of the path, how often its action came before, word for word. */
  seenBefore: number[];
}

/** Which writes count as changes of the work; chosen among these by cross-validation. */
export const CHANGE_RULES = ["existing", "not_tried", "not_scratch"] as const;
export type ChangeRule = (typeof CHANGE_RULES)[number];

/** A count above this says no more than this. */
const SEEN_MAX = 4;

/** The features of every turn on the path that the run ended on. Linear in the turns. */
export function featureTable(run: RunSignals, rule: ChangeRule): FeatureTable {
  const { path } = run;
  const writes = writesByTurn(run.effectiveWrites);
  const counts = changeTest(run, rule);
  const changes = path.map((turn) => (writes.get(turn.index) ?? []).filter(counts));
  const exact = path.map(actionSignature);
  const loose = path.map((turn) => looseSignature(turn, writes.get(turn.index) ?? []));
  const place = new Map(path.map((turn, i) => [turn.index, i]));
  const placeOf = (turn: number | undefined): number | null => (turn === undefined ? null : (place.get(turn) ?? null));
  const cycle = closingCycle(path, (turn) => exact[place.get(turn.index) ?? -1] ?? null);
  const loop = endLoop(path, (turn) => loose[place.get(turn.index) ?? -1] ?? null);
  const firstChange = changes.findIndex((list) => list.length > 0);
  const landmarks: Landmarks = {
    firstChange: firstChange === -1 ? null : firstChange,
    cycleStart: placeOf(cycle?.turns[0]),
    cycleThird: placeOf(cycle?.turns[2]),
    cycleDistinct: cycle?.distinct ?? 0,
    loopStart: placeOf(loop?.turns[0]),
    loopDistinct: loop?.distinct ?? 0,
  };

  const seenExact = new Map<string, number>();
  const seenLoose = new Map<string, number>();
  const written = new Set<string>();
  const changed = new Set<string>();
  const seenBefore: number[] = [];
  const rows = path.map((turn, i) => {
    const here = changes[i] ?? [];
    const allWrites = writes.get(turn.index) ?? [];
    const action = exact[i] ?? null;
    const seen = countAndAdd(seenExact, action);
    const seenTarget = countAndAdd(seenLoose, loose[i] ?? null);
    seenBefore.push(seen);
    const relative = i / Math.max(1, path.length - 1);
    const row: Record<Feature, number> = {
      first_turn: flag(i === 0),
      position: relative,
      position_squared: relative * relative,
      changes_existing_file: flag(here.length > 0),
      first_change_of_existing_file: flag(here.some((write) => !changed.has(write.path))),
      first_existing_file_changed: flag(i === landmarks.firstChange),
      first_write_to_file: flag(allWrites.some((write) => !written.has(write.path))),
      run_without_write: run.effectiveWrites.length > 0 ? 0 : Math.log1p(i),
      action_seen_before: Math.min(SEEN_MAX, seen),
      action_for_second_time: flag(seen === 1),
      same_target_for_third_time: flag(seenTarget === 2),
      next_action_identical: flag(action !== null && exact[i + 1] === action),
      near_closing_cycle: nearness(i, landmarks.cycleStart),
      closing_cycle_begins: flag(i === landmarks.cycleStart),
      closing_cycle_third_turn: flag(i === landmarks.cycleThird),
      near_closing_loop: nearness(i, landmarks.loopStart),
      before_closing_loop: flag(landmarks.loopStart !== null && i === landmarks.loopStart - 1),
    };
    for (const write of allWrites) written.add(write.path);
    for (const write of here) changed.add(write.path);
    return FEATURES.map((feature) => row[feature]);
  });
  return { rows, landmarks, changes, seenBefore };
}

function flag(holds: boolean): number {
  return holds ? 1 : 0;
}

/** 0 at the place, lower the further from it; 0 everywhere in a run that has no such place. */
function nearness(i: number, place: number | null): number {
  return place === null ? 0 : -Math.log1p(Math.abs(i - place));
}

/** How often the action came before, and counts it. A turn without an action repeats nothing. */
function countAndAdd(seen: Map<string, number>, signature: string | null): number {
  if (signature === null) return 0;
  const before = seen.get(signature) ?? 0;
  seen.set(signature, before + 1);
  return before;
}

/**
 * `not_scratch`: what the structural rule goes by. `not_tried`: besides, a file that the run made and then runs itself
 * is its own. `existing`: besides, every file that the run made is its own.
 */
function changeTest(run: RunSignals, rule: ChangeRule): (write: Write) => boolean {
  const made = rule === "not_scratch" ? new Set<string>() : madeByRun(run);
  const own = rule === "not_tried" ? runByItself(run, made) : made;
  return (write) => run.scratch.get(write.path)?.isScratch !== true && !own.has(write.path);
}

/** Files that were not there before the run: their first write makes them. */
function madeByRun(run: RunSignals): Set<string> {
  const made = new Set<string>();
  const seen = new Set<string>();
  for (const { path, operation } of run.effectiveWrites) {
    if (seen.has(path)) continue;
    seen.add(path);
    const isNew = operation === "create" || operation === "overwrite";
    if (isNew && run.scratch.get(path)?.reason !== "existed_before") made.add(path);
  }
  return made;
}

function runByItself(run: RunSignals, made: ReadonlySet<string>): Set<string> {
  const byName = new Map([...made].map((path) => [path.slice(path.lastIndexOf("/") + 1), path]));
  const found = new Set<string>();
  for (const turn of run.path) {
    for (const item of turn.items) {
      if (item.kind !== "call" || item.callKind !== "execute") continue;
      const command = item.text ?? (typeof item.arguments?.command === "string" ? item.arguments.command : "");
      for (const word of command.slice(0, 2_000).split(/[\s;|&'"()]+/)) {
        const path = byName.get(word.slice(word.lastIndexOf("/") + 1));
        if (path !== undefined) found.add(path);
      }
    }
  }
  return found;
}
