import type { FailureContext, Trajectory } from "@/lib/trajectory/schema";
import type { Content } from "./content";

/** How sure an adapter is that the content is its own: 0 (not at all) to 1, with the reason in words. */
export interface Sniff {
  score: number;
  reason: string;
}

/** Called with bytes read so far; lets the worker show progress and stop. Throws to cancel. */
export type ReportProgress = (bytesDone: number, turnsDone: number) => void;

export interface Parsed {
  trajectory: Trajectory;
  failure: FailureContext;
}

/** One format. It lives in one file (or a folder of that name), is listed once in ingest.ts, and has one fixture folder. */
export interface Adapter {
  id: string;
  /** Content decides; the file's name is only a hint and never enough. */
  sniff(content: Content): Sniff;
  /**
   * Reads the whole content.
   * @throws IngestError with the position when nothing of it can be read as this format.
   */
  parse(content: Content, report: ReportProgress): Parsed;
}
