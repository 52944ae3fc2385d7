import type { Effect } from "./effect";
import type { KnownContent } from "./model";
import type { SimpleCommand } from "./shell-syntax";

/** What the reader of a shell command may ask about the files that the history knows so far. */
export interface ShellSurroundings {
  /** Paths of known files in a folder, or the very file. Only those that the run wrote to when asked so. */
  filesUnder(folder: string, directory: string | null, onlyWritten: boolean): string[];
  contentOf(path: string, directory: string | null): KnownContent | null;
}

/** What a command does to one file, before it is known whether the command worked. */
export interface ShellWrite {
  path: string;
  operation: "create" | "edit" | "overwrite" | "append" | "delete" | "move" | "opaque";
  effect: Effect;
  fragment: { before: string | null; after: string | null; startLine: number | null } | null;
  /** Why it cannot be followed; null when it can. */
  opaque: string | null;
}

/** A write that cannot be followed. */
export function opaqueWrite(path: string, why: string): ShellWrite {
  return { path, operation: "opaque", effect: { kind: "opaque" }, fragment: null, opaque: why };
}

/** A write with where it stands in its line. */
export interface PlacedWrite {
  write: ShellWrite;
  command: SimpleCommand;
  /** Commands follow that run whatever became of this one: the exit code of the line is theirs. */
  followed: boolean;
}
