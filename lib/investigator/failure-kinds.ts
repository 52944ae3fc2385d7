import { z } from "zod";

/** The phases of a coding task in which an error can be committed (TrajAudit, Figure 5). */
export const PHASES = [
  { id: "problem_analysis", name: "Problem analysis" },
  { id: "exploration", name: "Exploration and localization" },
  { id: "planning", name: "Strategic planning" },
  { id: "implementation", name: "Code implementation" },
  { id: "verification", name: "Verification" },
] as const;

const phaseIds = PHASES.map(({ id }) => id);
export const phaseSchema = z.enum(phaseIds);
export type Phase = z.infer<typeof phaseSchema>;

/**
 * The kinds of failure of TrajAudit's Figure 5 with the phase that each belongs to; null: it can occur in every phase.
 * The figure does not tell where confirmation bias and redundant implementation belong: their phases are our reading.
 */
export const FAILURE_KINDS = [
  { id: "overlooked_task_constraints", phase: "problem_analysis", name: "Overlooked task constraints" },
  { id: "task_intent_misunderstanding", phase: "problem_analysis", name: "Task intent misunderstanding" },
  { id: "insufficient_code_exploration", phase: "exploration", name: "Insufficient code exploration" },
  { id: "incorrect_fault_localization", phase: "exploration", name: "Incorrect fault localization" },
  { id: "confirmation_bias", phase: "exploration", name: "Confirmation bias" },
  { id: "superficial_fix", phase: "planning", name: "Superficial fix" },
  { id: "functionality_breaking_fix", phase: "planning", name: "Functionality-breaking fix" },
  { id: "redundant_implementation", phase: "planning", name: "Redundant implementation" },
  { id: "semantic_logic_error", phase: "implementation", name: "Semantic logic error" },
  { id: "missing_defensive_check", phase: "implementation", name: "Missing defensive check" },
  { id: "ignored_regression_check", phase: "verification", name: "Ignored regression check" },
  { id: "outdated_test_reliance", phase: "verification", name: "Outdated test reliance" },
  { id: "command_syntax_error", phase: null, name: "Command syntax error" },
  { id: "corrupted_execution_state", phase: null, name: "Corrupted execution state" },
] as const satisfies readonly { id: string; phase: Phase | null; name: string }[];

const kindIds = FAILURE_KINDS.map(({ id }) => id);
export const failureKindSchema = z.enum(kindIds);
export type FailureKind = z.infer<typeof failureKindSchema>;
