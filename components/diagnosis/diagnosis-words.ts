import { formatCost, formatCount, formatPlural } from "@/components/trajectory/numbers";
import {
  type Diagnosis,
  FAILURE_KINDS,
  type Investigation,
  type Investigations,
  PHASES,
  type Review,
  type TrailStep,
} from "@/lib/views/investigation";

type Finding = NonNullable<Diagnosis["finding"]>;

/** The name of a phase of a run (TrajAudit, Figure 5). */
export function phaseName(id: Finding["phase"]): string {
  return PHASES.find((phase) => phase.id === id)?.name ?? id;
}

/** The name of a kind of failure (TrajAudit, Figure 5). */
export function kindName(id: Finding["kind"]): string {
  return FAILURE_KINDS.find((kind) => kind.id === id)?.name ?? id;
}

export const FATE_WORDS: Record<Finding["fate"], string> = {
  repaired: "Repaired later in the run",
  persistent: "Still there at the end",
  dormant: "Still there, without an effect",
};

export const STATUS_WORDS: Record<Investigation["status"], string> = {
  queued: "Waiting",
  running: "Running",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};

export const REVIEW_WORDS: Record<Review["kind"], string> = {
  confirmed: "Confirmed",
  moved: "Moved",
  rejected: "Rejected",
};

export const SOURCE_NAMES = {
  task: "Task",
  error_report: "Error report",
  failing_test_code: "Failing test",
  reference_patch: "Reference patch",
} as const;

/** How the turn of the structural rule compares, in one line. */
export function fusionWords({ agreement, structuralTurn }: Diagnosis["fusion"], hasFinding: boolean): string {
  switch (agreement) {
    case "same":
      return "Agrees with the structural rule";
    case "within_two":
      return "Close to the structural rule";
    case "different":
      return "Disagrees with the structural rule";
    case "one_sided":
      return structuralTurn === null || hasFinding
        ? "The structural rule names no turn"
        : "Only the structural rule names a turn";
    case "none":
      return "Neither names a turn";
  }
}

/** How far several votes agree, in words; null for a single one. */
export function voteWords({ votes, finding }: Pick<Diagnosis, "votes" | "finding">): string | null {
  if (votes.length < 2) return null;
  const same = votes.filter(({ turn }) => turn === (finding?.turn ?? null)).length;
  const what = finding === null ? "undetermined" : "this turn";
  return same === votes.length
    ? `All ${formatCount(votes.length)} votes for ${what}`
    : `${formatCount(same)} of ${formatCount(votes.length)} votes for ${what}`;
}

const PURPOSES: Record<Extract<TrailStep, { kind: "asked" }>["purpose"], string> = {
  requirements: "Asked what must hold",
  prior: "Asked where the report points",
  investigation: "Asked what to look at, or for the verdict",
};

/** A question in the trail, in words. */
export function purposeWords(purpose: Extract<TrailStep, { kind: "asked" }>["purpose"]): string {
  return PURPOSES[purpose];
}

type Failure = NonNullable<Extract<TrailStep, { kind: "asked" }>["failed"]>;

const FAILURES: Record<Failure, string> = {
  context_overflow: "too long for the model",
  rate_limited: "no answer, too many questions for the endpoint",
  timeout: "no answer in time",
  unavailable: "the endpoint could not be reached",
  refused: "the endpoint refused it",
  malformed: "the answer did not fit",
  budget: "a limit was reached",
  cancelled: "given up, because it was cancelled",
};

/** Why a question got no answer, in words. */
export function failureWords(failure: Failure): string {
  return FAILURES[failure];
}

type Adjustment = NonNullable<Extract<TrailStep, { kind: "asked" }>["adjustments"]>[number];

const ADJUSTMENTS: Record<Adjustment, string> = {
  no_temperature: "asked without a temperature: the model has only its own",
  not_forced: "no tool could be forced: the words alone asked for it",
  json_mode: "asked for JSON: the endpoint offers no tool calls",
  text_mode: "asked for a JSON block in its text: the endpoint offers neither tool calls nor JSON mode",
};

/** How a question had to be asked otherwise than it was meant, in words; empty when it was asked as meant. */
export function adjustmentWords(adjustments: readonly Adjustment[] | undefined): string {
  return (adjustments ?? []).map((adjustment) => ADJUSTMENTS[adjustment]).join("; ");
}

/** Words as a sentence of their own. */
export function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** How questions of an investigation had to be asked otherwise, a line each, with how many of them. */
export function adjustmentsOfAll(trail: readonly TrailStep[]): { words: string; questions: number; of: number }[] {
  const asked = trail.filter((step) => step.kind === "asked").filter(({ failed }) => failed === undefined);
  const counts = new Map<Adjustment, number>();
  for (const { adjustments = [] } of asked) {
    for (const adjustment of adjustments) counts.set(adjustment, (counts.get(adjustment) ?? 0) + 1);
  }
  return [...counts].map(([adjustment, questions]) => ({
    words: ADJUSTMENTS[adjustment],
    questions,
    of: asked.length,
  }));
}

const TOOLS: Readonly<Record<string, string>> = {
  view_observation: "Opened a result",
  view_diff: "Looked at a change",
  view_file: "Looked at a file",
  search: "Searched the run",
  test_history: "Looked at the test runs",
  submit_diagnosis: "Stated its verdict",
};

/** A look-up of the model, in words; the tool's own name where there is none. */
export function toolWords(tool: string): string {
  return TOOLS[tool] ?? tool;
}

/** Tokens and cost of what was asked so far, as far as the endpoint counted them. */
export function spentSoFar(trail: readonly TrailStep[]): { calls: number; tokens: number; costUsd: number | null } {
  let [calls, tokens] = [0, 0];
  let costUsd: number | null = 0;
  for (const step of trail) {
    if (step.kind !== "asked" || step.failed !== undefined) continue;
    calls += 1;
    tokens += (step.inputTokens ?? 0) + (step.outputTokens ?? 0);
    costUsd = costUsd === null || step.costUsd === null ? null : costUsd + step.costUsd;
  }
  return { calls, tokens, costUsd };
}

/** `3 questions, 12,400 tokens, $0.0312`. */
export function spentWords({ calls, tokens, costUsd }: ReturnType<typeof spentSoFar>): string {
  const cost = costUsd === null ? [] : [formatCost(costUsd)];
  return [formatPlural(calls, "question"), `${formatCount(tokens)} tokens`, ...(calls === 0 ? [] : cost)].join(", ");
}

/** Why an investigation that is queued does not begin yet. */
export function waitingWords({ ahead, hasWorker }: Pick<Investigations, "ahead" | "hasWorker">): string {
  if (!hasWorker) return "Waiting, and no worker is running: it begins when one is started";
  if (ahead === 0) return "Waiting for a worker";
  return `Waiting behind ${formatPlural(ahead, "other investigation")}`;
}

/** One line about a step, for where only the last one is shown. */
export function stepLine(step: TrailStep): string {
  switch (step.kind) {
    case "asked":
      return [purposeWords(step.purpose), ...(step.failed === undefined ? [] : [failureWords(step.failed)])].join(": ");
    case "tool":
      return `${toolWords(step.tool)}: ${step.asked}`;
    case "note":
      return `Noted: ${step.note}`;
    case "refolded":
      return "Folded more, because it was too long for the model";
    case "refused":
      return `Refused: ${step.why}`;
    case "vote":
      return `Vote ${step.vote + 1}, ${step.model}`;
  }
}
