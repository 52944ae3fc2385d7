import { formatCount, formatPlural } from "@/components/trajectory/numbers";
import { failureAdvice } from "@/lib/catalogue/failures";
import { TRACE_FORMATS } from "@/lib/catalogue/formats";
import type { PartCounts, TrajectoryRow } from "@/lib/views/trajectory-list";

const ENDINGS = [".traj.json", ".tar.gz", ".jsonl", ".json", ".traj", ".ndjson", ".zip", ".gz"] as const;

/** A file's name in two parts, so that the ending can be drawn quieter. */
export function splitName(name: string): { stem: string; ending: string } {
  const lower = name.toLowerCase();
  const ending = ENDINGS.find((candidate) => lower.endsWith(candidate) && lower.length > candidate.length);
  if (ending === undefined) return { stem: name, ending: "" };
  return { stem: name.slice(0, -ending.length), ending: name.slice(-ending.length) };
}

/** Bytes as people read them, in powers of 1,000 with one decimal: `38.0 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 999_950) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A limit given in powers of 1,024, as a round number: `256 MiB`. */
export function formatLimit(bytes: number): string {
  return `${formatCount(Math.floor(bytes / (1024 * 1024)))} MiB`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * How long ago, as the list says it: `now`, `6 min`, `5 h`, `Yesterday`, `28 Nov`, `28 Nov 2025`. Days are those of the
 * reader's time zone.
 * @param at ISO 8601. @param now milliseconds since the epoch.
 */
export function timeAgo(at: string, now: number): string {
  const then = new Date(at);
  const elapsedMs = now - then.getTime();
  if (Number.isNaN(elapsedMs)) return "–";
  if (elapsedMs < MINUTE_MS) return "now";
  if (elapsedMs < HOUR_MS) return `${Math.floor(elapsedMs / MINUTE_MS)} min`;
  const today = new Date(now);
  const startOfToday = new Date(today.getFullYear(), today.getMonth(), today.getDate());
  if (then >= startOfToday) return `${Math.floor(elapsedMs / HOUR_MS)} h`;
  const startOfYesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (then >= startOfYesterday) return "Yesterday";
  const sameYear = then.getFullYear() === today.getFullYear();
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    ...(sameYear ? {} : { year: "numeric" }),
  }).format(then);
}

/** Where in the upload something is: `Line 18,204, byte 41,120,338`; empty when it is not known. */
export function placeWords(at: { byte: number | null; line: number | null; pointer: string | null }): string {
  const parts: string[] = [];
  if (at.line !== null) parts.push(`line ${formatCount(at.line)}`);
  if (at.byte !== null) parts.push(`byte ${formatCount(at.byte)}`);
  if (at.pointer !== null && at.pointer !== "") parts.push(`at ${at.pointer}`);
  return capitalised(parts.join(", "));
}

/**
 * Why an import failed, after where, and before what to do: `Line 18, byte 700: the JSON ends. Copy the whole file again.`
 * A reason that ends with the same place in brackets says it once, in front: the end of a long line is cut.
 */
export function failureWords(failure: TrajectoryRow["failure"]): string {
  if (failure === null) return "The import stopped without a reason.";
  const reason = reasonWords(failure);
  const advice = failureAdvice(failure.code);
  return advice === null ? reason : `${/[.!?]$/.test(reason) ? reason : `${reason}.`} ${advice}`;
}

function reasonWords(failure: NonNullable<TrajectoryRow["failure"]>): string {
  const place = placeWords(failure.at);
  if (place === "") return capitalised(failure.message);
  const plain = (words: string): string => words.toLowerCase().replaceAll(",", "");
  const [whole, inBrackets] = /\s*\(([^()]*)\)\.?$/.exec(failure.message) ?? [];
  const saysPlace = whole !== undefined && plain(inBrackets ?? "") === plain(place);
  return `${place}: ${saysPlace ? failure.message.slice(0, -whole.length) : failure.message}`;
}

/** With a capital first letter. */
export function capitalised(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** How the format was found: `found, 0.98`; null before detection. */
export function foundWords(row: Pick<TrajectoryRow, "format">): string | null {
  return row.format === null ? null : `found, ${row.format.score.toFixed(2)}`;
}

/**
 * How far the reading of a file is, 0 to 1. Null in the phases after it (they say no measure) and while the end is not
 * known: the bar then moves without a length, and never backwards.
 */
export function importShare(progress: TrajectoryRow["progress"]): number | null {
  if (progress === null || progress.phase !== "reading" || progress.total <= 0) return null;
  return Math.min(1, progress.done / progress.total);
}

/** How much of a row's work is done, 0 to 1; null while there is no measure. Of a file with several: of its trajectories. */
export function shareDone({ status, progress, parts }: TrajectoryRow): number | null {
  if (status === "queued") return 0;
  if (status !== "several" || parts === null) return importShare(progress);
  return parts.total === 0 ? 1 : (parts.total - parts.waiting) / parts.total;
}

const PHASE_WORDS: Record<string, string> = {
  replaying: "rebuilding the files",
  judging: "looking for the decisive error",
  storing: "storing the result",
};

/** What an import does now and how far it is: `38.0 MB of 88.4 MB read, 2,612 turns so far`. */
export function importWords(progress: TrajectoryRow["progress"]): string {
  if (progress === null) return "starting";
  const phase =
    progress.phase !== "reading"
      ? (PHASE_WORDS[progress.phase] ?? progress.phase)
      : progress.total > 0
        ? `${formatBytes(progress.done)} of ${formatBytes(progress.total)} read`
        : "reading";
  if (progress.turns === 0) return phase;
  return `${phase}, ${formatPlural(progress.turns, "turn")}${progress.phase === "reading" ? " so far" : ""}`;
}

/** What a format is called, for rows that hold no run that says its framework. */
export function formatName({ id }: NonNullable<TrajectoryRow["format"]>): string {
  return TRACE_FORMATS.find((known) => known.id === id)?.name ?? id;
}

/** How far the trajectories of a file are: `12 of 45 imported, 1 failed`; `44 imported, 1 failed` when none is left to do. */
export function partsWords({ total, ready, failed, waiting }: PartCounts): string {
  const imported = waiting > 0 ? `${formatCount(ready)} of ${formatCount(total)} imported` : null;
  const parts = [
    imported ?? (ready > 0 ? `${formatCount(ready)} imported` : null),
    failed > 0 ? `${formatCount(failed)} failed` : null,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

/** What a row says that nobody works on, and what helps. */
export const NO_WORKER = "No worker is running. The upload is kept, and goes on when Misstep is started again.";

/** Whether the server still works on a row, so that the list asks again. */
export function isMoving(row: Pick<TrajectoryRow, "status"> & Partial<Pick<TrajectoryRow, "parts">>): boolean {
  return row.status === "queued" || row.status === "importing" || (row.parts?.waiting ?? 0) > 0;
}
