import { z } from "zod";
import { askForm } from "@/lib/judge/answer";
import type { MaskedTrajectory } from "@/lib/judge/masked";
import type { Judge } from "@/lib/judge/port";
import { type Prior, priorSchema, type Requirement, sourceNameSchema } from "../diagnosis";
import { priorMessages, requirementsMessages } from "./questions";
import { hasFailingReport, quoteSource, type Source } from "./sources";

const REQUIREMENTS_MAX = 12;
const REQUIREMENTS_TOKENS = 2_500;
const PRIOR_TOKENS = 1_000;

const requirementsForm = z.object({
  requirements: z
    .array(
      z.object({
        text: z.string().min(1).max(400).describe("what has to hold, in one sentence"),
        source: sourceNameSchema,
        quote: z.string().min(1).max(600).describe("the words that it comes from, copied exactly"),
      }),
    )
    .max(REQUIREMENTS_MAX),
});

const priorForm = priorSchema.extend({ rationale: z.string().min(1).max(2_000) });

/**
 * Freezes what has to hold for success, from the task and the failing report, before the trajectory is read
 * (localization-anchors.md 6.1). A requirement whose words do not stand in its source is left out, and `dropped` counts it.
 * Without any source nothing is asked.
 * @throws JudgeError
 */
export async function freezeRequirements(
  judge: Judge,
  sources: readonly Source[],
  masked: MaskedTrajectory,
  nonce: string,
): Promise<{ requirements: Requirement[]; dropped: number }> {
  if (sources.length === 0) return { requirements: [], dropped: 0 };
  const { value } = await askForm(judge, {
    purpose: "requirements",
    messages: requirementsMessages(sources, nonce),
    maxOutputTokens: REQUIREMENTS_TOKENS,
    form: { name: "freeze_requirements", description: "Writes the requirements down.", parameters: requirementsForm },
  });
  const requirements: Requirement[] = [];
  for (const { text, source, quote } of value.requirements) {
    const quoted = quoteSource(sources, source, quote);
    if (!quoted.ok) continue;
    requirements.push({ id: `R${requirements.length + 1}`, text: masked.mask(text).text, evidence: quoted.evidence });
  }
  return { requirements, dropped: value.requirements.length - requirements.length };
}

/**
 * Prior failure reasoning (TrajAudit 4.1): which phase the failing report points to, before the trajectory is read. Null
 * without a report.
 * @throws JudgeError
 */
export async function reasonFromReport(
  judge: Judge,
  sources: readonly Source[],
  masked: MaskedTrajectory,
  nonce: string,
): Promise<Prior | null> {
  if (!hasFailingReport(sources)) return null;
  const { value } = await askForm(judge, {
    purpose: "prior",
    messages: priorMessages(sources, nonce),
    maxOutputTokens: PRIOR_TOKENS,
    form: { name: "state_prior", description: "States the first guess.", parameters: priorForm },
  });
  return { ...value, rationale: masked.mask(value.rationale).text };
}
