import { IngestError } from "@/lib/errors";
import type { FailureContext, Note, Trajectory } from "@/lib/trajectory/schema";
import type { Adapter, ReportProgress } from "./adapter";
import { type Content, readContent } from "./content";
import { noteLog } from "./database-log-note";
import { aider } from "./formats/aider";
import { atif } from "./formats/atif";
import { autoCodeRover } from "./formats/autocoderover";
import { autoGen } from "./formats/autogen";
import { camel } from "./formats/camel";
import { chatMessages } from "./formats/chat-messages";
import { claudeCode } from "./formats/claude-code";
import { codeTracer } from "./formats/codetracer";
import { codex } from "./formats/codex";
import { devAi } from "./formats/devai";
import { labelledSteps } from "./formats/labelled-steps";
import { langGraph } from "./formats/langgraph";
import { langSmith } from "./formats/langsmith";
import { messageRows } from "./formats/message-rows";
import { miniSweAgent } from "./formats/mini-swe-agent";
import { openHands } from "./formats/openhands";
import { sweAgent } from "./formats/swe-agent";
import { sweAgentRows } from "./formats/swe-agent-rows";
import { sweChat } from "./formats/swe-chat";
import { whoAndWhen } from "./formats/who-and-when";
import {
  innerSource,
  namingFile,
  noTraceInside,
  notesOfArchive,
  partsOfFile,
  placeTrajectoryInFile,
} from "./inner-files";
import { type OtherFormat, recogniseOther } from "./other-formats";
import { PARTS_MAX, type Part, placeError, placeFailure, placeInLine, placeTrajectory, tooManyParts } from "./parts";
import type { HeldFile, Source } from "./source";
import { noteOutsideParts, noteUnread } from "./unread";

/** Changes whenever the same bytes may give another trajectory; stored with every import. */
export const PARSER_VERSION = "3";

/** One line a format. */
export const ADAPTERS: readonly Adapter[] = [
  autoCodeRover,
  sweAgent,
  sweAgentRows,
  messageRows,
  sweChat,
  atif,
  miniSweAgent,
  claudeCode,
  codex,
  openHands,
  devAi,
  aider,
  autoGen,
  whoAndWhen,
  labelledSteps,
  codeTracer,
  camel,
  langGraph,
  langSmith,
  chatMessages,
];

/** Below this an adapter does not claim the content. */
const CLAIM_SCORE = 0.5;

/** Which format claimed the upload and why. */
export interface Detection {
  format: string;
  variant: string;
  score: number;
  reason: string;
}

export interface Ingested {
  trajectory: Trajectory;
  failure: FailureContext;
  detection: Detection;
}

/** Every adapter's opinion of the content, the surest first. A general one has none where another claims it. */
export function opinions(content: Content): { adapter: Adapter; score: number; reason: string }[] {
  const ask = (adapter: Adapter): { adapter: Adapter; score: number; reason: string } => ({
    adapter,
    ...adapter.sniff(content),
  });
  const own = ADAPTERS.filter((adapter) => !adapter.isGeneral).map(ask);
  const isClaimed = own.some(({ score }) => score >= CLAIM_SCORE);
  const general = ADAPTERS.filter((adapter) => adapter.isGeneral);
  const others = isClaimed
    ? general.map((adapter) => ({ adapter, score: 0, reason: "a format of its own claims it" }))
    : general.map(ask);
  return [...own, ...others].sort((a, b) => b.score - a.score);
}

/**
 * The opinion that wins, or null when none is sure enough.
 * @throws IngestError `ambiguous_format` when two are equally sure.
 */
export function chooseClaim<T extends { score: number; reason: string; adapter: Pick<Adapter, "id"> }>(
  sorted: T[],
): T | null {
  const [first, second] = sorted;
  if (!first || first.score < CLAIM_SCORE) return null;
  if (second?.score !== first.score) return first;
  throw new IngestError(
    "ambiguous_format",
    `this could be ${first.adapter.id} (${first.reason}) or ${second.adapter.id} (${second.reason})`,
  );
}

/** Why nobody claims a content. */
function refusalOf(content: Content): IngestError {
  if (content.kind === "text" && content.problem) return content.problem;
  const other = recogniseOther(content);
  if (other) return unsupported(other);
  return new IngestError("not_a_trace", "nothing in this file looks like the trace of a coding agent");
}

/**
 * Says whose format an upload is, by its content alone, without reading all of it.
 * @throws IngestError `empty`, `not_a_trace`, `ambiguous_format`, `unsupported_format`, `malformed` or `too_deep`.
 */
export function detect(source: Source): Omit<Detection, "variant"> {
  const content = readContent(source);
  const claim = chooseClaim(opinions(content));
  if (claim === null) throw refusalOf(content);
  const { adapter, score, reason } = claim;
  return { format: adapter.id, score, reason };
}

/** What an upload turned out to hold: one trajectory, which can be read, or several, each to be read for itself. */
export type Opened =
  | { kind: "one"; read(report: ReportProgress): Ingested }
  /** `notes` are what of the upload none of them holds. */
  | { kind: "several"; detection: Omit<Detection, "variant">; parts: Part[]; notes: Note[] };

/**
 * Looks at an upload, or at one part of it, without reading it as a trajectory yet.
 * @throws IngestError as `detect`, with the position in the upload; `too_large` when it holds more than PARTS_MAX.
 */
export function openUpload(source: Source): Opened {
  const { part, inside } = source;
  if (part?.file !== undefined) return openFile(source, part, part.file);
  const content = inPlace(part, () => readContent(source));
  const claim = inPlace(part, () => chooseClaim(opinions(content)));
  if (claim === null) {
    const isArchive = content.kind === "files" && recogniseOther(content) === null;
    if (isArchive) return openFiles(content.files, inside?.kind === "files" ? inside.skipped : undefined);
    return inPlace(part, () => {
      throw refusalOf(content);
    });
  }
  const { adapter, score, reason } = claim;
  const parts = part ? [] : (adapter.split?.(content) ?? []);
  if (parts.length > PARTS_MAX) throw tooManyParts(parts.length);
  if (parts.length > 1) {
    const detection = { format: adapter.id, score, reason };
    return { kind: "several", detection, parts, notes: noteOutsideParts(content, parts) };
  }
  const read = (report: ReportProgress): Ingested =>
    inPlace(part, () => {
      // A part with a range is all that these bytes hold; without one it is picked out of them by its key.
      const key = part === undefined || part.range ? null : part.key;
      const { trajectory, failure } = adapter.parse(content, report, key);
      if (trajectory.entries.every((entry) => entry.kind === "context" && entry.contextKind === "metadata")) {
        throw new IngestError("no_content", "the trace holds no turns and no messages");
      }
      if (content.kind === "database") trajectory.notes.push(...noteLog(content.database.log));
      // What the other parts are is none of this one's unread bytes.
      if (key === null) noteUnread(content, trajectory);
      if (part?.range) {
        const isLine = content.kind === "document" && content.isOneLine && part.range.pointer === "";
        if (isLine) placeInLine(trajectory);
        placeTrajectory(trajectory, part.range);
        placeFailure(failure, part.range, isLine);
      }
      const { variant } = trajectory.format;
      return { trajectory, failure, detection: { format: adapter.id, variant, score, reason } };
    });
  return { kind: "one", read };
}

function unsupported({ name, reason }: OtherFormat): IngestError {
  return new IngestError("unsupported_format", `this looks like ${name} (${reason}), which Misstep cannot read yet`);
}

/** Opens the one file of an archive that a part stands in. */
function openFile(source: Source, part: Part, path: string): Opened {
  const file = source.inside?.kind === "files" ? source.inside.files.find((one) => one.path === path) : undefined;
  if (file === undefined) throw new IngestError("malformed", `the archive holds no file ${path}`);
  return inFile(path, () => openUpload(innerSource(file, part)));
}

/** Opens an archive that is of no format: every file in it that is a trace by itself. */
function openFiles(files: readonly HeldFile[], skipped: ReadonlyMap<string, number> = new Map()): Opened {
  const traces: { file: HeldFile; opened: Opened }[] = [];
  const refused: { file: HeldFile; error: IngestError }[] = [];
  for (const file of files) {
    try {
      traces.push({ file, opened: inFile(file.path, () => openUpload(innerSource(file, null))) });
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      refused.push({ file, error });
    }
  }
  const notes = notesOfArchive(
    refused.map(({ file }) => file),
    skipped,
  );
  const [only, ...others] = traces;
  if (only === undefined) throw noTraceInside(refused);
  if (others.length === 0 && only.opened.kind === "one") {
    const { read } = only.opened;
    return {
      kind: "one",
      read(report) {
        const ingested = read(report);
        ingested.trajectory.notes.push(...notes);
        return ingested;
      },
    };
  }
  const parts = traces.flatMap(({ file, opened }) =>
    partsOfFile(file, opened.kind === "several" ? opened.parts : null),
  );
  if (parts.length > PARTS_MAX) throw tooManyParts(parts.length);
  const inner = traces.flatMap(({ opened }) => (opened.kind === "several" ? opened.notes : []));
  const reason = `${traces.length} of the ${files.length} files of an archive are traces`;
  return { kind: "several", detection: { format: "archive", score: 1, reason }, parts, notes: [...inner, ...notes] };
}

/** Runs a reader of a file of an archive: what it finds, and its error, name the file. */
function inFile(path: string, open: () => Opened): Opened {
  const opened = namingFile(path, open);
  if (opened.kind === "several") {
    for (const note of opened.notes) for (const span of note.positions) span.file = path;
    return opened;
  }
  return { kind: "one", read: (report) => namingFile(path, () => placeInFile(opened.read(report), path)) };
}

function placeInFile(ingested: Ingested, path: string): Ingested {
  placeTrajectoryInFile(ingested.trajectory, path);
  return ingested;
}

/** Runs a reader of a part's bytes; the position of its error becomes one of the upload. */
function inPlace<T>(part: Part | undefined, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof IngestError && part?.range) throw placeError(error, part.range);
    throw error;
  }
}

/**
 * Reads an upload that holds one trajectory, or one part of an upload, into a canonical trajectory. The same bytes and
 * PARSER_VERSION always give the same result; the name of the source plays no part.
 * @throws IngestError when it cannot be read as a trajectory, with the reason and, where known, the position;
 * `several_trajectories` when it holds more than one; whatever `report` throws to cancel.
 */
export function ingest(source: Source, report: ReportProgress = () => undefined): Ingested {
  const opened = openUpload(source);
  if (opened.kind === "one") return opened.read(report);
  const message = `the file holds ${opened.parts.length} trajectories, which are read one by one`;
  throw new IngestError("several_trajectories", message);
}
