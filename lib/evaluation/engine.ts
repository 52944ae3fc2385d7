import type { Localizer, LocalizerInput, Verdict } from "@/lib/investigator/verdict";
import type { LabelledCase } from "./labelled-case";

/** A case and what an engine may see of it, which is read when it is asked for: a set may be larger than the memory. */
export interface OpenCase {
  labelled: LabelledCase;
  open(): LocalizerInput;
}

/** What an engine says about one case. */
export interface Prediction {
  /** The turns that it ranks first; several are a tie, none is an abstention. */
  turns: number[];
  /** How much it trusts its answer, in its own class; null when it does not say. */
  reliability: string | null;
  /** Its scores by turn, in its own unit; empty when it gives none. */
  scores: { turn: number; value: number }[];
}

/** Something that can be held against labels. */
export interface Engine {
  id: string;
  version: string;
  /** What has to be known beside its figures, such as that they are out of fold; null when there is nothing. */
  remark: string | null;
  /** True when the same cases give the same answers each time: then it runs once. */
  isDeterministic: boolean;
  /**
   * Answers all cases, in their order: an engine that was trained on a set needs all of it to answer out of fold.
   * @param report called with the number of cases that are done
   */
  predict(cases: readonly OpenCase[], report: (done: number) => void): Promise<Prediction[]>;
}

/** An engine that looks at each case alone. */
export function engineByCase(
  about: Omit<Engine, "predict">,
  answer: (one: OpenCase) => Verdict | Promise<Verdict>,
): Engine {
  return {
    ...about,
    async predict(cases, report) {
      const predictions: Prediction[] = [];
      for (const one of cases) {
        predictions.push(predictionOf(await answer(one)));
        report(predictions.length);
      }
      return predictions;
    },
  };
}

/** An engine out of a localizer, which sees of a case what it may see. */
export function engineOf(localizer: Localizer, isDeterministic: boolean): Engine {
  const { id, version } = localizer;
  return engineByCase({ id, version, remark: null, isDeterministic }, ({ open }) => localizer.localize(open()));
}

/** A verdict as a prediction: its candidates of the first rank, none when it is undetermined. */
export function predictionOf({ status, candidates, reliability, suspicion }: Verdict): Prediction {
  const first = status === "determined" ? candidates.filter(({ rank }) => rank === 1) : [];
  const turns = [...new Set(first.map(({ turn }) => turn))];
  return { turns, reliability: reliability.class, scores: suspicion };
}

/** A guess among all turns of a run; as a tie between them its score is the exact expected value. */
export const randomEngine: Engine = {
  id: "random",
  version: "random@1",
  remark: "The exact expected value of a guess that takes each turn with the same probability; nothing is drawn.",
  isDeterministic: true,
  predict: async (cases) =>
    cases.map(({ labelled }) => ({ turns: [...labelled.map.turns.keys()], reliability: null, scores: [] })),
};
