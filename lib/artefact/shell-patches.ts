import { type Hunk, type NamedPatch, parseDiff } from "./patch";
import { readPatch } from "./patch-grammar";
import { resolvePath } from "./paths";
import { patchedFileWrites } from "./shell-apply-patch";
import { allFiles, argumentsOf } from "./shell-files";
import { opaqueWrite, type ShellSurroundings, type ShellWrite } from "./shell-surroundings";
import type { ShellWord } from "./shell-variables";

const WHY = "a patch is applied by a command";
/** Parts of git's headers that say more than hunks do. */
const BEYOND_HUNKS = /^(?:rename|copy) (?:from|to) |^GIT binary patch|^Binary files /m;

/** Where the paths of a patch count from, and how many folders in front of them are left out. */
interface Naming {
  /** Null: the last part of the path alone counts. */
  strip: number | null;
  directory: string | null;
  /** The one file that is patched, whatever the patch calls it. */
  file: string | null;
}

/** The writes of `patch`: followed when the patch is known and no option changes what it does. */
export function patchWrites(
  words: readonly ShellWord[],
  input: string | null,
  around: ShellSurroundings,
  given: string | null,
): ShellWrite[] {
  let text = input;
  let isPlain = true;
  let directory = given;
  let strip: number | null = null;
  const files: ShellWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const option = /^-(?:-strip=?|-input=?|-directory=?|p|i|d)/.exec(word?.text ?? "")?.[0].replace(/=$/, "");
    if (word === undefined) break;
    if (/^--dry-run$/.test(word.text)) return [];
    if (option !== undefined) {
      const attached = word.text.slice(option.length).replace(/^=/, "");
      const value = attached === "" ? words[++at] : { ...word, text: attached };
      if (value?.literal !== true) isPlain = false;
      if (/p$/.test(option)) strip = Number(value?.text);
      else if (/d$|y$/.test(option)) directory = value === undefined ? null : resolvePath(value.text, given).shown;
      else text = value === undefined ? null : textOf(value, around, directory);
    } else if (
      /^(?:-[Nstfu]+|--(?:forward|silent|quiet|batch|force|unified|verbose|no-backup-if-mismatch))$/.test(word.text)
    ) {
      // They change what is asked and said, not what is written.
    } else if (word.text.startsWith("-") && word.text !== "-") isPlain = false;
    else files.push(word);
  }
  const [file, patch] = files;
  if (patch !== undefined) text = textOf(patch, around, directory);
  if (file !== undefined && !file.literal) isPlain = false;
  return diffWrites(text, isPlain, false, { strip, directory, file: file?.text ?? null }, around).map((write) => ({
    ...write,
    patchedBy: "patch",
  }));
}

/** The writes of `git apply`. Diffs of git's own kind name their files from the repository's folder. */
export function gitApplyWrites(
  words: readonly ShellWord[],
  input: string | null,
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const { options, paths } = argumentsOf(words);
  if (options.some((option) => /^--(?:check|stat|numstat|summary|cached)$/.test(option))) return [];
  let isPlain = options.every((option) =>
    /^(?:-p\d|-v|-q|--verbose|--quiet|--index|--whitespace=(?:nowarn|warn))$/.test(option),
  );
  const strip = Number(/^-p(\d)$/.exec(options.find((option) => /^-p\d$/.test(option)) ?? "")?.[1] ?? 1);
  const named = paths.filter((word) => word.text !== "-");
  if (named.length > 1) isPlain = false;
  const texts = named.length === 0 ? [input] : named.map((word) => textOf(word, around, directory));
  return texts.flatMap((text) => {
    const isGit = text?.includes("diff --git ") === true;
    const isElsewhere = isGit && directory !== null && around.root !== null && directory !== around.root;
    const place = isGit ? (around.root ?? directory) : directory;
    const naming = { strip, directory: place, file: null };
    return diffWrites(text, isPlain && !isElsewhere, true, naming, around).map((write): ShellWrite => {
      return { ...write, patchedBy: "git apply" };
    });
  });
}

/** The writes of `apply_patch` in a line that does more than hand it a patch; of one that cannot be read, its names. */
export function applyPatchWrites(
  words: readonly ShellWord[],
  input: string | null,
  around: ShellSurroundings,
): ShellWrite[] {
  const text = words[0]?.text ?? input;
  const patch = text === null || words[0]?.literal === false ? null : readPatch(text);
  if (patch?.ok) return patch.files.flatMap(patchedFileWrites);
  if (text === null) return allFiles(around).map((path) => opaqueWrite(path, WHY));
  const named = [...text.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)];
  return named.map((header) => opaqueWrite(header[1]?.trim() ?? "", WHY));
}

function diffWrites(
  text: string | null,
  isPlain: boolean,
  isGit: boolean,
  naming: Naming,
  around: ShellSurroundings,
): ShellWrite[] {
  // A patch that is not told may be for any file.
  if (text === null) return allFiles(around).map((path) => opaqueWrite(path, "a patch that is not told is applied"));
  const files = parseDiff(text) ?? namedIn(text);
  const follows = isPlain && !text.includes("\r") && !BEYOND_HUNKS.test(text);
  return files.flatMap((file) => fileWrites(file, follows && !(isGit && hasBareHunk(file.hunks)), naming));
}

/** Where no line is taken away and none stands around, git puts what is new at the end, wherever the hunk says it goes. */
function hasBareHunk(hunks: readonly Hunk[] | null): boolean {
  return hunks?.some((hunk) => hunk.oldLines.length === 0 && hunk.oldStart > 1) === true;
}

/** The files of a diff that cannot be read, as one `patch` takes parts of. */
function namedIn(text: string): (Omit<NamedPatch, "hunks"> & { hunks: null })[] {
  return [...text.matchAll(/^--- (\S+)(?:[^\S\n\r\u2028\u2029].*)?\n\+\+\+ (\S+)/gm)].map(([, oldName, newName]) => ({
    oldName,
    newName,
    hunks: null,
  }));
}

function fileWrites(
  file: Omit<NamedPatch, "hunks"> & { hunks: Hunk[] | null },
  follows: boolean,
  naming: Naming,
): ShellWrite[] {
  const old = placed(file.oldName, naming);
  const fresh = placed(file.newName, naming);
  const paths = [...new Set([old, fresh].filter((path) => path !== null))];
  const [path, other] = paths;
  if (path === undefined) return [];
  const { hunks } = file;
  if (other !== undefined || !follows || hunks === null) return paths.map((one) => opaqueWrite(one, WHY));
  const fragment = {
    before: hunks.flatMap((hunk) => hunk.oldLines).join(""),
    after: hunks.flatMap((hunk) => hunk.newLines).join(""),
    startLine: hunks[0]?.newStart ?? null,
  };
  const write: ShellWrite = { path, operation: "edit", effect: { kind: "diff", hunks }, fragment, opaque: null };
  const [hunk, ...more] = hunks;
  if (file.newName === "/dev/null") return [{ ...write, operation: "delete", effect: { kind: "delete" } }];
  if (file.oldName !== "/dev/null") return hunks.length === 0 ? [] : [write];
  if (hunk === undefined || more.length > 0 || hunk.oldLines.length > 0) return [opaqueWrite(path, WHY)];
  return [{ ...write, operation: "create", effect: { kind: "write", text: hunk.newLines.join(""), mustBeNew: false } }];
}

/** Where a file of the patch is; null for `/dev/null` and for a name that nothing is left of. */
function placed(name: string | undefined, { strip, directory, file }: Naming): string | null {
  if (name === undefined || name === "" || name === "/dev/null") return null;
  if (file !== null) return resolvePath(file, directory).shown;
  const parts = name.split(/\/+/);
  const path = strip === null ? (parts.at(-1) ?? "") : parts.slice(strip).join("/");
  return path === "" ? null : resolvePath(path, directory).shown;
}

function textOf(word: ShellWord, around: ShellSurroundings, directory: string | null): string | null {
  const content = word.literal && !word.glob ? around.contentOf(word.text, directory) : null;
  return content?.kind === "whole" ? content.text : null;
}
