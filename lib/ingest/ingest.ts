import { IngestError } from "@/lib/errors";
import type { FailureContext, Trajectory } from "@/lib/trajectory/schema";
import type { Adapter, ReportProgress } from "./adapter";
import { type Content, readContent } from "./content";
import { chatMessages } from "./formats/chat-messages";
import { claudeCode } from "./formats/claude-code";
import { miniSweAgent } from "./formats/mini-swe-agent";
import { sweAgent } from "./formats/swe-agent";
import { recogniseOther } from "./other-formats";
import type { Source } from "./source";

/** Changes whenever the same bytes may give another trajectory; stored with every import. */
export const PARSER_VERSION = "2";

/** One line a format. */
export const ADAPTERS: readonly Adapter[] = [sweAgent, miniSweAgent, claudeCode, chatMessages];

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

/**
 * Reads an upload into a canonical trajectory. The same bytes and PARSER_VERSION always give the same result; the name
 * of the source plays no part.
 * @throws IngestError when it cannot be read as a trajectory, with the reason and, where known, the position; whatever
 * `report` throws to cancel.
 */
export function ingest(source: Source, report: ReportProgress = () => undefined): Ingested {
  const content = readContent(source);
  const { adapter, score, reason } = claimant(content);
  const { trajectory, failure } = adapter.parse(content, report);
  if (trajectory.entries.length === 0) {
    throw new IngestError("no_content", "the trace holds no turns and no messages");
  }
  return { trajectory, failure, detection: { format: adapter.id, variant: trajectory.format.variant, score, reason } };
}
