import { z } from "zod";
import type { MaskedTrajectory } from "@/lib/judge/masked";
import type { JudgeTool } from "@/lib/judge/port";
import { REFUSAL_WORDS, resolveQuotation } from "@/lib/judge/quote";
import { type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import {
  type Evidence,
  type Finding,
  fateSchema,
  findingSchema,
  type Requirement,
  sourceNameSchema,
} from "../diagnosis";
import { failureKindSchema, phaseSchema } from "../failure-kinds";
import { type Quoted, quoteSource, type Source } from "./sources";

const QUOTES_MAX = 6;
const words = z.string().min(1).max(2_000);
const turnNumber = z.number().int().min(1);

const submissionSchema = z.object({
  status: z.enum(["determined", "undetermined"]),
  undetermined_reason: words.nullable().describe("why it cannot be determined; null when it is"),
  turn: turnNumber.nullable().describe("the earliest decisive error step, 12 for #12"),
  phase: phaseSchema.nullable(),
  kind: failureKindSchema.nullable(),
  justification: words.nullable().describe("why this turn, and why no earlier one"),
  committed: z
    .array(words)
    .max(QUOTES_MAX)
    .describe("words of the agent in that turn, of its thought or its call, copied exactly"),
  violated: z
    .array(
      z.object({
        from: z.enum(["trace", ...sourceNameSchema.options]),
        turn: turnNumber.nullable().describe("the turn that the words stand in, at the latest the decisive one"),
        quote: words,
      }),
    )
    .max(QUOTES_MAX)
    .describe("what the step violates: words of the task, of the report or of a turn up to then, copied exactly"),
  requirement: z.string().max(8).nullable().describe("the requirement that it violates, R1, R2, ..., if one"),
  fate: fateSchema.nullable().describe("what became of the error by the end of the run"),
  correct_step: words.nullable().describe("what a correct step would have been, in one sentence"),
  confidence: z.enum(["low", "medium", "high"]).nullable(),
  alternative: z
    .object({ turn: turnNumber, reason: words, quote: words })
    .nullable()
    .describe("the next best turn, with words of the agent in it"),
});

/** The tool by which an investigation ends. */
export const SUBMIT_TOOL: JudgeTool = {
  name: "submit_diagnosis",
  description: "Ends the investigation with its result.",
  parameters: submissionSchema,
};

/** A submission that holds. `finding` null: undetermined, for `reason`. */
export interface Submitted {
  finding: Finding | null;
  alternative: { turn: number; reason: string; committed: Evidence[] } | null;
  reason: string | null;
}

export type Judged = { ok: true; submitted: Submitted } | { ok: false; why: string[] };

/** What a submission is held against. */
export interface SubmissionFacts {
  trajectory: Trajectory;
  masked: MaskedTrajectory;
  sources: readonly Source[];
  requirements: readonly Requirement[];
}

/**
 * Holds a submission against the trace: the turn is there, what was committed are the agent's own words in that turn (an
 * observation commits nothing, so that text which the agent only read cannot stand as evidence), what was violated was
 * known by then, and every quotation is verbatim. `why` says everything that is wrong, for the model.
 * @throws ZodError when `given` has not the form of SUBMIT_TOOL.
 */
export function judgeSubmission(given: unknown, facts: SubmissionFacts): Judged {
  const said = submissionSchema.parse(given);
  if (said.status === "undetermined") {
    const reason = said.undetermined_reason;
    if (reason === null) return { ok: false, why: ["undetermined_reason is missing"] };
    return { ok: true, submitted: { finding: null, alternative: null, reason: facts.masked.mask(reason).text } };
  }
  const { turn, phase, kind, justification, fate, correct_step, confidence } = said;
  const missing = Object.entries({ turn, phase, kind, justification, fate, correct_step, confidence })
    .filter(([, value]) => value === null)
    .map(([name]) => `${name} is missing`);
  if (turn === null || missing.length > 0) return { ok: false, why: missing };
  const count = turnsOf(facts.trajectory).length;
  if (turn > count) return { ok: false, why: [`there is no turn #${turn}: the trajectory has #1 to #${count}`] };

  const committed = said.committed.map((quote) => quoteAgent(facts, turn, quote));
  const violated = said.violated.map(({ from, turn: at, quote }) => quoteViolated(facts, from, at, quote, turn));
  const requirement = facts.requirements.find(({ id }) => id === said.requirement);
  const why = [
    ...refusals("committed", committed),
    ...refusals("violated", violated),
    ...(said.committed.length === 0 ? ["committed holds no quotation"] : []),
    ...(said.violated.length === 0 && requirement === undefined ? ["violated holds no quotation"] : []),
    ...(said.requirement !== null && requirement === undefined ? [`there is no requirement ${said.requirement}`] : []),
  ];
  if (why.length > 0) return { ok: false, why };
  const finding = findingSchema.parse({
    turn: turn - 1,
    phase,
    kind,
    justification: facts.masked.mask(justification ?? "").text,
    committed: evidenceOf(committed),
    violated: violated.length > 0 ? evidenceOf(violated) : requirement === undefined ? [] : [requirement.evidence],
    requirement: requirement?.id ?? null,
    fate,
    correctStep: facts.masked.mask(correct_step ?? "").text,
    confidence,
  });
  return { ok: true, submitted: { finding, alternative: alternativeOf(facts, said, turn, count), reason: null } };
}

/** An alternative that does not hold is left out: it is not what was asked for. */
function alternativeOf(
  facts: SubmissionFacts,
  { alternative }: z.infer<typeof submissionSchema>,
  turn: number,
  count: number,
): Submitted["alternative"] {
  if (alternative === null || alternative.turn > count || alternative.turn === turn) return null;
  const quoted = quoteAgent(facts, alternative.turn, alternative.quote);
  if (!quoted.ok) return null;
  const reason = facts.masked.mask(alternative.reason).text;
  return { turn: alternative.turn - 1, reason, committed: [quoted.evidence] };
}

/** Words of the agent in a turn (1-based). */
function quoteAgent(facts: SubmissionFacts, turn: number, quote: string): Quoted {
  const own = (turnsOf(facts.trajectory)[turn - 1]?.items ?? []).filter(({ author }) => author.role === "agent");
  let why = "the agent says nothing in this turn";
  for (const { id } of own) {
    const resolved = resolveQuotation(facts.trajectory, facts.masked, { turn: turn - 1, item: id, text: quote });
    if (resolved.ok) return { ok: true, evidence: { from: "trace", quotation: resolved.place } };
    why = `${REFUSAL_WORDS[resolved.reason]}, in the agent's own words of #${turn}`;
  }
  return { ok: false, why };
}

function quoteViolated(
  facts: SubmissionFacts,
  from: Evidence["from"],
  turn: number | null,
  quote: string,
  decisive: number,
): Quoted {
  if (from !== "trace") return quoteSource(facts.sources, from, quote);
  if (turn !== null && turn > decisive) return { ok: false, why: `#${turn} comes after #${decisive}` };
  const claimed = { turn: turn === null ? null : turn - 1, item: null, text: quote };
  const resolved = resolveQuotation(facts.trajectory, facts.masked, claimed);
  if (!resolved.ok) return { ok: false, why: REFUSAL_WORDS[resolved.reason] };
  return { ok: true, evidence: { from: "trace", quotation: resolved.place } };
}

function refusals(field: string, quoted: readonly Quoted[]): string[] {
  return quoted.flatMap((each, i) => (each.ok ? [] : [`${field}[${i}]: ${each.why}`]));
}

function evidenceOf(quoted: readonly Quoted[]): Evidence[] {
  return quoted.flatMap((each) => (each.ok ? [each.evidence] : []));
}
