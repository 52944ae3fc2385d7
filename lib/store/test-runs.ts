import { createHash } from "node:crypto";
import { buildHistory } from "@/lib/artefact/history";
import { outlineTurn } from "@/lib/findings/outline";
import { packRunStrip, packStrip } from "@/lib/findings/strip";
import { foldTrajectory } from "@/lib/folding/fold";
import type { Verdict } from "@/lib/investigator/verdict";
import type {
  CallItem,
  ContextItem,
  FailureContext,
  Item,
  ReadFile,
  ResultItem,
  TextItem,
  Trajectory,
  Turn,
} from "@/lib/trajectory/schema";
import { database } from "./client";
import { newId } from "./identifiers";
import { storeImport } from "./imports";
import type { ProjectScope } from "./scope";
import { CHUNK_BYTES, storeChunk } from "./upload-bytes";

/** Small trajectories made by hand and stored as the worker stores them. For tests of the store. */
export interface TestRun {
  id: string;
  importId: string;
}

export interface RunParts {
  entries: Trajectory["entries"];
  trajectory?: Partial<Trajectory>;
  failure?: Partial<FailureContext>;
  verdict?: Verdict | null;
  baseline?: Map<string, string>;
  /** The bytes that the spans of the items point into. */
  upload?: Uint8Array;
  name?: string;
}

/** Stores a run as a trajectory of its own. */
export async function storeRun(scope: ProjectScope, parts: RunParts): Promise<TestRun> {
  const bytes = parts.upload ?? new TextEncoder().encode(newId());
  const uploadId = newId();
  const id = newId();
  const name = parts.name ?? "run.traj";
  const sizeBytes = bytes.length;
  await database().upload.create({
    data: {
      id: uploadId,
      projectId: scope.projectId,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      name,
      sizeBytes,
      complete: true,
    },
  });
  for (let n = 0; n * CHUNK_BYTES < bytes.length; n += 1) {
    await storeChunk(uploadId, n, bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES));
  }
  await database().trajectory.create({
    data: { id, projectId: scope.projectId, uploadId, name, status: "queued", sizeBytes },
  });
  return { id, importId: await importAgain(scope, id, parts) };
}

/** Imports a trajectory once more, as a newer parser would; gives the new import. */
export async function importAgain(scope: ProjectScope, id: string, parts: RunParts): Promise<string> {
  const trajectory: Trajectory = { ...EMPTY, ...parts.trajectory, entries: parts.entries };
  const failure: FailureContext = { ...NO_FAILURE, ...parts.failure };
  const history = buildHistory(trajectory, parts.baseline ? { files: parts.baseline } : null);
  const verdict = parts.verdict ?? null;
  const strip = packStrip(trajectory, history, verdict);
  const stored = await storeImport(
    scope,
    { trajectoryId: id, jobId: newId() },
    {
      parserVersion: "test@1",
      detection: { format: trajectory.format.id, variant: trajectory.format.variant, score: 1, reason: "made by hand" },
      trajectory,
      failure,
      outcome: failure.outcome,
      history,
      baselineFiles: parts.baseline?.size ?? 0,
      folding: foldTrajectory(trajectory),
      strip,
      runStrip: packRunStrip(strip),
      outline: (turn) =>
        outlineTurn(
          turn,
          history.writes.filter((write) => write.turn === turn.index),
        ),
      isScratch: (path) => path.startsWith("/tmp/"),
      display: (path) => (path.startsWith(`${history.root}/`) ? path.slice((history.root ?? "").length + 1) : path),
      localization:
        verdict === null
          ? { ok: false, engine: "structural", version: "test", reason: "not asked" }
          : { ok: true, engine: verdict.engine, version: verdict.engineVersion, verdict },
    },
  );
  if (stored !== "stored") throw new Error(`the import was not stored: ${stored}`);
  const row = await database().trajectory.findUniqueOrThrow({ where: { id }, select: { currentImportId: true } });
  return row.currentImportId ?? "";
}

const EMPTY: Trajectory = {
  version: 1,
  format: { id: "swe-agent", variant: "1.x" },
  framework: { name: "SWE-agent", version: "1.0.1" },
  models: ["model-a"],
  title: null,
  task: { statement: null, instance: "owner__repo-1", repository: "owner/repo", baseCommit: "0".repeat(40) },
  agents: [{ id: "main", name: "main", startedByTurn: null }],
  entries: [],
  deliveredPatch: null,
  exitStatus: "submitted",
  totals: { inputTokens: 10, cachedTokens: null, outputTokens: 20, costUsd: 0.5, durationMs: 1_000 },
  notes: [],
};

const NO_FAILURE: FailureContext = {
  outcome: "failed",
  failingTestCode: null,
  errorReport: null,
  referencePatch: null,
  verification: [],
  source: "trace",
};

const AGENT = { role: "agent", name: null } as const;
const TOOL = { role: "tool", name: null } as const;

/** A turn of the main agent. */
export function turn(index: number, items: Item[], more: Partial<Turn> = {}): Turn {
  return {
    kind: "turn",
    index,
    sourceSteps: [{ convention: "trajectory", step: String(index) }],
    agent: "main",
    parentTurn: null,
    branch: null,
    model: "model-a",
    usage: null,
    startedAt: null,
    endedAt: null,
    state: null,
    items,
    ...more,
  };
}

/** Something that the agent thought. */
export function thought(id: string, text: string, arrival = 0): TextItem {
  return { kind: "thought", id, author: AGENT, raw: [], arrival, text };
}

/** A call, with its arguments or its text. */
export function call(id: string, tool: string, given: Partial<CallItem>): CallItem {
  return {
    kind: "call",
    id,
    author: AGENT,
    raw: [],
    arrival: 0,
    callKind: "execute",
    tool,
    callId: null,
    arguments: null,
    text: null,
    ...given,
  };
}

/** The result of a call. */
export function result(id: string, callItem: string, text: string, more: Partial<ResultItem> = {}): ResultItem {
  return {
    kind: "result",
    id,
    author: TOOL,
    raw: [],
    arrival: 0,
    callItem,
    callId: null,
    text,
    isError: false,
    exitCode: null,
    isCut: false,
    durationMs: null,
    recorded: [],
    reads: [],
    ...more,
  };
}

/** Lines of a file that a result showed. */
export function read(path: string, startLine: number, text: string, totalLines: number | null = null): ReadFile {
  return { path, startLine, text, totalLines, whole: false };
}

/** What stands between turns. */
export function context(id: string, text: string, more: Partial<ContextItem> = {}): ContextItem {
  return {
    kind: "context",
    id,
    contextKind: "task",
    author: { role: "person", name: null },
    sourceSteps: [],
    arrival: 0,
    raw: [],
    text,
    ...more,
  };
}

/** A turn that creates a file with the editor tool. `arrival` and the next one are taken. */
export function createsFile(index: number, path: string, text: string): Turn {
  return turn(index, [
    call(`t${index}.0`, "str_replace_editor", {
      callKind: "write",
      arguments: { command: "create", path, file_text: text },
      arrival: index * 10,
    }),
    result(`t${index}.1`, `t${index}.0`, `File created successfully at: ${path}`, { arrival: index * 10 + 1 }),
  ]);
}

/** A turn that replaces a text in a file with the editor tool. */
export function replacesText(index: number, path: string, before: string, after: string): Turn {
  return turn(index, [
    call(`t${index}.0`, "str_replace_editor", {
      callKind: "write",
      arguments: { command: "str_replace", path, old_str: before, new_str: after },
      arrival: index * 10,
    }),
    result(`t${index}.1`, `t${index}.0`, `The file ${path} has been edited.`, { arrival: index * 10 + 1 }),
  ]);
}

/** A verdict that names one turn with one quotation. */
export function verdictAt(at: number, quotation: Verdict["candidates"][number]["quotations"][number]): Verdict {
  return {
    engine: "structural",
    engineVersion: "test@1",
    status: "determined",
    undeterminedReason: null,
    reliability: { class: "medium", reason: "The rule applies." },
    candidates: [
      {
        rank: 1,
        turn: at,
        score: 1,
        reasonCode: "first_source_write",
        reason: "First write to a file that is not scratch.",
        quotations: [quotation],
        file: null,
        line: null,
      },
    ],
    suspicion: [{ turn: at, value: 1 }],
  };
}
