import type { ResultItem } from "@/lib/trajectory/schema";
import { reasonIn } from "./effect";
import type { Write } from "./model";
import { baseName } from "./paths";
import type { PlacedWrite } from "./shell-surroundings";

const NOT_RUN =
  /requested permissions to|requires approval|doesn't want to (?:proceed|take this action)|<tool_use_error>|tool use was rejected|Operation '.*' is not supported|was blocked|action was not executed/;
const SHELL_ERROR =
  /[Nn]o such file or directory|[Pp]ermission denied|[Rr]ead-only file system|[Ii]s a directory|[Nn]ot a directory|cannot (?:remove|move|stat|create|touch|overwrite)|can't read|No space left on device|unterminated|unknown command|unknown option|command not found|not found/;

/** What `patch` and `git apply` say when a patch did not go in as it is written. */
const PATCH_TROUBLE =
  /^(?:error: .*(?:patch|apply|No such file|already exists)|patch: \*\*\*\*|.*\d+ out of \d+ hunks? (?:FAILED|ignored)|can't find file to patch|(?:Reversed|Unreversed) |Skipping patch|Hunk #\d+ (?:FAILED|ignored|succeeded .*fuzz))/m;

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
 */
export function judgeShell(
  placed: PlacedWrite,
  commands: number,
  result: ResultItem | null,
): { status: Write["status"]; reason: string | null } {
  const { write, conditional, afterSuccess, followed, guarded } = placed;
  if (result === null) return { status: "opaque", reason: write.opaque ?? "the trace holds no result of the command" };
  const source = write.effect.kind === "move" || write.effect.kind === "copy" ? write.effect.from : write.path;
  const error = errorAbout(write.path, result.text) ?? errorAbout(source, result.text);
  if (error !== null) return { status: "refused", reason: error };
  const trouble = write.patchedBy === undefined ? null : PATCH_TROUBLE.exec(result.text);
  if (trouble !== null) {
    // git applies all of a patch or nothing; `patch` may have applied a part of it.
    return { status: write.patchedBy === "patch" ? "opaque" : "refused", reason: reasonIn(result.text, trouble.index) };
  }
  if (write.opaque !== null) return { status: "opaque", reason: write.opaque };
  if (conditional) return { status: "opaque", reason: "it is not told whether this part of the command ran" };
  const failed = result.isError === true || (result.exitCode !== null && result.exitCode !== 0);
  if (failed) {
    if (commands === 1 && !SHELL_ERROR.test(result.text)) {
      return { status: "opaque", reason: "the command failed without saying at what" };
    }
    if (afterSuccess && !followed) return { status: "opaque", reason: "the command failed, perhaps before this part" };
    return { status: "assumed", reason: null };
  }
  const isTold = !guarded && (result.exitCode === 0 || result.isError === false);
  return { status: isTold ? "applied" : "assumed", reason: null };
}

/** The line of an error message that names a path or its last part. */
function errorAbout(path: string, text: string): string | null {
  const name = baseName(path);
  for (const line of text.split("\n", 200)) {
    if (
      !SHELL_ERROR.test(line) ||
      !/^(?:-?\w*(?:sh|bash)|rm|mv|cp|sed|touch|tee|cat|unlink|truncate|\/\S+|\(eval\)):/.test(line.trim())
    )
      continue;
    const at = line.indexOf(name);
    const next = line.charAt(at + name.length);
    if (at !== -1 && !/[\w.]/.test(next)) return reasonIn(line, 0);
  }
  return null;
}
