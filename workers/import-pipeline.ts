import { buildHistory } from "@/lib/artefact/history";
import type { Baseline } from "@/lib/artefact/model";
import { writesByTurn } from "@/lib/artefact/writes-by-turn";
import { outlineTurn } from "@/lib/findings/outline";
import { packRunStrip, packStrip } from "@/lib/findings/strip";
import { foldTrajectory } from "@/lib/folding/fold";
import type { ReportProgress } from "@/lib/ingest/adapter";
import { type Ingested, ingest, type Opened, openUpload, PARSER_VERSION } from "@/lib/ingest/ingest";
import { prepareSource } from "@/lib/ingest/prepare-source";
import type { Source } from "@/lib/ingest/source";
import { displayPath } from "@/lib/investigator/paths";
import { scratchFiles } from "@/lib/investigator/scratch";
import { structuralLocalizer } from "@/lib/investigator/structural";
import type { LocalizerInput } from "@/lib/investigator/verdict";
import { loadBaseline } from "@/lib/store/baselines";
import { storeParts } from "@/lib/store/file-parts";
import type { ImportProgress, ImportTarget } from "@/lib/store/import-status";
import { type ImportResult, type StoreOutcome, storeImport } from "@/lib/store/imports";
import type { ProjectScope } from "@/lib/store/scope";
import { readRange, readWhole } from "@/lib/store/upload-bytes";
import type { FailureContext } from "@/lib/trajectory/schema";

const LARGE_BYTES = 16 * 1024 * 1024;

/** Called between and inside the phases; cheap to call often. */
export type Report = (progress: ImportProgress) => void;

/**
 * One import from the stored bytes to the stored result: ingest, artefact history, structural rule, strip and outline,
 * then one transaction. A file that holds several trajectories is taken apart instead, and each of them gets a job.
 * @throws IngestError when the bytes cannot be read as a trajectory; AppError `integrity` when stored bytes are damaged.
 */
export async function runImport(
  scope: ProjectScope,
  job: { trajectoryId: string; jobId: string },
  target: ImportTarget,
  report: Report,
): Promise<StoreOutcome> {
  report({ phase: "reading", done: 0, total: target.sizeBytes, turns: 0 });
  const baseline = await loadBaseline(scope, job.trajectoryId);
  const found = await readUpload(target, report);
  if (found.kind === "several") return storeParts(scope, { ...job, attempt: target.attempt }, found);
  const { ingested } = found;
  if (target.sizeBytes >= LARGE_BYTES) globalThis.gc?.();
  const result = await assessRun(ingested, { baseline, outcome: target.givenOutcome }, report);
  const { turns } = result.strip;
  const { attempt } = target;
  return storeImport(scope, { ...job, attempt }, result, (done) =>
    report({ phase: "storing", done, total: 100, turns }),
  );
}

/** What people added to an upload: the input of the run, and how it ended. */
export interface Given {
  baseline: Baseline | null;
  outcome: FailureContext["outcome"] | null;
}

/**
 * A function of its own, so that the bytes are let go when it returns. Bytes of a large upload lie outside the heap and
 * bring no collection about by themselves: a hundred megabytes of them, and as much that was inflated on the way, were
 * still there when the result was being stored. So it is collected here, where the worker allows it.
 */
export async function readUpload(
  target: Pick<ImportTarget, "uploadId" | "uploadBytes" | "part" | "name">,
  report: Report,
): Promise<{ kind: "one"; ingested: Ingested } | Extract<Opened, { kind: "several" }>> {
  const { uploadId, uploadBytes, part, name } = target;
  // What stands in a file of an archive is found when the archive is open.
  const bytes =
    part?.range && part.file === undefined
      ? await readRange(uploadId, uploadBytes, part.range.start, part.range.end)
      : await readWhole(uploadId, uploadBytes);
  if (bytes.length >= LARGE_BYTES) globalThis.gc?.();
  const opened = openUpload(await prepareSource({ name, bytes, ...(part === null ? {} : { part }) }));
  if (opened.kind === "several") return opened;
  return { kind: "one", ingested: opened.read(progressOf(bytes, report)) };
}

/** Everything that is said about one upload, without storing anything. */
export async function readSource(source: Source, given: Given, report: Report): Promise<ImportResult> {
  return assessRun(ingest(await prepareSource(source), progressOf(source.bytes, report)), given, report);
}

function progressOf({ length: total }: Uint8Array, report: Report): ReportProgress {
  return (done, turns) => report({ phase: "reading", done, total, turns });
}

/** What is said about a run that was read. A person's word on the outcome goes before the trace's. */
async function assessRun(ingested: Ingested, given: Given, report: Report): Promise<ImportResult> {
  const { trajectory, detection } = ingested;
  const known: FailureContext =
    given.outcome === null ? ingested.failure : { ...ingested.failure, outcome: given.outcome, source: "person" };
  const turns = trajectory.entries.reduce((count, entry) => count + (entry.kind === "turn" ? 1 : 0), 0);
  report({ phase: "replaying", done: 0, total: 0, turns });
  const history = buildHistory(trajectory, given.baseline);
  report({ phase: "judging", done: 0, total: 0, turns });
  const localization = await localize({ trajectory, history, failure: known });
  const strip = packStrip(trajectory, history, localization.ok ? localization.verdict : null);
  const scratch = scratchFiles(trajectory, history);
  const writes = writesByTurn(history.writes);
  return {
    parserVersion: PARSER_VERSION,
    detection,
    trajectory,
    failure: ingested.failure,
    outcome: known.outcome,
    history,
    baselineFiles: given.baseline?.files.size ?? 0,
    folding: foldTrajectory(trajectory),
    strip,
    runStrip: packRunStrip(strip),
    outline: (turn) => outlineTurn(turn, writes.get(turn.index) ?? []),
    isScratch: (path) => scratch.get(path)?.isScratch ?? false,
    display: (path) => displayPath(path, history.root),
    localization,
  };
}

/** An engine that fails takes its verdict with it, not the import: the turns and the code are there all the same. */
async function localize(input: LocalizerInput): Promise<ImportResult["localization"]> {
  const { id: engine, version } = structuralLocalizer;
  try {
    return { ok: true, engine, version, verdict: await structuralLocalizer.localize(input) };
  } catch (error) {
    console.error(`[import] ${engine} failed:`, error instanceof Error ? error.stack : "not an Error");
    return { ok: false, engine, version, reason: "The engine failed on this trajectory." };
  }
}
