import { baseName, resolvePath } from "./paths";
import { opaqueWrite, type ShellSurroundings, type ShellWrite } from "./shell-surroundings";
import type { ShellWord } from "./shell-variables";

/** Commands that move, copy, remove and make files. */
export const FILE_COMMANDS: ReadonlySet<string> = new Set([
  "rm",
  "unlink",
  "mv",
  "cp",
  "touch",
  "install",
  "ln",
  "truncate",
  "shred",
]);

/** The writes of `rm`, `mv`, `cp`, `touch` and their like. */
export function fileCommandWrites(
  name: string,
  words: readonly ShellWord[],
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const { options, paths } = argumentsOf(words);
  if (name === "rm" || name === "unlink" || name === "shred") return removals(options, paths, around, directory);
  if (name === "touch") {
    // It changes no file that is there, and for new ones the name counts.
    const told = paths.filter((word) => word.literal);
    return expand(told, around, directory).map((path) => whole(path, "edit", { kind: "touch" }));
  }
  if (name === "truncate") return truncations(words, around, directory);
  return transfers(name, options, paths, around, directory);
}

function whole(path: string, operation: ShellWrite["operation"], effect: ShellWrite["effect"]): ShellWrite {
  return { path, operation, effect, fragment: null, opaque: null };
}

/** Options and the other words of a command; everything after `--` is a word. */
export function argumentsOf(words: readonly ShellWord[]): { options: string[]; paths: ShellWord[] } {
  const end = words.findIndex((word) => word.text === "--");
  const front = end === -1 ? words : words.slice(0, end);
  const options = front.filter((word) => /^-./.test(word.text)).map((word) => word.text);
  const paths = front.filter((word) => !/^-./.test(word.text));
  return { options, paths: end === -1 ? paths : [...paths, ...words.slice(end + 1)] };
}

/**
 * Paths that words name: globs become the known files that they match; words that the shell fills in may name any known
 * file that ends as they do.
 */
export function expand(words: readonly ShellWord[], around: ShellSurroundings, directory: string | null): string[] {
  return words.flatMap((word) => {
    if (!word.literal) return allFiles(around).filter((path) => path.endsWith(word.ending));
    if (word.text === "") return [];
    return word.glob ? matching(word.text, around, directory) : [word.text];
  });
}

/** Every file that is known. */
export function allFiles(around: ShellSurroundings): string[] {
  return around.filesUnder(around.root === null ? "." : "/", null, false);
}

/** A write of each file that words name, opaque where the shell fills in the name. */
export function writesTo(
  words: readonly ShellWord[],
  around: ShellSurroundings,
  directory: string | null,
  write: (path: string) => ShellWrite,
): ShellWrite[] {
  return words.flatMap((word) => {
    const paths = expand([word], around, directory);
    return paths.map((path) => (word.literal ? write(path) : opaqueWrite(path, FILLED_IN)));
  });
}

const FILLED_IN = "the shell fills in the name of the file";

function matching(glob: string, around: ShellSurroundings, directory: string | null): string[] {
  const { shown } = resolvePath(glob, directory);
  const folder = shown.slice(0, Math.max(0, shown.lastIndexOf("/", shown.search(/[*?[]/))));
  const pattern = globPattern(shown);
  return around.filesUnder(folder === "" ? "/" : folder, directory, false).filter((path) => pattern.test(path));
}

/** A glob as a pattern in which each star stays inside one part of the path; runs of stars count as one. */
function globPattern(glob: string): RegExp {
  const body = glob
    .replace(/\*+/g, "*")
    .split("")
    .map((character) =>
      character === "*" ? "[^/]*" : character === "?" ? "[^/]" : character.replace(/[\\^$.|+(){}[\]]/, "\\$&"),
    )
    .join("");
  return new RegExp(`^${limitStars(body)}$`);
}

/** More than three stars match nothing: their search could take too long on a hostile path. */
function limitStars(body: string): string {
  return body.split("[^/]*").length > 4 ? "(?!)" : body;
}

function removals(
  options: readonly string[],
  paths: readonly ShellWord[],
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const recursive = options.some((option) => /^-[a-zA-Z]*[rR]|^--recursive$/.test(option));
  return paths.flatMap((word) =>
    expand([word], around, directory).flatMap((path) => {
      const known = around.filesUnder(path, directory, false);
      // A folder that nobody looked into holds no file that we could tell about.
      const targets = recursive ? known : [path];
      return targets.map((target) =>
        word.literal ? whole(target, "delete", { kind: "delete" }) : opaqueWrite(target, FILLED_IN),
      );
    }),
  );
}

/** `truncate -s 0` empties; any other length cuts or pads. */
function truncations(words: readonly ShellWord[], around: ShellSurroundings, directory: string | null): ShellWrite[] {
  const at = words.findIndex((word) => /^(?:-s|--size)$/.test(word.text));
  const size = at === -1 ? undefined : words[at + 1];
  const empties = size?.text === "0" || words.some((word) => /^(?:-s0|--size=0)$/.test(word.text));
  const { paths } = argumentsOf(words.filter((word) => word !== size));
  return writesTo(paths, around, directory, (path) =>
    empties
      ? whole(path, "overwrite", { kind: "write", text: "", mustBeNew: false })
      : opaqueWrite(path, "truncate cuts the file"),
  );
}

function transfers(
  name: string,
  options: readonly string[],
  words: readonly ShellWord[],
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const target = words.at(-1);
  const given = words.slice(0, -1);
  const sources = expand(given, around, directory);
  const isNamed = options.some((option) => /^-[a-zA-Z]*[tT]|^--(?:target-directory|parents|no-target)/.test(option));
  if (target === undefined || !target.literal || target.glob || isNamed || !given.every((word) => word.literal)) {
    const why = `what ${name} takes where is not told`;
    const moved =
      name === "mv"
        ? [...sources, ...(isNamed && target !== undefined ? expand([target], around, directory) : [])]
        : [];
    const names = new Set(expand(words, around, directory).map(baseName));
    const reached = target === undefined ? [] : expand([target], around, directory);
    const inFolder = reached.flatMap((path) => around.filesUnder(path, directory, false));
    const over =
      isNamed || target === undefined
        ? allFiles(around).filter((path) => names.has(baseName(path)))
        : [...reached, ...inFolder];
    return [...new Set([...moved, ...over])].map((path) => opaqueWrite(path, why));
  }
  const intoFolder =
    sources.length > 1 ||
    target.text.endsWith("/") ||
    /(?:^|\/)\.{1,2}$/.test(target.text) ||
    around
      .filesUnder(`${target.text}/.`, directory, false)
      .some((path) => path !== resolvePath(target.text, directory).shown);
  const noClobber = options.some((option) => /^-[a-z]*n|^--no-clobber|^-[a-z]*u/.test(option));
  return sources.flatMap((source) => {
    const place = intoFolder ? `${target.text.replace(/\/$/, "")}/${baseName(source)}` : target.text;
    return transfersOf(name, source, place, noClobber, around, directory);
  });
}

/** One source: itself, or the known files in it when it is a folder. */
function transfersOf(
  name: string,
  source: string,
  place: string,
  noClobber: boolean,
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const from = resolvePath(source, directory).shown;
  const known = around.filesUnder(source, directory, false);
  const pairs =
    known.length === 0 || known.includes(from)
      ? [[source, place]]
      : known.map((path) => [path, place + path.slice(from.length)]);
  return pairs.flatMap(([one = source, to = place]) => {
    if (name === "ln" || noClobber) return [opaqueWrite(to, `${name} may leave the file as it is`)];
    if (name !== "mv") return [whole(to, "overwrite", { kind: "copy", from: one })];
    return [whole(to, "move", { kind: "move", from: one }), whole(one, "delete", { kind: "delete" })];
  });
}
