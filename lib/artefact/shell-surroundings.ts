import type { Effect } from "./effect";
import type { LinkedPaths } from "./linked-paths";
import type { KnownContent } from "./model";
import type { RepositoryState } from "./repository-state";
import type { Earlier } from "./shell-chain";

/** What the reader of a shell command may ask about the files that the history knows so far. */
export interface ShellSurroundings {
  /** The repository's folder, null when it cannot be told. */
  readonly root: string | null;
  readonly repository: RepositoryState;
  readonly links: LinkedPaths;
  /** Folders that the run made, by their resolved paths. */
  readonly folders: Set<string>;
  /** Paths of known files in a folder, or the very file. Only those that the run wrote to when asked so. */
  filesUnder(folder: string, directory: string | null, onlyWritten: boolean): string[];
  /** Paths of files in a folder, or the very file, that were there and are not any more. */
  goneUnder(folder: string, directory: string | null): string[];
  contentOf(path: string, directory: string | null): KnownContent | null;
  /** What the file held before the run first wrote to it, as far as that is known. */
  baseOf(path: string, directory: string | null): KnownContent;
}

/** What a command does to one file, before it is known whether the command worked. */
export interface ShellWrite {
  path: string;
  operation: "create" | "edit" | "overwrite" | "append" | "delete" | "move" | "opaque";
  effect: Effect;
  fragment: { before: string | null; after: string | null; startLine: number | null } | null;
  /** Why it cannot be followed; null when it can. */
  opaque: string | null;
  /** Where a move takes the file that it removes. */
  goes?: string;
  /** The file or folder of which the path becomes another name, as it counts from the folder of the command. */
  linksTo?: string;
  /** The target as the command names it, which may be a folder. */
  into?: string;
  /** It is part of a patch, and this command says what became of it. */
  patchedBy?: "patch" | "git apply";
}

/** A write that cannot be followed. */
export function opaqueWrite(path: string, why: string): ShellWrite {
  return { path, operation: "opaque", effect: { kind: "opaque" }, fragment: null, opaque: why };
}

/** A write with where it stands in its line. */
export interface PlacedWrite {
  write: ShellWrite;
  /** Whose error messages speak of it: a command's, or the shell's own (`sh`), which opens the files. */
  by: string;
  /** It is not told whether, or how often, its command ran. */
  conditional: boolean;
  /** It runs only when what stands before it worked. */
  afterSuccess: boolean;
  /** What that is, as far as `&&` says so. */
  earlier: readonly Earlier[];
  /** Commands follow that run whatever became of this one: the exit code of the line is theirs. */
  followed: boolean;
  /** A `||` or a condition takes its exit code, which is then not the line's. */
  guarded: boolean;
}
