import { buildHistory } from "@/lib/artefact/history";
import { estimateTokens } from "@/lib/folding/tokens";
import { ingest } from "@/lib/ingest/ingest";
import { DEFAULT_SETTINGS } from "@/lib/investigator/diagnosis";
import { investigate } from "@/lib/investigator/investigation/investigate";
import { localizeStructurally } from "@/lib/investigator/structural";
import { foldedSize } from "@/lib/investigator/test-support/folded-size";
import { type Scripted, ScriptedJudge, wordsOf } from "@/lib/investigator/test-support/scripted-judge";
import { maskTrajectory } from "@/lib/judge/masked";
import { turnsOf } from "@/lib/trajectory/schema";
import { makeInvestigatedRun } from "../inputs/investigated-run";
import { type Figure, type Question, singleFigure } from "../question";

/** The buckets of length that the paper reports by, and a run in the middle of each; beyond 40 turns an outline is read. */
const BUCKETS = [
  { bucket: "0 to 20 turns", turns: 10 },
  { bucket: "21 to 40 turns", turns: 30 },
  { bucket: "41 to 60 turns", turns: 50 },
  { bucket: "61 to 80 turns", turns: 70 },
  { bucket: "over 80 turns", turns: 150 },
];
const FIRST_AT_MOST = 1.02;
const REPORT = "FAILED tests/test_part.py::test_one - AssertionError: assert 3 == 4";

/** Six questions: requirements, prior, three look-ups, the diagnosis. Each bucket is one run: nothing here is timed. */
export const question: Question = {
  id: "investigation",
  title: "What an investigation of six questions sends, against the whole trajectory in one question",
  bound: `the trajectory in the first question at most ${FIRST_AT_MOST} times its folded size, where it is read in one pass`,
  run: async () => {
    const figures: Figure[] = [];
    for (const { bucket, turns } of BUCKETS) {
      const { trajectory, failure } = ingest({ name: "bench", bytes: makeInvestigatedRun({ turns, seed: turns }) });
      const about = {
        trajectory,
        history: buildHistory(trajectory, null),
        failure: { ...failure, outcome: "failed" as const, errorReport: REPORT },
      };
      const judge = new ScriptedJudge((request, n) => answer(request.purpose, n));
      const diagnosis = await investigate(
        {
          ...about,
          ...{ task: trajectory.task.statement, structural: localizeStructurally(about), settings: DEFAULT_SETTINGS },
          masked: maskTrajectory(trajectory, [REPORT]),
          outline: (turn) => ({ title: `Turn ${turn.index + 1}`, hasError: false, writeCount: 0 }),
        },
        {
          judges: [judge],
          nonce: (n) => `nonce-of-the-benchmark-${n}`,
          isNearlySpent: () => false,
          report: () => undefined,
        },
      );
      const sent = judge.asked.reduce((sum, request) => sum + wordsOf(request).length, 0);
      const { wholeChars, firstChars } = diagnosis.shown;
      const folded = foldedSize(trajectory);
      const bound = diagnosis.mode === "single_pass" ? FIRST_AT_MOST : null;
      figures.push(
        singleFigure(`${bucket}: all six questions / the whole trajectory once`, "times", sent / wholeChars),
        singleFigure(
          `${bucket}: trajectory in the first question / its folded size`,
          "times",
          firstChars / folded,
          bound,
        ),
        singleFigure(`${bucket}: all six, tokens (estimated)`, "count", estimateTokens(sent)),
        singleFigure(`${bucket}: the whole once, tokens (estimated)`, "count", estimateTokens(wholeChars)),
        singleFigure(`${bucket}: questions`, "count", judge.asked.length),
      );
      if (turnsOf(trajectory).length !== turns) throw new Error("the input has other turns than it should");
    }
    return {
      figures,
      remarks: ["Without an endpoint's cache: the long beginning of a question counts each time that it is sent."],
    };
  },
};

function answer(purpose: string, n: number): Scripted {
  const why = "to read what it says";
  if (purpose === "requirements") {
    const requirement = { text: "Each part names itself.", source: "task", quote: "each has to name itself" };
    return { tool: "freeze_requirements", arguments: { requirements: [requirement] } };
  }
  if (purpose === "prior") {
    const prior = { phase: "implementation", kind: "semantic_logic_error", rationale: "A wrong number." };
    return { tool: "state_prior", arguments: prior };
  }
  const observation = { through: null, context: null, from_line: null, why };
  if (n === 2) return { tool: "view_observation", arguments: { ...observation, turn: 3 } };
  if (n === 3) return { tool: "search", arguments: { text: "FAILED", from_turn: null, to_turn: null, why } };
  if (n === 4) return { tool: "view_diff", arguments: { turn: 5, path: null, why } };
  return {
    tool: "submit_diagnosis",
    arguments: {
      ...{ status: "determined", undetermined_reason: null, turn: 5, phase: "implementation" },
      ...{ kind: "semantic_logic_error", justification: "It writes a number.", committed: ["PART = 4"] },
      violated: [{ from: "error_report", turn: null, quote: "assert 3 == 4" }],
      ...{ requirement: "R1", fate: "persistent", correct_step: "Name the part.", confidence: "low" },
      alternative: null,
    },
  };
}
