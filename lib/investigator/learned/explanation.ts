import { displayPath } from "../paths";
import { quoteOpening } from "../quotation";
import type { RunSignals } from "../signals";
import { callsOf, quoteThought, quoteWrite } from "../turn-quotations";
import type { Contribution, Quotation } from "../verdict";
import { FEATURES, type Feature, type FeatureTable } from "./features";
import { contributionsOf, type Ranker } from "./ranking";

/** As many reasons as people read. */
const REASONS_MAX = 3;

/**
 * Why the turn at place `at` of the path stands where it does: what speaks for it most against the run's average turn,
 * the strongest first, at most three. `quotation` is a place in `quotations`, which are the turn's own words.
 */
export function explainTurn(
  run: RunSignals,
  table: FeatureTable,
  ranker: Ranker,
  at: number,
): { contributions: Contribution[]; quotations: Quotation[] } {
  const values = contributionsOf(table.rows, at, ranker);
  const byFeature = FEATURES.map((feature, k) => ({ feature, value: values[k] ?? 0 }));
  // The position and its square are one reason.
  const square = byFeature.find(({ feature }) => feature === "position_squared")?.value ?? 0;
  const merged = byFeature
    .filter(({ feature }) => feature !== "position_squared")
    .map(({ feature, value }) => ({ feature, value: feature === "position" ? value + square : value }));
  const strongest = merged
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, REASONS_MAX);
  const quotations: Quotation[] = [];
  const placeOf = (quotation: Quotation | null): number | null => {
    if (quotation === null) return null;
    const known = quotations.findIndex(({ item, start, field }) => {
      return item === quotation.item && start === quotation.start && field === quotation.field;
    });
    return known === -1 ? quotations.push(quotation) - 1 : known;
  };
  const contributions = strongest.map(({ feature, value }) => ({
    feature,
    value: Math.round(value * 1000) / 1000,
    words: wordsFor(feature, run, table, at),
    quotation: placeOf(quotationFor(feature, run, table, at)),
  }));
  if (quotations.length === 0) placeOf(actionOf(run, at));
  placeOf(quoteThought(run.path[at], ""));
  return { contributions, quotations };
}

const ABOUT_WRITES: ReadonlySet<Feature> = new Set([
  "changes_existing_file",
  "first_change_of_existing_file",
  "first_existing_file_changed",
]);

/** The change for what is about a change, the first action for all else, the thought for a turn without one. */
function quotationFor(feature: Feature, run: RunSignals, table: FeatureTable, at: number): Quotation | null {
  const write = ABOUT_WRITES.has(feature) ? table.changes[at]?.[0] : undefined;
  const call = write === undefined ? undefined : run.items.get(write.item);
  if (write !== undefined && call !== undefined) return quoteWrite(call.item, call.turn, write);
  return actionOf(run, at);
}

function actionOf(run: RunSignals, at: number): Quotation | null {
  const turn = run.path[at];
  const call = callsOf(turn)[0];
  return turn === undefined || call === undefined ? quoteThought(turn, "") : quoteOpening(call, turn.index);
}

/** What a feature says about a turn, in a sentence without its full stop. */
function wordsFor(feature: Feature, run: RunSignals, table: FeatureTable, at: number): string {
  const { landmarks } = table;
  const holds = (table.rows[at]?.[FEATURES.indexOf(feature)] ?? 0) !== 0;
  const change = table.changes[at]?.[0];
  const file = change === undefined ? "a file of the work" : displayPath(change.path, run.history.root);
  const seen = table.seenBefore[at] ?? 0;
  switch (feature) {
    case "first_turn":
      return holds ? "It is the first turn" : "It is not the first turn, which is seldom the one";
    case "position":
    case "position_squared":
      return `It stands ${partOf(at, run.path.length)} of the run, where it goes wrong for good more often`;
    case "changes_existing_file":
      return holds ? `It changes ${file}` : "It changes no file of the work";
    case "first_change_of_existing_file":
      return holds ? `It changes ${file} for the first time` : "It changes no further file of the work";
    case "first_existing_file_changed":
      return holds
        ? `It is the run's first change of a file of the work: ${file}`
        : "It is not the run's first change of a file of the work";
    case "first_write_to_file":
      return holds ? "It writes to a file that the run had not written to" : "It writes to no new file";
    case "run_without_write":
      return "The run never writes a file, and the turn that decides such a run comes later";
    case "action_seen_before":
      return holds ? `The run had done the same ${times(seen)} before` : "The run had not done the same before";
    case "action_for_second_time":
      return holds
        ? "The run does the same for the second time here"
        : "It is no second time that the run does the same";
    case "same_target_for_third_time":
      return holds
        ? "It is the third time that the run turns to the same place"
        : "It is no third turn to the same place";
    case "next_action_identical":
      return holds ? "The next turn does the same again" : "The next turn does something else";
    case "near_closing_cycle":
      return landmarks.cycleStart === null
        ? "The run does not end in a cycle"
        : `${distance(at, landmarks.cycleStart)} the cycle of ${actions(landmarks.cycleDistinct)} begins that the run ends in`;
    case "closing_cycle_begins":
      return holds
        ? `The cycle of ${actions(landmarks.cycleDistinct)} that the run ends in begins here`
        : "The cycle that the run ends in begins elsewhere";
    case "closing_cycle_third_turn":
      return holds
        ? "It is the third turn of the cycle that the run ends in"
        : "It is not the third turn of a closing cycle";
    case "near_closing_loop":
      return landmarks.loopStart === null
        ? "The run does not end in a loop"
        : `${distance(at, landmarks.loopStart)} the run begins to turn to the same ${places(landmarks.loopDistinct)} until it ends`;
    case "before_closing_loop":
      return holds
        ? `After it, the run turns to the same ${places(landmarks.loopDistinct)} until it ends`
        : "No closing loop begins right after it";
  }
}

function partOf(at: number, turns: number): string {
  const relative = at / Math.max(1, turns - 1);
  return relative < 1 / 3 ? "in the first third" : relative < 2 / 3 ? "in the middle third" : "in the last third";
}

function distance(at: number, place: number): string {
  const away = Math.abs(at - place);
  if (away === 0) return "Here";
  return `${away === 1 ? "One turn" : `${away} turns`} ${at < place ? "after" : "before"} it`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function actions(count: number): string {
  return count === 1 ? "one action" : `${count} actions`;
}

function places(count: number): string {
  return count === 1 ? "place" : `${count} places`;
}
