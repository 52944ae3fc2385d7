import { IngestError } from "@/lib/errors";
import type { FailureContext, Note, Trajectory } from "@/lib/trajectory/schema";
import type { Adapter, ReportProgress } from "./adapter";
import { type Content, readContent } from "./content";
import { chatMessages } from "./formats/chat-messages";
import { claudeCode } from "./formats/claude-code";
import { codex } from "./formats/codex";
import { messageRows } from "./formats/message-rows";
import { miniSweAgent } from "./formats/mini-swe-agent";
import { openHands } from "./formats/openhands";
import { sweAgent } from "./formats/swe-agent";
import { sweAgentRows } from "./formats/swe-agent-rows";
import { sweChat } from "./formats/swe-chat";
import { whoAndWhen } from "./formats/who-and-when";
import { recogniseOther } from "./other-formats";
import { PARTS_MAX, type Part, placeError, placeTrajectory } from "./parts";
import type { Source } from "./source";
import { noteOutsideParts, noteUnread } from "./unread";

/** Changes whenever the same bytes may give another trajectory; stored with every import. */
export const PARSER_VERSION = "3";

/** One line a format. */
export const ADAPTERS: readonly Adapter[] = [
  sweAgent,
  sweAgentRows,
  messageRows,
  sweChat,
  miniSweAgent,
  claudeCode,
  codex,
  openHands,
  whoAndWhen,
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

function claimant(content: Content): { adapter: Adapter; score: number; reason: string } {
  const claim = chooseClaim(opinions(content));
  if (claim) return claim;
  if (content.kind === "text" && content.problem) throw content.problem;
  const other = recogniseOther(content);
  if (other) {
    const message = `this looks like ${other.name} (${other.reason}), which Misstep cannot read yet`;
    throw new IngestError("unsupported_format", message);
  }
  throw new IngestError("not_a_trace", "nothing in this file looks like the trace of a coding agent");
}

/**
 * Says whose format an upload is, by its content alone, without reading all of it.
 * @throws IngestError `empty`, `not_a_trace`, `ambiguous_format`, `unsupported_format`, `malformed` or `too_deep`.
 */
export function detect(source: Source): Omit<Detection, "variant"> {
  const { adapter, score, reason } = claimant(readContent(source));
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
  const { part } = source;
  const content = inPlace(part, () => readContent(source));
  const { adapter, score, reason } = inPlace(part, () => claimant(content));
  const parts = part ? [] : (adapter.split?.(content) ?? []);
  if (parts.length > PARTS_MAX) {
    const message = `the file holds ${parts.length} trajectories, more than ${PARTS_MAX}; upload it in pieces`;
    throw new IngestError("too_large", message);
  }
  if (parts.length > 1) {
    const detection = { format: adapter.id, score, reason };
    return { kind: "several", detection, parts, notes: noteOutsideParts(content, parts) };
  }
  const read = (report: ReportProgress): Ingested =>
    inPlace(part, () => {
      // A part with a range is all that these bytes hold; without one it is picked out of them by its key.
      const key = part === undefined || part.range ? null : part.key;
      const { trajectory, failure } = adapter.parse(content, report, key);
      if (trajectory.entries.length === 0) {
        throw new IngestError("no_content", "the trace holds no turns and no messages");
      }
      // What the other parts are is none of this one's unread bytes.
      if (key === null) noteUnread(content, trajectory);
      if (part?.range) placeTrajectory(trajectory, part.range);
      const { variant } = trajectory.format;
      return { trajectory, failure, detection: { format: adapter.id, variant, score, reason } };
    });
  return { kind: "one", read };
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
