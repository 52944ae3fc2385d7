import type { Effect } from "./effect";
import { resolvePath } from "./paths";
import { argumentsOf, expand, fileCommandWrites } from "./shell-files";
import { gitApplyWrites } from "./shell-patches";
import { opaqueWrite, type ShellSurroundings, type ShellWrite } from "./shell-surroundings";
import type { ShellWord } from "./shell-variables";

/** Commands that may bring another tree: what they leave of a file that the run wrote is not told. */
const TREE = /^(?:pull|merge|rebase|cherry-pick|revert|am|switch|clean|bisect|submodule|filter-branch)$/;

/** The writes of a git command. What it does to the index and to commits is kept in mind for those that follow. */
export function gitWrites(
  given: readonly ShellWord[],
  input: string | null,
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const words = [...given];
  let place = directory;
  while (words[0]?.text.startsWith("-") === true) {
    const option = words.shift()?.text;
    if (option === "-C") {
      const folder = words.shift();
      place = folder?.literal === true ? resolvePath(folder.text, directory).shown : null;
    }
    if (option === "-c") words.shift();
  }
  return commandWrites(words, input, around, place).map((write) => ({
    ...write,
    path: place === directory ? write.path : resolvePath(write.path, place).shown,
  }));
}

function commandWrites(
  [command, ...rest]: readonly ShellWord[],
  input: string | null,
  around: ShellSurroundings,
  place: string | null,
): ShellWrite[] {
  const name = command?.text ?? "";
  const texts = rest.map((word) => word.text);
  const { repository } = around;
  switch (name) {
    case "add":
      repository.staged = true;
      return [];
    case "commit":
      repository.committed = true;
      return [];
    case "mv":
    case "rm":
      repository.staged = true;
      if (texts.includes("--cached")) return [];
      return fileCommandWrites(name, rest, around, place);
    case "apply":
      if (texts.some((text) => /^--(?:index|cached|3way)$|^-3$/.test(text))) repository.staged = true;
      return gitApplyWrites(rest, input, around, place);
    case "checkout":
    case "restore":
      return restored(name, rest, around, place);
    case "stash":
      return stashed(rest, around);
    case "reset":
      return reset(texts, around);
    case "clean":
      return texts.some((text) => /^-[a-z]*n|--dry-run/.test(text)) ? [] : tree(name, around);
    default:
      if (!TREE.test(name)) return [];
      repository.committed = true;
      repository.lose();
      return tree(name, around);
  }
}

/** `a.py`, but not the tag `v1.2`. */
const FILE_NAME = /\.[A-Za-z]\w{0,5}$/;

/** Every file that the run wrote to, wherever in the repository. */
function written(around: ShellSurroundings): string[] {
  const folder = around.root ?? ".";
  return [...around.filesUnder(folder, null, true), ...around.goneUnder(folder, null)];
}

/** Another commit may change every file; what git cleans away or stashes is only what the run wrote. */
function tree(name: string, around: ShellSurroundings): ShellWrite[] {
  const folder = around.root ?? ".";
  const all = [...around.filesUnder(folder, null, false), ...around.goneUnder(folder, null)];
  const paths = name === "clean" ? written(around) : all;
  return paths.map((path) => opaqueWrite(path, `git ${name} may change the file`));
}

function back(path: string, effect: Effect, around: ShellSurroundings): ShellWrite {
  if (effect.kind !== "unstash" && around.baseOf(path, null).kind === "unknown") {
    return { ...opaqueWrite(path, "what stood there before the run is not known"), effect };
  }
  return { path, operation: "overwrite", effect, fragment: null, opaque: null };
}

/** What the index or the last commit brings back: known as long as nothing of the run got into them. */
function restore(
  paths: readonly string[],
  fromIndex: boolean,
  why: string,
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const { repository } = around;
  const isBase = !repository.committed && !(fromIndex && repository.staged);
  return paths.map((path) =>
    isBase ? back(resolvePath(path, directory).shown, { kind: "restore" }, around) : opaqueWrite(path, why),
  );
}

function reset(texts: readonly string[], around: ShellSurroundings): ShellWrite[] {
  const { repository } = around;
  const isHard = texts.some((text) => /^--(?:hard|merge|keep)$/.test(text));
  const target = texts.find((text) => !text.startsWith("-")) ?? "HEAD";
  const why = "git reset brings back a content that is not told";
  // A file of the run that was put into the index goes with it.
  const isPlain = texts.includes("--hard") && target === "HEAD" && !repository.staged;
  const writes = !isHard ? [] : isPlain ? restore(written(around), false, why, around, null) : tree("reset", around);
  if (target === "HEAD" && !texts.includes("--soft")) repository.staged = false;
  else if (isHard || target !== "HEAD") repository.committed = true;
  return writes;
}

function stashed(words: readonly ShellWord[], around: ShellSurroundings): ShellWrite[] {
  const [first, ...rest] = words;
  const { repository } = around;
  const name = first?.text ?? "push";
  if (/^(?:list|show|create|store)$/.test(name)) return [];
  if (name === "drop" || name === "clear") {
    if (name === "clear" || rest.length > 0) repository.lose();
    else repository.newest(true);
    return [];
  }
  if (name === "pop" || name === "apply") {
    const n = rest.length > 0 ? null : repository.newest(name === "pop");
    return n === null
      ? tree("stash", around)
      : written(around).map((path) => back(path, { kind: "unstash", n }, around));
  }
  const isPlain = !repository.committed && !repository.staged && isWholeStash(words);
  const n = repository.push();
  if (isPlain) return written(around).map((path) => back(path, { kind: "stash", n }, around));
  repository.lose();
  return tree("stash", around);
}

/** Whether a stash takes every change of tracked files, and nothing else: no option but a message, no path. */
function isWholeStash(words: readonly ShellWord[]): boolean {
  const texts = words.map((word) => word.text);
  if (texts[0] === "save") return texts.slice(1).every((text) => !text.startsWith("-"));
  const rest = texts[0] === "push" ? texts.slice(1) : texts;
  return rest.every(
    (text, n) => /^(?:-q|--quiet|-m|--message(?:=.*)?)$/s.test(text) || /^(?:-m|--message)$/.test(rest[n - 1] ?? ""),
  );
}

function restored(
  command: string,
  words: readonly ShellWord[],
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const texts = words.map((word) => word.text);
  if (texts.some((text) => /^(?:-b|-B|--orphan)$/.test(text))) return [];
  const source = /^(?:--source=|-s)(.*)$/.exec(texts.find((text) => /^(?:--source|-s)/.test(text)) ?? "")?.[1];
  if (command === "restore" && texts.some((text) => /^(?:--staged|-S)$/.test(text))) {
    if (!texts.some((text) => /^(?:--worktree|-W)$/.test(text))) return [];
  }
  const end = texts.indexOf("--");
  const front = end === -1 ? argumentsOf(words).paths : argumentsOf(words.slice(0, end)).paths;
  const behind = end === -1 ? [] : words.slice(end + 1);
  const paths = end === -1 ? front : behind;
  const isHead = command === "checkout" && front[0]?.text === "HEAD";
  const isOther =
    texts.some((text) =>
      /^(?:-p|--patch|--ours|--theirs|-m|--merge|--conflict.*|--overlay|--no-overlay)$/.test(text),
    ) || (command === "checkout" ? end > 0 && front.length > 0 && !isHead : source !== undefined && source !== "HEAD");
  const why = `git ${command} brings back a content that is not told`;
  const targets = [
    ...new Set(
      paths
        .filter((word) => word !== front[0] || !isHead)
        .flatMap((word) => {
          const named = expand([word], around, directory);
          return named.flatMap((path) => {
            if (around.contentOf(path, directory) !== null || around.baseOf(path, directory).kind !== "unknown")
              return [path];
            const inside = [...around.filesUnder(path, directory, true), ...around.goneUnder(path, directory)];
            return inside.length === 0 && FILE_NAME.test(path) ? [path] : inside;
          });
        }),
    ),
  ];
  // A name that is no path is a branch or a commit: then everything may change, or other files come from there.
  const first = front[0];
  const isBranch =
    command === "checkout" && end === -1 && first !== undefined && !isHead && !names(first, around, directory);
  if (isBranch) {
    if (targets.length > 0) return targets.map((path) => opaqueWrite(path, why));
    around.repository.committed = true;
    return tree(command, around);
  }
  if (isOther || !paths.every((word) => word.literal)) return targets.map((path) => opaqueWrite(path, why));
  return restore(targets, !isHead && source !== "HEAD", why, around, directory);
}

/** Whether a word names a file or folder that is known, or looks like nothing but a path. */
function names(word: ShellWord, around: ShellSurroundings, directory: string | null): boolean {
  if (/^\.{1,2}\/?$|[*?]/.test(word.text) || FILE_NAME.test(word.text)) return true;
  return expand([word], around, directory).some((path) => around.filesUnder(path, directory, false).length > 0);
}
