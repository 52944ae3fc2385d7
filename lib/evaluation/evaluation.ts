import type { Engine, OpenCase, Prediction } from "./engine";
import type { LabelledCase } from "./labelled-case";
import { type CaseScore, meanScore, scoreAnswer } from "./metrics";

/** A case with what an engine said in each run, and how that came out. */
export interface ScoredCase {
  labelled: LabelledCase;
  predictions: Prediction[];
  score: CaseScore;
}

/**
 * Lets an engine answer every case that has a label, and scores it: the mean over so many runs, one for an engine that
 * always answers the same.
 * @throws RangeError when the engine does not answer every case.
 */
export async function evaluateEngine(
  engine: Engine,
  cases: readonly OpenCase[],
  runs: number,
  report: (done: number, total: number) => void,
): Promise<ScoredCase[]> {
  const labelled = cases.filter((one) => one.labelled.unlabelled === null);
  const rounds: Prediction[][] = [];
  const wanted = engine.isDeterministic ? 1 : runs;
  for (let run = 0; run < wanted; run++) {
    const before = run * labelled.length;
    rounds.push(await engine.predict(labelled, (done) => report(before + done, wanted * labelled.length)));
  }
  return labelled.map(({ labelled: one }, n) => {
    const predictions = rounds.map((round) => {
      const prediction = round[n];
      if (prediction === undefined) throw new RangeError(`${engine.id} gave no answer to ${one.id}`);
      return prediction;
    });
    return { labelled: one, predictions, score: meanScore(predictions.map(({ turns }) => scoreAnswer(one, turns))) };
  });
}
