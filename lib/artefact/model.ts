/**
 * How sure a version of a file is: attached by a person, held by the trace, computed by applying an edit to a known
 * text, known in ranges only, or possibly changed by a command that cannot be followed.
 */
export const CERTAINTIES = ["given", "recorded", "replayed", "partial", "unknown"] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** Known lines of a file. `startLine` is 1-based; each line keeps its own line ending, so that joining is exact. */
export interface KnownRange {
  startLine: number;
  lines: string[];
}

/**
 * What is known of a file's content at one moment. Ranges are sorted, apart from each other, and never filled in
 * between; `totalLines` is null when the length is not known.
 */
export type KnownContent =
  | { kind: "absent" }
  | { kind: "unknown" }
  | { kind: "whole"; text: string }
  | { kind: "partial"; ranges: KnownRange[]; totalLines: number | null };

/** What happened to a file. `observe` is a read that told us more than we knew. */
export type FileOperation =
  | "baseline"
  | "observe"
  | "create"
  | "edit"
  | "overwrite"
  | "append"
  | "delete"
  | "move"
  | "opaque";

/** One version of a file, in the order in which the trace made them. */
export interface FileVersion {
  /** 0-based in its file. */
  n: number;
  /** The turn that made it; null for the baseline, which stands before the first turn. */
  turn: number | null;
  /** The call item that made it; null for the baseline. */
  item: string | null;
  /** The arrival of the result that made it true (of the call when there is no result); -1 for the baseline. */
  arrival: number;
  operation: FileOperation;
  certainty: Certainty;
  content: KnownContent;
  /** How the content follows from the version before; null or absent when it does not, and then it stands on its own. */
  change?: ContentChange | null;
  /** What a person should know: a replay that differs from the record, the command that made it unknown. */
  note: string | null;
}

/** The write grammars of formats.md, section 1. */
export type WriteGrammar = "W1" | "W2" | "W3" | "W4" | "W5" | "W7" | "W8" | "W9" | "W12";

/**
 * An attempt to change a file. `applied`: the result says so or the record shows it; `assumed`: nothing says it failed;
 * `refused`: the result says that it changed nothing; `opaque`: it may have changed the file, we cannot say how.
 */
export interface Write {
  turn: number;
  item: string;
  arrival: number;
  path: string;
  grammar: WriteGrammar;
  operation: FileOperation;
  status: "applied" | "assumed" | "refused" | "opaque";
  /** Indices into the versions of the file; null when there is none (a refused write makes no version). */
  versionBefore: number | null;
  versionAfter: number | null;
  addedLines: number | null;
  removedLines: number | null;
  /** The edit as the call gave it, for showing when the surrounding file is not known. */
  fragment: { before: string | null; after: string | null; startLine: number | null } | null;
  /** Why it was refused or is opaque. */
  reason: string | null;
}

export interface FileHistory {
  /** As the trace spells it, absolute where the working directory is known. One history per file. */
  path: string;
  /** Other spellings under which the trace named the same file. */
  aliases: string[];
  versions: FileVersion[];
}

/** A difference between what was replayed and what the trace recorded, or between the baseline and what was read. */
export interface HistoryConflict {
  path: string;
  turn: number | null;
  item: string | null;
  kind: "replay_differs_from_record" | "baseline_differs_from_read" | "patch_differs_from_replay";
  message: string;
}

/** Comparisons of what is known of a file with another source: how many agreed, and how many did not. */
export interface Tally {
  agreed: number;
  differed: number;
}

/** How often what follows from the writes could be held against another source. What could not is in none of them. */
export interface HistoryChecks {
  /** Contents that the trace recorded with a write, before it and after it. */
  recorded: Tally;
  /** Lines of a file that the trace shows, of which some were known. */
  read: Tally;
  /** Files in diffs of the working tree that the trace holds. */
  diff: Tally;
  /** Files in the patch that the run delivered. `unknown` are those of which no changed line is known. */
  delivered: Tally & { unknown: number };
}

/** The counts before anything was compared. */
export function nothingChecked(): HistoryChecks {
  const none = (): Tally => ({ agreed: 0, differed: 0 });
  return { recorded: none(), read: none(), diff: none(), delivered: { ...none(), unknown: 0 } };
}

export interface ArtefactHistory {
  /** The repository's folder as the trace names it (`/testbed`), null when it cannot be told. */
  root: string | null;
  /** Keyed by path; a Map because a path may be called `__proto__`. */
  files: Map<string, FileHistory>;
  /** In trace order. */
  writes: Write[];
  conflicts: HistoryConflict[];
  checks: HistoryChecks;
}

/** Files that a person attached as the input of the run, by path relative to the repository's folder. */
export interface Baseline {
  files: Map<string, string>;
}

/** A replacement of lines against the previous version: 0-based line index, how many go, what comes (with line endings). */
export interface Splice {
  at: number;
  remove: number;
  insert: string[];
}

/**
 * How a content follows from the one before it: first the splices, all in the coordinates of the version before and in
 * order, then the ranges that became known without having changed.
 */
export interface ContentChange {
  splices: Splice[];
  learned: KnownRange[];
  /** The length in lines after the change, when the content is not whole and its length is known. */
  totalLines: number | null;
}

/**
 * How a version is stored: whole (or all that is known) every now and then, otherwise as splices on the version before
 * it. A whole one keeps the splices that led to it, for blame.
 */
export type StoredContent =
  | { kind: "absent" }
  | { kind: "unknown" }
  | { kind: "keyframe"; text: string; splices?: Splice[] }
  | { kind: "splices"; splices: Splice[]; learned?: KnownRange[]; totalLines?: number }
  | { kind: "partial"; ranges: KnownRange[]; totalLines: number | null; splices?: Splice[] };

/** Lines of a version that one write made (`turn` and `item`), or that were there before the run (both null). */
export interface BlameRun {
  startLine: number;
  lineCount: number;
  turn: number | null;
  item: string | null;
  /** True when it cannot be said who wrote these lines (they appeared while the file was not known). */
  uncertain: boolean;
}
