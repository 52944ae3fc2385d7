import { TEXT_PIECE_CHARS } from "@/lib/catalogue/limits";
import {
  type GivenFailure,
  KNOWN_TEXTS,
  type KnownFailure,
  type KnownPart,
  type KnownText,
  mergeFailure,
  ownParts,
  type TraceFailure,
} from "@/lib/trajectory/given-failure";
import { type FailureContext, failureContextSchema } from "@/lib/trajectory/schema";
import { safeEnd } from "@/lib/trajectory/text-cuts";
import type { FailurePiece, FailureSummary, FailureView, KnownTextView } from "@/lib/views/failure";
import { fitStrings, takeWithin } from "./answer-size";
import { database } from "./client";
import { getGivenFailure } from "./given-failure";
import { checkNumber, openReading, type Reading } from "./reading";
import type { ReadScope } from "./scope";
import { storedHeadSchema } from "./stored-import";

const CHECKS_MAX_BYTES = 200_000;
/** Four texts of this length fit into an answer, whatever they hold: a control character takes six bytes. */
const TEXT_CHARS = 24_000;
const LABELS_MAX = 50;
const LABEL_TURNS_MAX = 20;

/** What the parts are called where a trace's adapter says where each stands. */
const PLACE_NAMES: Record<KnownPart, string> = {
  taskStatement: "task_statement",
  outcome: "outcome",
  errorReport: "error_report",
  failingTestCode: "failing_test_code",
  referencePatch: "reference_patch",
};

interface Opened {
  reading: Reading;
  trace: TraceFailure;
  given: GivenFailure;
  known: KnownFailure;
}

/**
 * What is known of how the run ended, a person's word before the trace's: outcome, texts, checks, and labels of others,
 * with who said each and where in the upload it stands. Long texts are cut and counted. Null when the scope has no such
 * trajectory or it has no import yet.
 */
export async function getFailure(scope: ReadScope, id: string): Promise<FailureView | null> {
  const opened = await openFailure(scope, id);
  if (opened === null) return null;
  const { reading, trace, known } = opened;
  const { projection } = reading;
  const { failure } = known;
  const checks = takeWithin(
    failure.verification.map(({ name, passed, detail }) => ({ name, passed, detail: detail ?? null })),
    CHECKS_MAX_BYTES,
  );
  const parts = new Set(Object.values(PLACE_NAMES));
  const view: FailureView = {
    outcome: { value: failure.outcome, own: ownParts(trace).outcome, ...saidOf(opened, "outcome") },
    texts: KNOWN_TEXTS.map((what) => textView(opened, what)),
    checks: checks.kept,
    omittedChecks: checks.omitted,
    labels: await labelsOf(reading, failure),
    foundAt: (failure.foundAt ?? []).filter(({ what }) => !parts.has(what)),
  };
  return fitStrings(projection.view(view));
}

/**
 * A piece of one of the texts, of at most 65,536 characters and never ending inside a surrogate pair. Null when the scope
 * has no such trajectory or nothing is known of that text. An offset past the end gives an empty piece without a next one.
 */
export async function getFailurePiece(
  scope: ReadScope,
  id: string,
  { what, offset }: { what: KnownText; offset: number },
): Promise<FailurePiece | null> {
  const from = checkNumber(offset);
  const opened = await openFailure(scope, id);
  const text = opened === null ? null : textOf(opened.known, what);
  if (opened === null || text === null) return null;
  const whole = opened.reading.projection.whole(text);
  const start = Math.min(from, whole.length);
  let end = safeEnd(whole, Math.min(start + TEXT_PIECE_CHARS, whole.length));
  if (end <= start) end = Math.min(start + 1, whole.length);
  return {
    what,
    offset: start,
    text: whole.slice(start, end),
    totalChars: whole.length,
    nextOffset: end < whole.length ? end : null,
  };
}

async function openFailure(scope: ReadScope, id: string): Promise<Opened | null> {
  const reading = await openReading(scope, id);
  if (reading === null) return null;
  const found = await database().import.findUnique({
    where: { id: reading.importId },
    select: { failureContext: true, head: true },
  });
  if (found === null) return null;
  const trace = {
    failure: failureContextSchema.parse(found.failureContext),
    taskStatement: storedHeadSchema.parse(found.head).task.statement,
  };
  const given = await getGivenFailure(scope, reading.trajectoryId);
  return { reading, trace, given, known: mergeFailure(trace, given) };
}

function textOf({ failure, taskStatement }: KnownFailure, what: KnownText): string | null {
  return what === "taskStatement" ? taskStatement : failure[what];
}

function textView(opened: Opened, what: KnownText): KnownTextView {
  const text = textOf(opened.known, what);
  const whole = text === null ? "" : opened.reading.projection.whole(text);
  return {
    what,
    text: whole.slice(0, safeEnd(whole, TEXT_CHARS)),
    totalChars: whole.length,
    ownChars: ownParts(opened.trace)[what]?.length ?? null,
    ...saidOf(opened, what),
  };
}

/** Who said a part. Whoever holds a link sees that a person did, and not who: members are the project's business. */
function saidOf(
  { reading, trace, given, known }: Opened,
  part: KnownPart,
): Pick<KnownTextView, "source" | "by" | "at" | "places"> {
  const source = known.sources[part];
  const places = (trace.failure.foundAt ?? []).filter(({ what }) => what === PLACE_NAMES[part]);
  return {
    source,
    by: reading.projection.isShared ? null : (given[part]?.by ?? null),
    at: given[part]?.at ?? null,
    places: source === "trace" ? places.map(({ where }) => where) : [],
  };
}

/** What the head of the page says of a failure's report. */
export function summariseFailure(failure: FailureContext): FailureSummary {
  const said = (passed: boolean | null): number => failure.verification.filter((one) => one.passed === passed).length;
  const texts = [failure.errorReport, failure.failingTestCode, failure.referencePatch];
  return {
    passed: said(true),
    failed: said(false),
    unsaid: said(null),
    texts: texts.filter((text) => text !== null).length,
    labels: failure.labels?.length ?? 0,
  };
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
