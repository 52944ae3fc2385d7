import { z } from "zod";
import { JUDGE_ADJUSTMENTS, JUDGE_FAILURES } from "@/lib/judge/port";
import { failureKindSchema, phaseSchema } from "./failure-kinds";
import { quotationSchema, verdictSchema } from "./verdict";

const count = z.number().int().min(0);
const turn = z.number().int().min(0);

/** What an investigation knows besides the turns. */
export const sourceNameSchema = z.enum(["task", "error_report", "failing_test_code", "reference_patch"]);
export type SourceName = z.infer<typeof sourceNameSchema>;

/** Verbatim words, from a turn or from what is known besides the turns. Offsets are UTF-16 units, end exclusive. */
export const evidenceSchema = z.discriminatedUnion("from", [
  z.object({ from: z.literal("trace"), quotation: quotationSchema }),
  z.object({ from: sourceNameSchema, start: count, end: count, text: z.string().min(1) }),
]);
export type Evidence = z.infer<typeof evidenceSchema>;

/** Something that must hold for success, frozen before the trace is read. */
export const requirementSchema = z.object({
  /** `R1`, `R2`, ... */
  id: z.string().regex(/^R\d{1,2}$/),
  text: z.string().min(1),
  evidence: evidenceSchema,
});
export type Requirement = z.infer<typeof requirementSchema>;

/** Prior failure reasoning: where the failing report points before the trace is read. */
export const priorSchema = z.object({
  phase: phaseSchema,
  kind: failureKindSchema,
  rationale: z.string().min(1),
});
export type Prior = z.infer<typeof priorSchema>;

/** What became of the error: mended later, still there at the end, or there without having an effect. */
export const fateSchema = z.enum(["repaired", "persistent", "dormant"]);

/** The earliest decisive error step, with both sides of the evidence. All words are the model's but for the quotations. */
export const findingSchema = z.object({
  turn,
  phase: phaseSchema,
  kind: failureKindSchema,
  justification: z.string().min(1),
  /** Where it was committed: quotations of that turn. */
  committed: z.array(evidenceSchema).min(1),
  /** What it violates: the requirement, or words of the task, the report or an earlier turn. */
  violated: z.array(evidenceSchema).min(1),
  requirement: z.string().nullable(),
  fate: fateSchema,
  correctStep: z.string().min(1),
  /** The model's own word for it. It is no probability. */
  confidence: z.enum(["low", "medium", "high"]),
});
export type Finding = z.infer<typeof findingSchema>;

export const alternativeSchema = z.object({
  turn,
  reason: z.string().min(1),
  committed: z.array(evidenceSchema).min(1),
});

/** Told by rule before any model is asked: tool calls that never ran, an environment that was broken from the start. */
export const harnessFaultSchema = z.object({
  kind: z.enum(["calls_never_ran", "environment_broken"]),
  reason: z.string().min(1),
  turns: z.array(turn).min(1),
  quotations: z.array(quotationSchema).min(1),
});
export type HarnessFault = z.infer<typeof harnessFaultSchema>;

/** How a question had to be asked otherwise than it was meant. */
export const adjustmentSchema = z.enum(JUDGE_ADJUSTMENTS);

/**
 * A step of the investigation, in order. `call` is the place of a question in the log of calls to that judge (0: the
 * first, 1: the second).
 */
export const trailStepSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("asked"),
    purpose: z.enum(["requirements", "prior", "investigation"]),
    judge: count,
    call: count,
    inputTokens: count.nullable(),
    cachedTokens: count.nullable(),
    outputTokens: count.nullable(),
    costUsd: z.number().min(0).nullable(),
    /** How the endpoint had to be asked otherwise; missing where nothing was changed, and of older investigations. */
    adjustments: z.array(adjustmentSchema).optional(),
    /** Why it got no answer; missing where it got one. */
    failed: z.enum(JUDGE_FAILURES).optional(),
  }),
  z.object({
    kind: z.literal("tool"),
    tool: z.string(),
    /** What the model asked for, in one line, cut. */
    asked: z.string(),
    /** Why it asked, in its own words; null when it did not say. */
    why: z.string().nullable(),
    /** Turns that the answer shows, so that the page can open them. */
    turns: z.array(turn),
    /** Characters of the answer, and how many of them had been folded before. */
    chars: count,
    unfoldedChars: count,
    /** Null when it was answered; else why it was refused. */
    refused: z.string().nullable(),
  }),
  z.object({ kind: z.literal("note"), note: z.string() }),
  z.object({ kind: z.literal("refolded"), reason: z.string(), chars: count }),
  /** An answer that could not be used, or a statement in it that did not hold; `why` is what the model was told. */
  z.object({ kind: z.literal("refused"), why: z.string() }),
  /** One of several votes begins. */
  z.object({ kind: z.literal("vote"), vote: count, model: z.string() }),
]);
export type TrailStep = z.infer<typeof trailStepSchema>;

/** One of several runs or judges: what it said. */
export const voteSchema = z.object({
  model: z.string(),
  turn: turn.nullable(),
  phase: phaseSchema.nullable(),
  kind: failureKindSchema.nullable(),
});

/** Everything that an investigation says; stored as the result of its analysis. */
export const diagnosisSchema = z.object({
  version: z.literal(1),
  /** The investigator's verdict in the form that all engines share, for the list, the strip and the header. */
  verdict: verdictSchema,
  model: z.string(),
  /** Null: undetermined; the reason stands in the verdict. */
  finding: findingSchema.nullable(),
  alternative: alternativeSchema.nullable(),
  requirements: z.array(requirementSchema),
  prior: priorSchema.nullable(),
  /** False: there was neither an error report nor failing test code, and the page says so. */
  hadFailingReport: z.boolean(),
  withReference: z.boolean(),
  harnessFault: harnessFaultSchema.nullable(),
  /** How the structural rule's turn compares: agreement raises, disagreement is shown. */
  fusion: z.object({
    structuralTurn: turn.nullable(),
    agreement: z.enum(["same", "within_two", "different", "one_sided", "none"]),
    reason: z.string(),
  }),
  mode: z.enum(["single_pass", "outline"]),
  /** Characters of the trace as it is, as it was first shown, and of observations that were folded in it. */
  shown: z.object({ wholeChars: count, firstChars: count, foldedChars: count, foldedObservations: count }),
  trail: z.array(trailStepSchema),
  votes: z.array(voteSchema),
  usage: z.object({
    calls: count,
    inputTokens: count,
    cachedTokens: count,
    outputTokens: count,
    /** Null when a price is not known. */
    costUsd: z.number().min(0).nullable(),
  }),
  /** The limit that ended it before it was through, in words; what is said is then the best so far. */
  limitReached: z.string().nullable(),
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;

/**
 * What an investigation can do without, to measure what it brings (TrajAudit, Table 4, and the structural rule beside it).
 * `folding`: observations stand whole; `prior`: nothing is reasoned from the failing report; `fusion`: the structural rule
 * neither keeps lines open nor counts in the verdict.
 */
export const ablationSchema = z.enum(["folding", "prior", "fusion"]);
export type Ablation = z.infer<typeof ablationSchema>;

/** How an investigation is run; stored with its analysis. */
export const investigationSettingsSchema = z.object({
  /** Up to so many turns the trajectory is read in one pass; above, from an outline with tools. */
  singlePassTurns: z.number().int().min(0).max(10_000),
  withReference: z.boolean(),
  votes: z.number().int().min(1).max(9),
  secondJudge: z.boolean(),
  /** Missing: nothing is left out. */
  without: z.array(ablationSchema).optional(),
  limits: z.object({
    calls: z.number().int().min(1).max(200),
    tokens: z.number().int().min(1),
    /** A worker gives a job up after half an hour. */
    seconds: z.number().int().min(1).max(1_500),
    costUsd: z.number().min(0).nullable(),
  }),
});
export type InvestigationSettings = z.infer<typeof investigationSettingsSchema>;

/** Sonnet 4.5 took 40,000 to 51,000 tokens a case (localization-anchors, RootSE): six times that is room for long runs. */
export const DEFAULT_SETTINGS: InvestigationSettings = {
  singlePassTurns: 40,
  withReference: false,
  votes: 1,
  secondJudge: false,
  limits: { calls: 40, tokens: 300_000, seconds: 900, costUsd: null },
};
