import type { CallKind } from "@/lib/trajectory/schema";

const SHELL_READS = new Set([
  "cat",
  "head",
  "tail",
  "less",
  "more",
  "nl",
  "sed",
  "awk",
  "ls",
  "tree",
  "wc",
  "file",
  "stat",
  "pwd",
]);
const SHELL_SEARCHES = new Set(["grep", "egrep", "fgrep", "rg", "ag", "ack", "find", "fd", "locate", "which"]);
const SHELL_WRITES = new Set(["rm", "mv", "cp", "mkdir", "touch", "tee", "patch", "ln", "chmod", "rmdir"]);

/** Characters of a command that decide its kind: enough for any first command, and little for the patterns below. */
const LOOKED_AT = 2_000;

/** The first word of a command line. */
export function firstWord(line: string): string {
  return /^\s*([^\s;|&<>()]+)/.exec(line)?.[1] ?? "";
}

/** A command line without the changes of directory that it starts with. */
export function withoutCd(line: string): string {
  return line.replace(/^(?:\s*cd\s+[^\s;&|]+\s*(?:&&|;))+/, "");
}

/**
 * What kind of call a shell command line is, for colours and counts only: what its first command does, or a write when
 * it redirects into a file. What it really changes is found from the command itself when the files are replayed.
 */
export function shellCallKind(line: string): CallKind {
  const command = withoutCd(line.slice(0, LOOKED_AT));
  const word = firstWord(command);
  const redirects = /(?:^|[^0-9&<>-])>{1,2}\s*(?!\/dev\/null\b|&)[\w./~"'$]/.test(
    command.split(/<<-?\s*['"]?\w/)[0] ?? "",
  );
  const isHeredocWrite = /<<-?\s*['"]?\w+['"]?\s*>{1,2}\s*\S/.test(command);
  if (redirects || isHeredocWrite || /\bsed\b[^|;]*\s-i/.test(command) || SHELL_WRITES.has(word)) return "write";
  if (SHELL_SEARCHES.has(word)) return "search";
  if (SHELL_READS.has(word)) return "read";
  return "execute";
}
