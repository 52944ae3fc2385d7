import { brotliCompressSync, constants } from "node:zlib";
import type { ArtefactHistory, FileHistory, StoredContent, Write } from "@/lib/artefact/model";
import { encodeVersions } from "@/lib/artefact/storage";
import type { ObservationFold } from "@/lib/folding/shape";
import type { Trajectory, Turn } from "@/lib/trajectory/schema";
import { type Cell, type Column, toJsonb } from "./bulk-insert";
import { type LongItemText, storeContext, storeItem, storeState } from "./import-items";
import { splitText } from "./long-texts";
import { VERSION_BROTLI, VERSION_PLAIN } from "./stored-import";

/** What the outline says about a turn, made by lib/findings. */
export interface TurnOutline {
  title: string;
  activity: string;
  hasError: boolean;
  sizeChars: number;
}

const columns = (spec: Record<string, Column["type"]>): Column[] =>
  Object.entries(spec).map(([name, type]) => ({ name, type }));

export const TURN_COLUMNS = columns({
  importId: "text",
  index: "int4",
  agent: "text",
  parentTurn: "int4",
  branch: "text",
  model: "text",
  title: "text",
  activity: "text",
  startedAt: "text",
  endedAt: "text",
  durationMs: "int8",
  inputTokens: "int4",
  cachedTokens: "int4",
  outputTokens: "int4",
  costUsd: "float8",
  sizeChars: "int4",
  hasError: "bool",
  writeCount: "int4",
  sourceSteps: "jsonb",
  state: "jsonb",
  items: "json",
});

const INT4_MAX = 2_147_483_647;
const int4 = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : Math.min(INT4_MAX, Math.round(value));

/** True for a write that changed a file or is taken to have done so: what "writes" counts everywhere. */
export function tookEffect(write: Write): boolean {
  return write.status === "applied" || write.status === "assumed";
}

/** The row of a turn. Its long texts are handed to `keep`. */
export function turnRow(
  importId: string,
  turn: Turn,
  outline: TurnOutline,
  writeCount: number,
  keep: (long: LongItemText) => void,
  folds: ReadonlyMap<string, ObservationFold>,
): Cell[] {
  const state = storeState(turn.state);
  return [
    importId,
    turn.index,
    turn.agent,
    turn.parentTurn,
    turn.branch,
    turn.model,
    outline.title,
    outline.activity,
    turn.startedAt,
    turn.endedAt,
    durationMs(turn.startedAt, turn.endedAt),
    int4(turn.usage?.inputTokens),
    int4(turn.usage?.cachedTokens),
    int4(turn.usage?.outputTokens),
    turn.usage?.costUsd ?? null,
    int4(outline.sizeChars),
    outline.hasError,
    writeCount,
    toJsonb(turn.sourceSteps),
    state === null ? null : toJsonb(state),
    toJsonb(turn.items.map((item) => storeItem(item, keep, folds.get(item.id)))),
  ];
}

/** Milliseconds between two times of the trace, when both can be read and do not run backwards. */
export function durationMs(startedAt: string | null, endedAt: string | null): number | null {
  if (startedAt === null || endedAt === null) return null;
  const duration = Date.parse(endedAt) - Date.parse(startedAt);
  return Number.isFinite(duration) && duration >= 0 ? Math.round(duration) : null;
}

export const CONTEXT_COLUMNS = columns({
  importId: "text",
  n: "int4",
  beforeTurn: "int4",
  contextKind: "text",
  data: "jsonb",
  sizeChars: "int4",
});

/** The rows of what stands between turns, each before the turn that follows it. */
export function* contextRows(
  importId: string,
  trajectory: Trajectory,
  keep: (long: LongItemText) => void,
): Generator<Cell[]> {
  let n = 0;
  let beforeTurn = 0;
  for (const entry of trajectory.entries) {
    if (entry.kind === "turn") {
      beforeTurn = entry.index + 1;
      continue;
    }
    const data = toJsonb(storeContext(entry, keep));
    yield [importId, n++, beforeTurn, entry.contextKind, data, entry.text.length];
  }
}

export const TEXT_COLUMNS = columns({
  importId: "text",
  itemId: "text",
  field: "text",
  piece: "int4",
  text: "text",
});

/** The pieces of a long text. */
export function* textRows(importId: string, long: LongItemText): Generator<Cell[]> {
  let piece = 0;
  for (const text of splitText(long.text)) yield [importId, long.itemId, long.field, piece++, text];
}

/** A file of the import: its history, or a path that only refused writes name. */
export interface NumberedFile {
  n: number;
  path: string;
  history: FileHistory | null;
  writeCount: number;
}

/** The files in the order of the history, then paths that only writes name (a refused creation leaves no history). */
export function numberFiles(history: ArtefactHistory): Map<string, NumberedFile> {
  const files = new Map<string, NumberedFile>();
  const add = (path: string, of: FileHistory | null): NumberedFile => {
    const file = { n: files.size, path, history: of, writeCount: 0 };
    files.set(path, file);
    return file;
  };
  for (const [path, of] of history.files) add(path, of);
  for (const write of history.writes) {
    const file = files.get(write.path) ?? add(write.path, null);
    if (tookEffect(write)) file.writeCount += 1;
  }
  return files;
}

export const FILE_COLUMNS = columns({
  importId: "text",
  n: "int4",
  path: "text",
  display: "text",
  aliases: "jsonb",
  versionCount: "int4",
  writeCount: "int4",
  isScratch: "bool",
  lastCertainty: "text",
});

/** The row of a file. */
export function fileRow(importId: string, file: NumberedFile, display: string, isScratch: boolean): Cell[] {
  const versions = file.history?.versions ?? [];
  return [
    importId,
    file.n,
    file.path,
    display,
    toJsonb(file.history?.aliases ?? []),
    versions.length,
    file.writeCount,
    isScratch,
    versions.at(-1)?.certainty ?? null,
  ];
}

export const VERSION_COLUMNS = columns({
  importId: "text",
  fileN: "int4",
  n: "int4",
  turn: "int4",
  itemId: "text",
  arrival: "int4",
  operation: "text",
  certainty: "text",
  kind: "text",
  note: "text",
  data: "bytea",
});

/** The rows of the versions of one file. */
export function* versionRows(importId: string, file: NumberedFile): Generator<Cell[]> {
  const versions = file.history?.versions ?? [];
  const stored = encodeVersions(versions);
  for (const [i, version] of versions.entries()) {
    const content = stored[i];
    if (content === undefined) throw new Error("a version was not encoded");
    yield [
      importId,
      file.n,
      version.n,
      version.turn,
      version.item,
      version.arrival,
      version.operation,
      version.certainty,
      content.kind,
      version.note,
      packContent(content),
    ];
  }
}

const BROTLI_FROM_BYTES = 1_024;

/** A stored content as the bytes of `FileVersion.data`; null for absent and unknown. */
export function packContent(content: StoredContent): Buffer | null {
  if (content.kind === "absent" || content.kind === "unknown") return null;
  // The kind has a column of its own.
  const { kind: _, ...parts } = content;
  const bytes = Buffer.from(JSON.stringify(parts), "utf8");
  if (bytes.length <= BROTLI_FROM_BYTES) return Buffer.concat([Buffer.of(VERSION_PLAIN), bytes]);
  const packed = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  return Buffer.concat([Buffer.of(VERSION_BROTLI), packed]);
}

export const WRITE_COLUMNS = columns({
  importId: "text",
  n: "int4",
  turn: "int4",
  itemId: "text",
  fileN: "int4",
  grammar: "text",
  operation: "text",
  status: "text",
  versionBefore: "int4",
  versionAfter: "int4",
  addedLines: "int4",
  removedLines: "int4",
  fragment: "jsonb",
  reason: "text",
});

/** The row of a write. */
export function writeRow(importId: string, n: number, write: Write, fileN: number): Cell[] {
  return [
    importId,
    n,
    write.turn,
    write.item,
    fileN,
    write.grammar,
    write.operation,
    write.status,
    write.versionBefore,
    write.versionAfter,
    int4(write.addedLines),
    int4(write.removedLines),
    write.fragment === null ? null : toJsonb(write.fragment),
    write.reason,
  ];
}
