import { DEFAULT_SETTINGS, type Diagnosis, type Investigation, type Investigations } from "@/lib/views/investigation";

type Finding = NonNullable<Diagnosis["finding"]>;

/** For tests: what a model found at #3, with the words of the test in place of its own. */
export function findingWith(more: Partial<Finding> = {}): Finding {
  return {
    turn: 2,
    phase: "implementation",
    kind: "semantic_logic_error",
    justification: "It writes the wrong value.",
    committed: [
      { from: "trace", quotation: { item: "t2.1", turn: 2, field: "text", start: 0, end: 9, text: "write one" } },
    ],
    violated: [{ from: "error_report", start: 0, end: 11, text: "assert 1==2" }],
    requirement: "R1",
    fate: "persistent",
    correctStep: "Write the other value.",
    confidence: "medium",
    ...more,
  };
}

/** For tests: a diagnosis that agrees with the structural rule. */
export function diagnosisWith(more: Partial<Diagnosis> = {}): Diagnosis {
  return {
    version: 1,
    verdict: {
      engine: "investigator",
      engineVersion: "investigator@1",
      status: "determined",
      undeterminedReason: null,
      reliability: { class: "higher", reason: "Both name the same turn." },
      candidates: [
        {
          ...{ rank: 1, turn: 2, score: 1, reasonCode: "investigator", reason: "It writes the wrong value." },
          quotations: [{ item: "t2.1", turn: 2, field: "text", start: 0, end: 9, text: "write one" }],
          ...{ file: null, line: null },
        },
      ],
      suspicion: [],
    },
    model: "judge-large",
    finding: findingWith(),
    alternative: null,
    requirements: [
      { id: "R1", text: "The value is two.", evidence: { from: "task", start: 0, end: 7, text: "be two" } },
    ],
    prior: null,
    hadFailingReport: true,
    withReference: false,
    harnessFault: null,
    fusion: { structuralTurn: 2, agreement: "same", reason: "Both name the same turn." },
    mode: "single_pass",
    shown: { wholeChars: 12_000, firstChars: 4_000, foldedChars: 8_000, foldedObservations: 3 },
    trail: [],
    votes: [],
    usage: { calls: 4, inputTokens: 4_000, cachedTokens: 400, outputTokens: 200, costUsd: 0.0125 },
    limitReached: null,
    ...more,
  };
}

/** For tests: an investigation that is done, unless said otherwise. */
export function investigationWith(more: Partial<Investigation> = {}): Investigation {
  const diagnosis = more.diagnosis === undefined ? diagnosisWith() : more.diagnosis;
  return {
    id: "a1",
    status: "done",
    model: diagnosis?.model ?? null,
    version: "investigator@1",
    createdBy: "Ines Vidal",
    createdAt: "2026-11-30T20:00:00.000Z",
    endedAt: "2026-11-30T20:01:00.000Z",
    turn: diagnosis?.finding?.turn ?? null,
    isOfOlderImport: false,
    settings: DEFAULT_SETTINGS,
    startedAt: "2026-11-30T20:00:01.000Z",
    trail: diagnosis?.trail ?? [],
    diagnosis,
    error: null,
    ...more,
  };
}

/** For tests: what the page knows when one investigation was made, or none. */
export function investigationsWith(latest: Investigation | null, more: Partial<Investigations> = {}): Investigations {
  return {
    refusal: null,
    model: { name: "judge-large", second: null },
    hasReference: false,
    latest,
    ahead: 0,
    hasWorker: true,
    rows: latest === null ? [] : [latest],
    reviews: [],
    ...more,
  };
}
