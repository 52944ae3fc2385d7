import { z } from "zod";
import type { ArtefactHistory } from "@/lib/artefact/model";
import type { FailureContext, Trajectory } from "@/lib/trajectory/schema";

/** A verbatim quotation: `text` is exactly the UTF-16 range `start`..`end` of the item's text. */
export const quotationSchema = z.object({
  item: z.string(),
  turn: z.number().int().min(0).nullable(),
  /** Which text of the item: its `text`, or a call's arguments as canonical JSON. */
  field: z.enum(["text", "arguments"]),
  start: z.number().int().min(0),
  end: z.number().int().min(0),
  text: z.string().min(1),
});
export type Quotation = z.infer<typeof quotationSchema>;

/** What one feature of a ranker says for a turn. `value` is what it adds to the turn's utility against the run's average. */
export const contributionSchema = z.object({
  feature: z.string(),
  value: z.number(),
  /** In plain words, a sentence without its full stop. */
  words: z.string().min(1),
  /** Which of the candidate's quotations shows it; null when none does. */
  quotation: z.number().int().min(0).nullable(),
});
export type Contribution = z.infer<typeof contributionSchema>;

export const candidateSchema = z.object({
  rank: z.number().int().min(1).max(5),
  turn: z.number().int().min(0),
  /** Between 0 and 1, comparable inside one verdict only. */
  score: z.number().min(0).max(1),
  /** A stable code of the rule or kind that proposed it. */
  reasonCode: z.string(),
  /** One sentence in plain words. */
  reason: z.string(),
  quotations: z.array(quotationSchema).min(1),
  file: z.string().nullable(),
  /** 1-based line in the file after the turn, where known. */
  line: z.number().int().min(1).nullable(),
  /** Why this turn, the strongest first. Only engines that rank by features give it; not in older verdicts. */
  contributions: z.array(contributionSchema).max(3).optional(),
});
export type Candidate = z.infer<typeof candidateSchema>;

/**
 * What an engine says about the earliest decisive error step. `undetermined` is a result: it carries its reason and may
 * still list candidates. `reliability` is a class with the reason for it, never a probability.
 */
export const verdictSchema = z.object({
  engine: z.string(),
  engineVersion: z.string(),
  status: z.enum(["determined", "undetermined"]),
  undeterminedReason: z.string().nullable(),
  reliability: z.object({ class: z.enum(["higher", "medium", "lower"]), reason: z.string() }),
  candidates: z.array(candidateSchema).max(5),
  /** Suspicion per turn, 0 to 1, for the strip; empty when the engine gives none. */
  suspicion: z.array(z.object({ turn: z.number().int().min(0), value: z.number().min(0).max(1) })),
});
export type Verdict = z.infer<typeof verdictSchema>;

export interface LocalizerInput {
  trajectory: Trajectory;
  history: ArtefactHistory;
  failure: FailureContext;
}

/** The plug that every engine fits: structural now, learned and model-backed later. */
export interface Localizer {
  id: string;
  version: string;
  /** Pure for the engines without a model; the others get their judge when they are made. */
  localize(input: LocalizerInput): Promise<Verdict>;
}
