import type { ResultItem } from "@/lib/trajectory/schema";
import { reasonIn } from "./effect";
import type { Write } from "./model";
import { baseName, endsWithPath, resolvePath } from "./paths";
import { skipReason } from "./shell-chain";
import type { PlacedWrite } from "./shell-surroundings";

const NOT_RUN =
  /requested permissions to|requires approval|doesn't want to (?:proceed|take this action)|<tool_use_error>|tool use was rejected|Operation '.*' is not supported|was blocked|action was not executed/;
const SHELL_ERROR =
  /[Nn]o such file or directory|[Pp]ermission denied|[Rr]ead-only file system|[Ii]s a directory|[Nn]ot a directory|cannot (?:remove|move|stat|create|touch|overwrite)|can't read|No space left on device|unterminated|unknown command|unknown option|command not found|not found/;

/** What `patch` and `git apply` say when a patch did not go in as it is written. */
const PATCH_TROUBLE =
  /^(?:error: .*(?:patch|apply|No such file|already exists)|patch: \*\*\*\*|can't find file to patch|(?:Reversed|Unreversed) |Skipping patch|Hunk #\d+ (?:FAILED|ignored|succeeded .*fuzz))|\d out of \d+ hunks? (?:FAILED|ignored)/m;

/** Why a command did not run at all, null when it did (or when there is no answer). */
export function refusalOf(result: ResultItem | null): string | null {
  if (result === null || result.isError !== true) return null;
  // A person or a hook answered in place of the tool.
  if (result.author.role === "person" || result.author.name === "hook") return reasonIn(result.text, 0);
  const found = NOT_RUN.exec(result.text);
  return found === null ? null : reasonIn(result.text, found.index);
}

/**
 * Whether a write of a shell line took place. The line's exit code speaks of its last command only, and many traces have
 * none; an error message that names the file counts.
 * @param line every write of the line, this one among them; the names of files that the shell reads; its commands
 */
export function judgeShell(
  placed: PlacedWrite,
  { writes: all, inputs, commands }: { writes: readonly PlacedWrite[]; inputs: ReadonlySet<string>; commands: number },
  result: ResultItem | null,
): { status: Write["status"]; reason: string | null } {
  const { write, conditional, afterSuccess, earlier, followed, guarded } = placed;
  if (result === null) return { status: "opaque", reason: write.opaque ?? "the trace holds no result of the command" };
  const unread = SYNTAX_ERROR.exec(result.text);
  if (unread !== null) return { status: "opaque", reason: reasonIn(result.text, unread.index) };
  const errors = errorsAbout(placed, result.text);
  const [error] = errors;
  if (error !== undefined) {
    const reason = reasonIn(error, 0);
    // One message that speaks of several writes does not say which of them failed; a move is two.
    if (all.length > MANY_WRITES) return { status: "opaque", reason };
    const rivals = all.filter((one) => one.by === placed.by && errors.some((line) => names(line, one)));
    const moves = rivals.filter((one) => one.by !== "mv" || one.write.effect.kind !== "delete");
    const mayBeRead = placed.by === "sh" && inputs.has(baseName(write.path));
    const isTold = Math.max(moves.length, 1) <= errors.length && !mayBeRead;
    return { status: isTold && placed.by !== "cat" ? "refused" : "opaque", reason };
  }
  const trouble = write.patchedBy === undefined ? null : PATCH_TROUBLE.exec(result.text);
  if (trouble !== null) {
    // git applies all of a patch or nothing; `patch` may have applied a part of it.
    return { status: write.patchedBy === "patch" ? "opaque" : "refused", reason: reasonIn(result.text, trouble.index) };
  }
  if (write.opaque !== null) return { status: "opaque", reason: write.opaque };
  const fatal = placed.by === "git" ? GIT_TROUBLE.exec(result.text) : null;
  if (fatal !== null) return { status: "opaque", reason: reasonIn(result.text, fatal.index) };
  if (conditional) return { status: "opaque", reason: "it is not told whether this part of the command ran" };
  const failed = result.isError === true || (result.exitCode !== null && result.exitCode !== 0);
  if (failed) {
    if (commands === 1 && !SHELL_ERROR.test(result.text)) {
      return { status: "opaque", reason: "the command failed without saying at what" };
    }
    if (afterSuccess && !followed) return { status: "opaque", reason: "the command failed, perhaps before this part" };
    const skipped = skipReason(earlier, result.text);
    if (skipped !== null) return { status: "opaque", reason: skipped };
    return { status: "assumed", reason: null };
  }
  const worked = result.exitCode === 0 || result.isError === false;
  const skipped = followed || !worked ? skipReason(earlier, result.text) : null;
  if (skipped !== null) return { status: "opaque", reason: skipped };
  const isTold = !guarded && worked;
  return { status: isTold ? "applied" : "assumed", reason: null };
}

/** Of a line with more writes than a person would make, it is not asked which of them an error message is about. */
const MANY_WRITES = 500;

/** What a shell says of a line that it cannot read: only what stands before it may have run. */
const SYNTAX_ERROR = /^\S*sh: .*syntax error|^\(eval\):\d+: parse error/m;

/** What git says when a command of it changed nothing, or not all that it was to change. */
const GIT_TROUBLE = /^(?:error|fatal): |^No (?:stash entries|local changes)|^CONFLICT|^Aborting/m;

/** The error messages of the command that name a file of the write, or its last part. */
function errorsAbout(placed: PlacedWrite, text: string): string[] {
  const speaker =
    placed.by === "sh"
      ? /^(?:-?\w*(?:sh|bash)|\/\S+|\(eval\)):/
      : new RegExp(`^(?:\\S*/)?${placed.by.replace(/\W/g, "\\$&")}:`);
  const lines = text.split("\n", 200).map((line) => line.trim());
  // A command that is not found changes nothing about the files that the shell opened for it.
  const speaks = (line: string): boolean =>
    speaker.test(line) && SHELL_ERROR.test(line) && !(placed.by === "sh" && line.includes("command not found"));
  return lines.filter((line) => speaks(line) && names(line, placed));
}

/** Whether a resolved path may be what a message spells so. */
function isAt(path: string, spelling: string): boolean {
  const shown = resolvePath(spelling, null).shown.replace(/^(?:\.\.\/)+/, "");
  return endsWithPath(path, shown) || endsWithPath(shown, path);
}

function names(line: string, { write }: PlacedWrite): boolean {
  const { effect } = write;
  const source = effect.kind === "move" || effect.kind === "copy" ? effect.from : null;
  const missing = /cannot stat '([^']+)'/.exec(line)?.[1];
  if (missing !== undefined) return isAt(source ?? write.path, missing);
  const target = /: target | non-directory /.test(line) ? write.into : undefined;
  return [write.path, source, write.goes, target].some((path) => {
    if (path === null || path === undefined) return false;
    const name = baseName(path.replace(/\/$/, ""));
    const at = line.indexOf(name);
    return name !== "" && at !== -1 && !/[\w.]/.test(line.charAt(at + name.length));
  });
}
