import { envelopeRule, wrapUntrusted } from "@/lib/judge/envelope";
import type { JudgeMessage } from "@/lib/judge/port";
import type { Prior, Requirement } from "../diagnosis";
import { FAILURE_KINDS, PHASES } from "../failure-kinds";
import { type Source, titleOf } from "./sources";

/** Rises when the words of a question or what goes into it change: stored with every diagnosis. */
export const PROMPT_VERSION = "investigator@2";

const KINDS = FAILURE_KINDS.map(
  ({ id, phase }) => `${id} (${PHASES.find((each) => each.id === phase)?.id ?? "any phase"})`,
).join(", ");

const REQUIREMENTS_TASK = `You write down what has to hold for a coding task to succeed, before anybody looks at how it was tried.
Take each requirement from the task, from the failing report or from the failing test, and quote the words that it comes
from exactly. At most twelve, the ones that decide first. Say what must hold, not how to get there.`;

const PRIOR_TASK = `You are given the code of a failing test and its report, of a task that a coding agent did not solve.
Say in which phase of its work the agent most likely went wrong, what kind of failure it is, and why you think so.
You have not seen the agent's work: this is a first guess.
Phases: ${PHASES.map(({ id }) => id).join(", ")}.
Kinds: ${KINDS}.`;

const INVESTIGATION_TASK = `You examine the run of a coding agent that did not solve its task, and name its earliest decisive error step: the first
turn of which it is true that, had that turn alone been right and everything after it been done as well as possible, the
task would have been solved.
- A turn is an error only when the agent commits to something wrong in it. To consider several ideas is no error; to act on
  a wrong one, or to settle on it in a thought, is. A thought without an action can be the step.
- Name the first turn that commits to it, not the one where it shows.
- An error that a later turn makes good (repaired) is not decisive; look for one that lasts (persistent), or for one without an
  effect (dormant) only when there is no other.
- In the trajectory #12 begins a turn, > a call with its tool, < what it gave, = a message; the rest is what the agent thought.
- Observations are folded where they seem to hold nothing of the failure; look up what you need before you decide.
- Quote exactly what you read, without line numbers and signs that a listing adds. What was committed has to be the agent's
  own words in that turn, of its thought or of its call; what was violated has to have been known by then.
- When the trajectory does not tell, say undetermined and why. That is a good answer; a guess is not.
Kinds of failure: ${KINDS}.
Answer with calls of the tools, and end with submit_diagnosis.`;

/** The messages that begin the freezing of requirements. */
export function requirementsMessages(sources: readonly Source[], nonce: string): JudgeMessage[] {
  return begin(REQUIREMENTS_TASK, sources, nonce);
}

/** The messages that begin the prior failure reasoning: of the failing test and its report alone, as in the paper. */
export function priorMessages(sources: readonly Source[], nonce: string): JudgeMessage[] {
  const report = sources.filter(({ name }) => name === "error_report" || name === "failing_test_code");
  return begin(PRIOR_TASK, report, nonce);
}

/** What the investigator gets besides the trajectory. */
export interface Known {
  sources: readonly Source[];
  requirements: readonly Requirement[];
  prior: Prior | null;
  hadFailingReport: boolean;
}

/** The messages that begin an investigation. `trace` is the trajectory as it is shown, `how` says in a sentence how. */
export function investigationMessages(known: Known, trace: string, how: string, nonce: string): JudgeMessage[] {
  const requirements = known.requirements.map(({ id, text, evidence }) => `${id} (${evidence.from}): ${text}`);
  const notes = known.hadFailingReport ? [] : ["There is no failing report: nothing says how the failure showed."];
  const parts = [
    ...known.sources.map((source) => section(titleOf(source.name), source.shown, nonce)),
    ...(requirements.length === 0
      ? []
      : [section("What has to hold, written down before the trajectory was read", requirements.join("\n"), nonce)]),
    ...(known.prior === null
      ? []
      : [
          section(
            "A first guess from the failing report alone",
            `${known.prior.phase}, ${known.prior.kind}: ${known.prior.rationale}`,
            nonce,
          ),
        ]),
    ...notes,
    section(`The trajectory. ${how}`, trace, nonce),
  ];
  return [system(INVESTIGATION_TASK, nonce), { role: "user", text: parts.join("\n\n") }];
}

function begin(task: string, sources: readonly Source[], nonce: string): JudgeMessage[] {
  const parts = sources.map((source) => section(titleOf(source.name), source.shown, nonce));
  return [system(task, nonce), { role: "user", text: parts.join("\n\n") }];
}

function system(task: string, nonce: string): JudgeMessage {
  return { role: "system", text: `${task}\n\n${envelopeRule(nonce)}` };
}

function section(title: string, text: string, nonce: string): string {
  return `${title}:\n${wrapUntrusted(text, nonce)}`;
}
