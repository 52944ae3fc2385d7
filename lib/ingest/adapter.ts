import type { FailureContext, Trajectory } from "@/lib/trajectory/schema";
import type { Content } from "./content";
import type { Part } from "./parts";

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

/**
 * What pages and docs/formats.md say about a format. Each text is Markdown in sentences; `npm run formats` writes it where
 * people read it, so it is written here and nowhere else.
 */
export interface About {
  name: string;
  /** Usual endings of such files, with their dot, as a hint for people; content decides. */
  extensions: string[];
  /** One line, at most 100 characters. */
  description: string;
  /** How a person gets such a file. */
  source: string;
  /** What the scores of `sniff` go by. */
  detectedBy: string;
  agents: string;
  turns: string;
  /** The numbers that a turn carries from the source, and their conventions. */
  sourceSteps: string;
  read: string;
  notRead: string;
  /** What else a person can ask about: one paragraph each, which begins with its subject in bold. */
  details: string[];
}

/** One format. It lives in one file (or a folder of that name), is listed once in ingest.ts, and has one fixture folder. */
export interface Adapter {
  id: string;
  about: About;
  /** True for a format that many others hold inside: it is asked only when no other claims the content. */
  isGeneral?: true;
  /** Content decides; the file's name is only a hint and never enough. */
  sniff(content: Content): Sniff;
  /**
   * The trajectories of a content that holds several, in order, each with a name that people tell it by. A record that
   * cannot be read is a part as well: it becomes a row that says so. Absent where a file never holds more than one.
   * A part with a range must be claimed and read when its bytes stand alone.
   */
  split?(content: Content): Part[];
  /**
   * Reads the whole content, or the one trajectory of it that `key` names (of a part without a range).
   * @throws IngestError with the position when nothing of it can be read as this format.
   */
  parse(content: Content, report: ReportProgress, key: string | null): Parsed;
}
