import { packRunStrip } from "@/lib/findings/strip";
import { verdictSentence } from "@/lib/findings/verdict-sentence";
import { FAILURE_WORDS, TAU_CHARS } from "@/lib/folding/signals";
import { CHARS_PER_TOKEN } from "@/lib/folding/tokens";
import { type Verdict, verdictSchema } from "@/lib/investigator/verdict";
import { mergeFailure } from "@/lib/trajectory/given-failure";
import { failureContextSchema } from "@/lib/trajectory/schema";
import type { RunFolding } from "@/lib/views/fold";
import type { RunView, TurnWindow } from "@/lib/views/run";
import { stripSchema } from "@/lib/views/strip";
import type { TrajectoryRow } from "@/lib/views/trajectory-list";
import { cutString, fitStrings, takeWithin } from "./answer-size";
import { database } from "./client";
import { summariseFailure } from "./failure";
import { getGivenFailure } from "./given-failure";
import { meetSecrets } from "./item-texts";
import { taskLabel } from "./list-labels";
import { meetPathSecrets } from "./path-secrets";
import { checkNumber, openReading, type Reading } from "./reading";
import { contextRows, fileRows } from "./run-lists";
import type { ReadScope } from "./scope";
import { sharedRow } from "./shared-row";
import { maskVerdict } from "./shared-verdict";
import { type CodeSummary, codeSummarySchema, type StoredHead, storedHeadSchema } from "./stored-import";
import { storedItemsSchema } from "./stored-item";
import { getRow } from "./trajectories";

/** Turns of one window of the outline. */
export const WINDOW_DEFAULT = 50;
export const WINDOW_MAX = 500;

const FILES_MAX_BYTES = 300_000;
const LIST_MAX_BYTES = 150_000;
/** Characters of the task's statement in the head of a page; the whole is a context item. */
const STATEMENT_CHARS = 20_000;
/** Suspicion of more turns than this is in the strip only, as digits. */
const SUSPICION_MAX_TURNS = 3_000;

/**
 * The head of a trajectory's page: its row, verdict, strip, files, context items and notes. For a share, of the import
 * and the analysis that it is pinned to. Null when the scope has no such trajectory or it has no import yet.
 */
export async function getRun(scope: ReadScope, id: string): Promise<RunView | null> {
  const reading = await openReading(scope, id);
  if (reading === null) return null;
  const { importId, projection } = reading;
  const found = await database().import.findUnique({ where: { id: importId } });
  if (found === null) return null;
  const head = storedHeadSchema.parse(found.head);
  const summary = codeSummarySchema.parse(found.codeSummary);
  const strip = stripSchema.parse(found.strip);
  const trace = { failure: failureContextSchema.parse(found.failureContext), taskStatement: head.task.statement };
  const { failure, taskStatement, sources } = mergeFailure(trace, await getGivenFailure(scope, reading.trajectoryId));
  const { outcome } = failure;
  await meetPathSecrets(reading);
  const stored = await getVerdict(reading);
  const verdict = stored === null ? null : await maskVerdict(reading, stored.verdict);
  const shared = scope.kind === "share" ? await sharedRow(scope, { found, head, outcome, verdict }) : null;
  const row = shared === null ? await ownRow(reading) : { ...shared.row, runStrip: packRunStrip(strip) };
  if (row === null) return null;
  const statement = taskStatement === null ? null : projection.whole(taskStatement);
  return fitStrings(
    projection.view({
      row,
      importId: shared === null ? importId : "shared",
      importedAt: found.createdAt.toISOString(),
      parserVersion: found.parserVersion,
      title: titleOf(head, row, sources.taskStatement === "person" ? statement : null),
      taskStatement: statement === null ? null : cutString(statement, STATEMENT_CHARS),
      taskSource: sources.taskStatement,
      totals: {
        inputTokens: head.totals.inputTokens,
        outputTokens: head.totals.outputTokens,
        costUsd: head.totals.costUsd,
        durationMs: head.totals.durationMs,
      },
      agents: head.agents,
      hasDeliveredPatch: head.deliveredPatch !== null,
      strip,
      verdict: verdict === null ? null : withoutLongSuspicion(verdict),
      verdictId: shared === null ? (stored?.id ?? null) : null,
      sentence: verdictSentence(verdict, { outcome, turnCount: found.turnCount, root: summary.root }),
      root: summary.root,
      versionsByCertainty: summary.versionsByCertainty,
      checks: summary.checks ?? null,
      baseline: summary.baseline,
      failure: summariseFailure(failure),
      folding: foldingOf(head),
      ...(await listsOf(reading, head, summary)),
      permissions: permissionsOf(reading),
      shared: shared?.info ?? null,
    }),
  );
}

async function listsOf(
  reading: Reading,
  head: StoredHead,
  summary: CodeSummary,
): Promise<Pick<RunView, "files" | "contexts" | "notes" | "conflicts" | "omitted">> {
  const files = await fileRows(reading.importId);
  const { projection } = reading;
  const keptFiles = takeWithin(files.rows, FILES_MAX_BYTES).kept.map((file) => ({
    ...file,
    path: projection.part(file.path),
    display: projection.part(file.display),
  }));
  const contexts = await contextRows(reading);
  const keptContexts = takeWithin(contexts.rows, LIST_MAX_BYTES).kept;
  const notes = takeWithin(head.notes, LIST_MAX_BYTES);
  const conflicts = takeWithin(
    summary.conflicts.map(({ path, turn, kind, message }) => ({
      path: projection.part(path),
      turn,
      kind,
      message: projection.part(message),
    })),
    LIST_MAX_BYTES,
  );
  return {
    files: keptFiles,
    contexts: keptContexts,
    notes: notes.kept,
    conflicts: conflicts.kept,
    omitted: {
      files: files.total - keptFiles.length,
      contexts: contexts.total - keptContexts.length,
      notes: notes.omitted,
      conflicts: conflicts.omitted,
    },
  };
}

function foldingOf({ folding }: StoredHead): RunFolding | null {
  if (folding === undefined) return null;
  const words = FAILURE_WORDS.map(({ word }) => word);
  return { savings: folding, tauChars: TAU_CHARS, words, charsPerToken: CHARS_PER_TOKEN };
}

function permissionsOf(reading: Reading): RunView["permissions"] {
  const isOwner = !reading.projection.isShared;
  return {
    share: isOwner,
    download: isOwner,
    attachBaseline: isOwner,
    giveFailure: isOwner,
    investigate: isOwner,
    raw: isOwner,
  };
}

async function ownRow(reading: Reading): Promise<TrajectoryRow | null> {
  return reading.scope.kind === "project" ? getRow(reading.scope, reading.trajectoryId) : null;
}

/** What a run is called: as the trace calls it, else by the task as a person stated it, else by its file. */
function titleOf(head: StoredHead, row: TrajectoryRow, given: string | null): string {
  return head.title ?? head.task.instance ?? taskLabel(head, given) ?? row.name;
}

/** The last finished localization of the import; for a share the pinned one. */
async function getVerdict(reading: Reading): Promise<{ id: string; verdict: Verdict } | null> {
  const { scope, importId } = reading;
  if (scope.kind === "share" && scope.analysisId === null) return null;
  const pinned = scope.kind === "share" && scope.analysisId !== null ? { id: scope.analysisId } : {};
  const analysis = await database().analysis.findFirst({
    where: { importId, kind: "localization", status: "done", ...pinned },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { id: true, result: true },
  });
  if (analysis === null || analysis.result === null) return null;
  return { id: analysis.id, verdict: verdictSchema.parse(analysis.result) };
}

function withoutLongSuspicion(verdict: Verdict): Verdict {
  if (verdict.suspicion.length <= SUSPICION_MAX_TURNS) return verdict;
  return { ...verdict, suspicion: verdict.suspicion.filter(({ value }) => value > 0).slice(0, SUSPICION_MAX_TURNS) };
}

/**
 * Turns `from` to `from + limit` of the outline. Null when the scope has no such trajectory.
 * @param limit is cut to WINDOW_MAX.
 */
export async function getTurnWindow(
  scope: ReadScope,
  id: string,
  from: number,
  limit: number = WINDOW_DEFAULT,
): Promise<TurnWindow | null> {
  const first = checkNumber(from);
  const take = Math.max(1, Math.min(checkNumber(limit), WINDOW_MAX));
  const reading = await openReading(scope, id);
  if (reading === null) return null;
  const { importId, projection } = reading;
  const found = await database().import.findUnique({ where: { id: importId }, select: { turnCount: true } });
  if (found === null) return null;
  const turns = await database().turn.findMany({
    where: { importId, index: { gte: first } },
    orderBy: { index: "asc" },
    take,
    select: {
      index: true,
      title: true,
      activity: true,
      agent: true,
      parentTurn: true,
      branch: true,
      hasError: true,
      writeCount: true,
      items: projection.isShared,
    },
  });
  const rows: TurnWindow["rows"] = [];
  for (const { items, ...turn } of turns) {
    // A title is cut out of the turn's texts, so a share needs to know what secrets they hold.
    if (projection.isShared) await meetSecrets(reading, storedItemsSchema.parse(items));
    rows.push({ ...turn, title: projection.part(turn.title) });
  }
  return fitStrings(projection.view({ from: first, rows, total: found.turnCount }));
}
