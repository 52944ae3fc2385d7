import { type FailureContext, failureContextSchema } from "@/lib/trajectory/schema";
import type { FailureSummary, FailureView, ReportText } from "@/lib/views/failure";
import { fitStrings, takeWithin } from "./answer-size";
import { database } from "./client";
import { openReading, type Reading } from "./reading";
import type { ReadScope } from "./scope";

const CHECKS_MAX_BYTES = 200_000;
const TEXT_CHARS = 60_000;
const LABELS_MAX = 50;
const LABEL_TURNS_MAX = 20;

/**
 * What is known of how the run ended: checks, reports, the reference patch and labels of others, with the place in the
 * upload that each comes from. Long texts are cut and counted. Null when the scope has no such trajectory or it has no
 * import yet.
 */
export async function getFailure(scope: ReadScope, id: string): Promise<FailureView | null> {
  const reading = await openReading(scope, id);
  if (reading === null) return null;
  const found = await database().import.findUnique({
    where: { id: reading.importId },
    select: { failureContext: true },
  });
  if (found === null) return null;
  const failure = failureContextSchema.parse(found.failureContext);
  const { projection } = reading;
  const texts = reportTexts(failure).map(({ what, text }) => {
    const whole = projection.whole(text);
    return { what, text: whole.slice(0, TEXT_CHARS), omittedChars: Math.max(0, whole.length - TEXT_CHARS) };
  });
  const checks = takeWithin(
    failure.verification.map(({ name, passed, detail }) => ({ name, passed, detail: detail ?? null })),
    CHECKS_MAX_BYTES,
  );
  const view: FailureView = {
    outcome: failure.outcome,
    source: failure.source,
    checks: checks.kept,
    omittedChecks: checks.omitted,
    texts,
    labels: await labelsOf(reading, failure),
    foundAt: failure.foundAt ?? [],
  };
  return fitStrings(projection.view(view));
}

/** What the head of the page says of a failure's report. */
export function summariseFailure(failure: FailureContext): FailureSummary {
  const said = (passed: boolean | null): number => failure.verification.filter((one) => one.passed === passed).length;
  return {
    passed: said(true),
    failed: said(false),
    unsaid: said(null),
    texts: reportTexts(failure).length,
    labels: failure.labels?.length ?? 0,
  };
}

function reportTexts(failure: FailureContext): Pick<ReportText, "what" | "text">[] {
  const all: [ReportText["what"], string | null][] = [
    ["error_report", failure.errorReport],
    ["failing_test_code", failure.failingTestCode],
    ["reference_patch", failure.referencePatch],
  ];
  return all.flatMap(([what, text]) => (text === null || text === "" ? [] : [{ what, text }]));
}

/** The labels with the turns that carry their step in the same numbering. */
async function labelsOf({ importId }: Reading, failure: FailureContext): Promise<FailureView["labels"]> {
  const labels: FailureView["labels"] = [];
  for (const label of (failure.labels ?? []).slice(0, LABELS_MAX)) {
    const turns = await database().turn.findMany({
      where: { importId, sourceSteps: { array_contains: [{ convention: label.convention, step: label.step }] } },
      select: { index: true },
      orderBy: { index: "asc" },
      take: LABEL_TURNS_MAX,
    });
    labels.push({ ...label, turns: turns.map(({ index }) => index) });
  }
  return labels;
}
