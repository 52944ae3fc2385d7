import { type Engine, engineByCase } from "@/lib/evaluation/engine";
import { LEARNED_ENGINE, localizeLearned } from "@/lib/investigator/learned/learned";
import { hashOf } from "@/lib/investigator/learned/training";
import { rankerWithout, TRAINED } from "@/lib/investigator/learned/weights";

/**
 * The learned ranker for labelled sets. A case that it learned from, or another run on its task, is answered by the ranker
 * of the cross-validation that has not seen it; any other case by the weights that Misstep comes with.
 */
export const learnedEngine: Engine = engineByCase(
  {
    id: LEARNED_ENGINE,
    version: TRAINED.version,
    remark:
      "Runs that it was trained on, and other runs on their tasks, are answered out of fold: by weights that were learned " +
      "and chosen without them. " +
      `Its labels mark the ${TRAINED.labelKind}; sets that label something else ask another question.`,
    isDeterministic: true,
  },
  ({ labelled, open }) => {
    const { ranker } = rankerWithout(TRAINED, [hashOf(labelled.id), hashOf(labelled.task)]);
    return localizeLearned(open(), TRAINED, ranker);
  },
);
