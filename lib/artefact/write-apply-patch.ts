import type { CallItem, ResultItem } from "@/lib/trajectory/schema";
import { CallArguments } from "./call-arguments";
import { type Attempt, judgeAnswer, type Outcome } from "./effect";
import { applyChunks } from "./patch-application";
import { namesInPatch, type PatchedFile, readChunks, readPatch } from "./patch-grammar";
import { resolvePath } from "./paths";
import { patchedFileWrites } from "./shell-apply-patch";
import type { PatchCommand } from "./shell-patch";
import type { ShellSurroundings } from "./shell-surroundings";
import { listedChanges } from "./write-listed-changes";

const TOOLS = new Set(["apply_patch", "applypatch"]);
const SUCCESS = /Success\. Updated the following files|^Done!?$/m;
const FAILURE =
  /apply_patch verification failed|Failed to (?:find|read|write|delete)|[Ii]nvalid (?:Context|[Hh]unk|patch)|No files were modified|verification failed|Could not apply|patch rejected|^Error:/m;
/** The tool said so before it changed anything. */
const BEFORE_ALL = /verification failed|[Ii]nvalid (?:Context|[Hh]unk|patch)|No files were modified|rejected/;

/** Whether a call hands a patch to `apply_patch` (formats.md, W4). */
export function isPatchCall(call: CallItem): boolean {
  return TOOLS.has(call.tool.toLowerCase());
}

/**
 * The writes of a call of `apply_patch`: a patch as text or as an argument, one operation on one file, or the changes
 * that an event lists.
 */
export function readApplyPatch(
  call: CallItem,
  result: ResultItem | null,
  around: ShellSurroundings,
  directory: string | null,
): Attempt[] {
  const given = new CallArguments(call);
  const outcome = judgeAnswer(result, SUCCESS, FAILURE);
  const path = given.text("path");
  const patch = given.text("input", "patch", "patch_text", "patchText") ?? call.text;
  if (patch === null && path !== null) return readOperation(given, path, outcome);
  const changes = call.arguments?.changes;
  if (patch === null && changes !== undefined) return listedChanges(changes, outcome);
  return patchAttempts(patch ?? "", result, around, directory);
}

/**
 * The writes of a command line that only hands a patch to `apply_patch`. The exit code is the tool's own.
 */
export function readPatchCommand(
  command: PatchCommand,
  result: ResultItem | null,
  around: ShellSurroundings,
): Attempt[] {
  const { patch, source, directory } = command;
  const failed = result !== null && result.exitCode !== null && result.exitCode !== 0;
  const answer = result === null ? null : { ...result, isError: failed ? true : result.isError };
  if (patch !== null) return patchAttempts(patch, answer, around, directory);
  const outcome = judgeAnswer(answer, SUCCESS, FAILURE);
  const why = "the shell fills something into the here-document";
  return namesInPatch(source).map((path) => unread(anchored(path, directory), outcome, why));
}

/** One file, with its changes in the lines of a patch, as the API's own tool asks for it. */
function readOperation(given: CallArguments, path: string, outcome: Outcome): Attempt[] {
  const type = given.text("type") ?? "";
  const diff = given.text("diff") ?? "";
  if (type === "delete_file") return filesAttempts([{ kind: "delete", path }], outcome, null);
  if (type === "create_file") {
    const lines = diff.split("\n").filter((line) => line.startsWith("+"));
    const text = lines.map((line) => `${line.slice(1)}\n`).join("");
    return filesAttempts([{ kind: "add", path, text }], outcome, null);
  }
  const chunks = readChunks(diff);
  if (chunks === null) return [unread(path, outcome, "the patch cannot be read")];
  return filesAttempts([{ kind: "update", path, movedTo: null, chunks }], outcome, null);
}

/**
 * The writes that a patch asks for. The tool looks at all files before it changes one: where its answer does not say
 * whether it did, a file that the patch cannot fit refuses all of them.
 */
function patchAttempts(
  patch: string,
  result: ResultItem | null,
  around: ShellSurroundings,
  directory: string | null,
): Attempt[] {
  const outcome = judgeAnswer(result, SUCCESS, FAILURE);
  const reading = readPatch(patch);
  if (!reading.ok) {
    // A patch that the tool cannot read changes nothing; one that it took all the same, we do not follow.
    const refusal: Outcome = { status: "refused", reason: reading.reason };
    const why = outcome.status === "assumed" ? refusal : outcome;
    return namesInPatch(patch).map((path) => unread(anchored(path, directory), why, reading.reason));
  }
  if (outcome.status === "refused") return refusedFiles(reading.files, outcome, result?.text ?? "", directory);
  const misfit = outcome.status === "assumed" ? misfitOf(reading.files, around, directory) : null;
  return filesAttempts(reading.files, misfit === null ? outcome : { status: "refused", reason: misfit }, directory);
}

/** Why a patch does not fit what is known of its files, null when nothing speaks against it. */
function misfitOf(files: readonly PatchedFile[], around: ShellSurroundings, directory: string | null): string | null {
  for (const file of files) {
    const content = file.kind === "update" ? around.contentOf(file.path, directory) : null;
    if (file.kind !== "update" || content === null) continue;
    const played = applyChunks(content, file.chunks);
    if (!played.ok && played.contradicts) return `${played.reason} (${file.path})`;
  }
  return null;
}

/**
 * The files of a patch that failed. Without a look at all files before, those that stand before the one at which it
 * failed may have been changed.
 */
function refusedFiles(
  files: readonly PatchedFile[],
  outcome: Outcome,
  text: string,
  directory: string | null,
): Attempt[] {
  const failed = BEFORE_ALL.test(text) ? 0 : files.findIndex((file) => text.includes(file.path));
  return files.flatMap((file, n) => {
    if (n >= failed) return filesAttempts([file], outcome, directory);
    const reason = "the patch failed at a later file and may have changed this one";
    return unread(anchored(file.path, directory), { status: "assumed", reason: null }, reason);
  });
}

/** The writes of files: what is moved is changed first, then stands at its new place, and is gone from the old one. */
function filesAttempts(files: readonly PatchedFile[], outcome: Outcome, directory: string | null): Attempt[] {
  return files.flatMap((file) => {
    const attempts = patchedFileWrites(file).map(({ path, operation, effect, fragment }): Attempt => {
      const from = effect.kind === "move" ? { ...effect, from: anchored(effect.from, directory) } : effect;
      return { path: anchored(path, directory), grammar: "W4", operation, effect: from, fragment, ...outcome };
    });
    // What is refused leaves one row for each name of the file.
    const isMoved = file.kind === "update" && file.movedTo !== null;
    return outcome.status === "refused" && isMoved ? attempts.slice(0, -1) : attempts;
  });
}

function anchored(path: string, directory: string | null): string {
  return resolvePath(path, directory).shown;
}

/** A file that a patch names and may have changed in a way that is not told. */
function unread(path: string, outcome: Outcome, why: string): Attempt {
  const isRefused = outcome.status === "refused";
  return {
    path,
    grammar: "W4",
    operation: "opaque",
    effect: { kind: "opaque" },
    status: isRefused ? "refused" : "opaque",
    reason: isRefused ? outcome.reason : why,
    fragment: null,
  };
}
