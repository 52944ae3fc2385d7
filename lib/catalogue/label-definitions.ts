/** What a data set means by the step that it labels. Labels of different definitions are never pooled. */
export interface LabelDefinition {
  /** The words for it: `point of no return`. */
  kind: string;
  /** The definition in one sentence. */
  text: string;
  /** Who says so: the data set and, where there is one, its paper. */
  source: string;
}

const SUFFICIENT = "The earliest step that, corrected alone, would have made the run succeed.";

const WHO_AND_WHEN: LabelDefinition = {
  kind: "earliest decisive error",
  text: SUFFICIENT,
  source: "Who&When (arXiv 2505.00212)",
};

const DEFINITIONS: ReadonlyMap<string, LabelDefinition> = new Map([
  [
    "tracewake",
    {
      kind: "point of no return",
      text: "The step after which no later step of the run could have recovered it.",
      source: "tracewake, labels of one person",
    },
  ],
  ["whowhen", WHO_AND_WHEN],
  ["whoandwhen", WHO_AND_WHEN],
  ["rootse", { kind: "earliest decisive error", text: SUFFICIENT, source: "RootSE (TrajAudit, arXiv 2605.26563)" }],
  [
    "agentrx",
    {
      kind: "root cause",
      text: "Of all failures that were marked in a run, the one that was chosen as the root cause of how it ended.",
      source: "AgentRx (arXiv 2602.02475)",
    },
  ],
  [
    "codetracebench",
    {
      kind: "earliest incorrect step",
      text: "Every incorrect step is labelled; here the earliest of them counts.",
      source: "CodeTraceBench (arXiv 2604.11641)",
    },
  ],
]);

/**
 * The definition of a data set's label, by the name that the data set goes by; null when nobody has told it.
 * @param dataset in any case, with or without the signs between its words: `who-and-when`, `Who&When`, `whowhen`
 */
export function labelDefinition(dataset: string): LabelDefinition | null {
  return DEFINITIONS.get(dataset.toLowerCase().replace(/[^a-z0-9]/g, "")) ?? null;
}
