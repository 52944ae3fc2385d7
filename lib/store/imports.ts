import type { ClientBase } from "pg";
import type { ArtefactHistory } from "@/lib/artefact/model";
import { CERTAINTIES } from "@/lib/artefact/model";
import type { TrajectoryFold } from "@/lib/folding/fold";
import type { Verdict } from "@/lib/investigator/verdict";
import { type FailureContext, type Trajectory, type Turn, turnsOf } from "@/lib/trajectory/schema";
import type { Strip } from "@/lib/views/strip";
import { insertRows, toJsonb } from "./bulk-insert";
import { inTransaction, pool } from "./client";
import { newId } from "./identifiers";
import type { LongItemText } from "./import-items";
import * as rows from "./import-rows";
import { label, taskLabel } from "./list-labels";
import { checkId, checkProjectScope, type ProjectScope } from "./scope";
import type { CodeSummary, StoredHead } from "./stored-import";

/** One reading of an upload, with everything that is said about it: what the worker hands to the store. */
export interface ImportResult {
  parserVersion: string;
  detection: { format: string; variant: string; score: number; reason: string };
  trajectory: Trajectory;
  /** As the trace says it: what a person gave stands apart, and is laid over it when it is read. */
  failure: FailureContext;
  /** How the run ended by what was known to the rule: a person's word, else the trace's. */
  outcome: FailureContext["outcome"];
  history: ArtefactHistory;
  /** How many attached files this import was given. */
  baselineFiles: number;
  /** What both rules fold of the observations. */
  folding: TrajectoryFold;
  strip: Strip;
  runStrip: string;
  outline: (turn: Turn) => rows.TurnOutline;
  isScratch: (path: string) => boolean;
  display: (path: string) => string;
  /** What the localizer said, or why it could not. */
  localization:
    | { ok: true; engine: string; version: string; verdict: Verdict }
    | { ok: false; engine: string; version: string; reason: string };
}

export type StoreOutcome = "stored" | "already" | "gone" | "lost";

/**
 * Writes an import in one transaction and makes it the current one. A job makes one import, however often it runs and
 * wherever it was killed before: the job's id is unique among imports.
 * `attempt` is the one that began the row (`beginImport`); what is stored without one asks nobody.
 * `onProgress` is called with the percentage that is written.
 * @returns `stored`; `already` when this job's import is there; `gone` when the trajectory was removed meanwhile; `lost`
 *   when another attempt has the row by now, or the row was given up: then nothing is stored.
 */
export async function storeImport(
  scope: ProjectScope,
  target: { trajectoryId: string; jobId: string; attempt?: string },
  result: ImportResult,
  onProgress: (percent: number) => void = () => undefined,
): Promise<StoreOutcome> {
  checkProjectScope(scope);
  const trajectoryId = checkId(target.trajectoryId);
  const jobId = checkId(target.jobId);
  const attempt = target.attempt === undefined ? null : checkId(target.attempt);
  return inTransaction(async (client) => {
    const importId = newId();
    // Another attempt of the same job that is writing at this moment is waited for, and then its import is found. The row
    // of the trajectory is not locked before that: the other attempt needs it to finish.
    const made = await client.query(
      `INSERT INTO "Import" ("id", "jobId", "trajectoryId", "parserVersion", "trajectoryVersion", "head",
         "failureContext", "strip", "codeSummary", "turnCount", "createdAt")
       SELECT $1, $2, "id", $4, $5, $6, $7, $8, $9, $10, now() FROM "Trajectory" WHERE "id" = $3 AND "projectId" = $11
       ON CONFLICT ("jobId") DO NOTHING`,
      [
        importId,
        jobId,
        trajectoryId,
        result.parserVersion,
        result.trajectory.version,
        toJsonb(headOf(result)),
        toJsonb(result.failure),
        toJsonb(result.strip),
        toJsonb(summaryOf(result)),
        result.strip.turns,
        scope.projectId,
      ],
    );
    if (made.rowCount === 0) {
      const other = await client.query('SELECT 1 FROM "Import" WHERE "jobId" = $1', [jobId]);
      return other.rowCount === 0 ? "gone" : "already";
    }
    await insertTurns(client, importId, result, onProgress);
    await insertFiles(client, importId, result);
    await insertAnalysis(client, importId, result);
    // A file that is one trajectory now, and held several by an earlier reading: their rows stand by themselves.
    await client.query('UPDATE "Trajectory" SET "partIndex" = NULL WHERE "parentId" = $1 AND "partIndex" IS NOT NULL', [
      trajectoryId,
    ]);
    // Last, so that the row is locked only for the commit; thrown, so that all of it is taken back.
    if (!(await flip(client, scope, { trajectoryId, attempt }, importId, result))) throw new AttemptLost();
    return "stored" as const;
  }).catch((error: unknown) => {
    if (error instanceof AttemptLost) return "lost";
    throw error;
  });
}

class AttemptLost extends Error {}

/** Of the time that an import of long texts takes, turns are about a fifth; files and the rest hardly count. */
const TURNS_PERCENT = 20;
const TEXTS_PERCENT = 75;

async function insertTurns(
  client: ClientBase,
  importId: string,
  result: ImportResult,
  onProgress: (percent: number) => void,
): Promise<void> {
  const writeCounts = new Map<number, number>();
  for (const write of result.history.writes) {
    if (rows.tookEffect(write)) writeCounts.set(write.turn, (writeCounts.get(write.turn) ?? 0) + 1);
  }
  // Long texts are references into the trajectory, collected while the turns are written.
  const longTexts: LongItemText[] = [];
  const keep = (long: LongItemText): void => {
    longTexts.push(long);
  };
  const turns = turnsOf(result.trajectory);
  await insertRows(
    client,
    "Turn",
    rows.TURN_COLUMNS,
    map(turns, (turn) => {
      onProgress(Math.floor((turn.index / turns.length) * TURNS_PERCENT));
      const writeCount = writeCounts.get(turn.index) ?? 0;
      return rows.turnRow(importId, turn, result.outline(turn), writeCount, keep, result.folding.observations);
    }),
  );
  await insertRows(client, "Context", rows.CONTEXT_COLUMNS, rows.contextRows(importId, result.trajectory, keep));
  const totalChars = longTexts.reduce((sum, long) => sum + long.text.length, 0);
  let doneChars = 0;
  await insertRows(
    client,
    "ItemText",
    rows.TEXT_COLUMNS,
    flatMap(longTexts, (long) => {
      onProgress(TURNS_PERCENT + Math.floor((doneChars / totalChars) * TEXTS_PERCENT));
      doneChars += long.text.length;
      return rows.textRows(importId, long);
    }),
  );
}

async function insertFiles(client: ClientBase, importId: string, result: ImportResult): Promise<void> {
  const files = rows.numberFiles(result.history);
  await insertRows(
    client,
    "File",
    rows.FILE_COLUMNS,
    map(files.values(), (file) => rows.fileRow(importId, file, result.display(file.path), result.isScratch(file.path))),
  );
  await insertRows(
    client,
    "FileVersion",
    rows.VERSION_COLUMNS,
    flatMap(files.values(), (file) => rows.versionRows(importId, file)),
  );
  await insertRows(
    client,
    "Write",
    rows.WRITE_COLUMNS,
    map(result.history.writes.entries(), ([n, write]) =>
      rows.writeRow(importId, n, write, files.get(write.path)?.n ?? 0),
    ),
  );
}

async function insertAnalysis(client: ClientBase, importId: string, result: ImportResult): Promise<void> {
  const { localization } = result;
  await client.query(
    `INSERT INTO "Analysis" ("id", "importId", "kind", "engine", "version", "status", "result", "error", "createdAt")
     VALUES ($1, $2, 'localization', $3, $4, $5, $6, $7, now())`,
    [
      newId(),
      importId,
      localization.engine,
      localization.version,
      localization.ok ? "done" : "failed",
      localization.ok ? toJsonb(localization.verdict) : null,
      localization.ok ? null : toJsonb({ message: localization.reason }),
    ],
  );
}

async function flip(
  client: ClientBase,
  scope: ProjectScope,
  target: { trajectoryId: string; attempt: string | null },
  importId: string,
  result: ImportResult,
): Promise<boolean> {
  const { trajectory, localization } = result;
  const statement = await givenStatement(client, target.trajectoryId);
  const verdict = localization.ok ? localization.verdict : null;
  const values: Record<string, string | number | bigint | null> = {
    currentImportId: importId,
    status: "ready",
    partCount: null,
    fileNotes: null,
    progress: null,
    failure: null,
    format: result.detection.format,
    formatVariant: result.detection.variant,
    formatScore: result.detection.score,
    formatReason: result.detection.reason,
    framework: trajectory.framework.name,
    frameworkVersion: trajectory.framework.version,
    model: label(trajectory.models.join(", ")),
    task: taskLabel(trajectory, statement ?? trajectory.task.statement),
    outcome: result.outcome,
    exitStatus: label(trajectory.exitStatus),
    turnCount: result.strip.turns,
    callCount: countCalls(trajectory),
    writeCount: result.history.writes.filter(rows.tookEffect).length,
    inputTokens: whole(trajectory.totals.inputTokens),
    outputTokens: whole(trajectory.totals.outputTokens),
    costUsd: trajectory.totals.costUsd,
    durationMs: whole(trajectory.totals.durationMs),
    notUnderstood: trajectory.notes
      .filter((note) => note.level === "not_understood")
      .reduce((sum, note) => sum + note.count, 0),
    runStrip: result.runStrip,
    verdictStatus: verdict?.status ?? null,
    verdictTurn: verdict?.status === "determined" ? (verdict.candidates[0]?.turn ?? null) : null,
    verdictEngine: verdict?.engine ?? null,
  };
  const names = Object.keys(values);
  const assignments = names.map((name, i) => `"${name}" = $${i + 4}`).join(", ");
  const { rowCount } = await client.query(
    `UPDATE "Trajectory" SET ${assignments}, "updatedAt" = now()
     WHERE "id" = $1 AND "projectId" = $2 AND ($3::text IS NULL OR "progress"->>'attempt' = $3)`,
    [target.trajectoryId, scope.projectId, target.attempt, ...names.map((name) => values[name])],
  );
  return rowCount === 1;
}

/** The task as a person stated it. Read with the row locked: who states it meanwhile waits, and names the row anew. */
async function givenStatement(client: ClientBase, trajectoryId: string): Promise<string | null> {
  await client.query('SELECT 1 FROM "Trajectory" WHERE "id" = $1 FOR UPDATE', [trajectoryId]);
  const { rows: given } = await client.query<{ text: string }>(
    `SELECT "text" FROM "GivenPart" WHERE "trajectoryId" = $1 AND "part" = 'taskStatement'`,
    [trajectoryId],
  );
  return given[0]?.text ?? null;
}

function headOf({ trajectory, folding }: ImportResult): StoredHead {
  const { entries: _, ...head } = trajectory;
  return { ...head, folding: folding.savings };
}

function summaryOf(result: ImportResult): CodeSummary {
  const counts = new Map<string, number>(CERTAINTIES.map((certainty) => [certainty, 0]));
  for (const file of result.history.files.values()) {
    for (const { certainty } of file.versions) counts.set(certainty, (counts.get(certainty) ?? 0) + 1);
  }
  const differing = result.history.conflicts.filter((conflict) => conflict.kind === "baseline_differs_from_read");
  return {
    root: result.history.root,
    conflicts: result.history.conflicts,
    versionsByCertainty: Object.fromEntries(counts),
    checks: result.history.checks,
    baseline: { files: result.baselineFiles, differing: new Set(differing.map((conflict) => conflict.path)).size },
  };
}

function countCalls(trajectory: Trajectory): number {
  let count = 0;
  for (const turn of turnsOf(trajectory)) count += turn.items.filter((item) => item.kind === "call").length;
  return count;
}

function whole(value: number | null): bigint | null {
  return value === null ? null : BigInt(Math.min(Number.MAX_SAFE_INTEGER, Math.round(value)));
}

function* map<T, U>(values: Iterable<T>, make: (value: T) => U): Generator<U> {
  for (const value of values) yield make(value);
}

function* flatMap<T, U>(values: Iterable<T>, make: (value: T) => Iterable<U>): Generator<U> {
  for (const value of values) yield* make(value);
}

/** True when the job's import is already there: what a second run of the same job asks first. */
export async function isImported(scope: ProjectScope, jobId: string): Promise<boolean> {
  checkProjectScope(scope);
  // By pg: a worker never loads the compiler of queries (import-status.ts).
  const { rowCount } = await pool().query(
    `SELECT 1 FROM "Import" i JOIN "Trajectory" t ON t."id" = i."trajectoryId"
     WHERE i."jobId" = $1 AND t."projectId" = $2`,
    [checkId(jobId), scope.projectId],
  );
  return rowCount !== 0;
}
