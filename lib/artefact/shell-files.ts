import { baseName, isAbsolute, pathInside, resolvePath } from "./paths";
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
  "mkdir",
  "rmdir",
]);

/** The writes of `rm`, `mv`, `cp`, `touch` and their like. */
export function fileCommandWrites(
  name: string,
  words: readonly ShellWord[],
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const { options, paths } = argumentsOf(words);
  if (name === "mkdir") {
    // Where a file stands, no folder is made.
    const made = paths.filter((word) => word.literal && around.contentOf(word.text, directory) === null);
    for (const word of made) around.folders.add(resolvePath(word.text, directory).shown);
    return [];
  }
  if (/^(?:rm|rmdir)$/.test(name)) forgetFolders(paths, around, directory);
  if (name === "rmdir") return [];
  if (name === "rm" || name === "unlink" || name === "shred") return removals(options, paths, around, directory);
  if (name === "touch") {
    // It changes no file that is there, and for new ones the name counts.
    const told = paths.filter((word) => word.literal);
    return expand(told, around, directory).map((path) => whole(path, "edit", { kind: "touch" }));
  }
  if (name === "truncate") return truncations(words, around, directory);
  const at = words.findIndex((word) => /^(?:-t|--target-directory)$/.test(word.text));
  const folder = at === -1 ? null : (words[at + 1] ?? null);
  const others = paths.filter((word) => word !== folder);
  const writes = transfers(name, options, others, folder, around, directory);
  if (name === "mv") forgetFolders(folder === null ? others.slice(0, -1) : others, around, directory);
  return writes;
}

/** Folders that are taken away or moved, where the name of one is not told all of them. */
function forgetFolders(paths: readonly ShellWord[], around: ShellSurroundings, directory: string | null): void {
  if (paths.some((word) => !word.literal || word.glob)) around.folders.clear();
  for (const word of paths) {
    const { shown } = resolvePath(word.text, directory);
    for (const folder of around.folders) if (pathInside(folder, shown) !== null) around.folders.delete(folder);
  }
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
    return paths.map((path) => {
      if (!word.literal) return opaqueWrite(path, FILLED_IN);
      // A pattern matches a file only where there is one.
      const isThere = !word.glob || around.contentOf(path, directory)?.kind !== "unknown";
      return isThere ? write(path) : opaqueWrite(path, "it is not told whether the pattern matches the file");
    });
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
  const body = glob.replace(/\*+/g, "*").replace(GLOB_PARTS, (part, set?: string, negates?: string, inner?: string) => {
    if (set !== undefined) return `[${negates ? "^/" : ""}${(inner ?? "").replace(/[\\\]^[]/g, "\\$&")}]`;
    if (part === "*" || part === "/*") return part === "*" ? "[^/]*" : "/(?!\\.)[^/]*";
    return part === "?" ? "[^/]" : `\\${part}`;
  });
  try {
    return new RegExp(`^${limitStars(body)}$`);
  } catch {
    // A range that runs backwards matches nothing.
    return /(?!)/;
  }
}

/** A set in brackets, a star (at the front of a name it matches no dot), a question mark, and what means more to patterns. */
const GLOB_PARTS = /(\[([!^]?)(\]?[^\]]*)\])|\/?\*|\?|[\\^$.|+(){}[\]]/g;

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
  folder: ShellWord | null,
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const [single, ...more] = words;
  if (name === "ln" && single !== undefined && more.length === 0) {
    return [linked(baseName(single.text), single.text, options)];
  }
  const target = folder ?? words.at(-1);
  const given = folder === null ? words.slice(0, -1) : words;
  const sources = expand(given, around, directory).map((path) => path.replace(/(?<=[^/]|^\/)\/+$/, ""));
  const held = target === undefined ? null : around.contentOf(target.text, directory);
  const isMade = target !== undefined && around.folders.has(resolvePath(target.text, directory).shown);
  const isFile = held !== null && held.kind !== "unknown";
  const fails = isFile && (folder !== null || sources.length > 1);
  // Of how many files a pattern matches depends what the last word is.
  const isOpen =
    given.some((word) => word.glob) &&
    folder === null &&
    !isMade &&
    target?.text.endsWith("/") !== true &&
    sources.some((path) => around.contentOf(path, directory)?.kind === "unknown");
  const isOther = fails || isOpen || options.some((option) => /^-[a-zA-Z]*T|^--(?:parents|no-target)/.test(option));
  if (target === undefined || !target.literal || target.glob || isOther || !given.every((word) => word.literal)) {
    const why = `what ${name} takes where is not told`;
    const reached = target === undefined ? [] : expand([target], around, directory);
    const inFolder = reached.flatMap((path) => around.filesUnder(path, directory, false));
    const moved = name === "mv" ? sources.flatMap((path) => [path, ...around.filesUnder(path, directory, false)]) : [];
    return [...new Set([...moved, ...reached, ...inFolder])].map((path) => opaqueWrite(path, why));
  }
  const intoFolder =
    folder !== null ||
    sources.length > 1 ||
    target.text.endsWith("/") ||
    /(?:^|\/)\.{1,2}$/.test(target.text) ||
    isMade ||
    around
      .filesUnder(`${target.text}/.`, directory, false)
      .some((path) => path !== resolvePath(target.text, directory).shown);
  const noClobber = options.some((option) => /^-[a-z]*n|^--no-clobber|^-[a-z]*u/.test(option));
  return sources.flatMap((source) => {
    const folderPath = resolvePath(source, directory).shown;
    const inside = around.filesUnder(source, directory, false).filter((path) => path !== folderPath);
    if (
      target.text.endsWith("/") &&
      inside.length > 0 &&
      around.filesUnder(target.text, directory, false).length === 0
    ) {
      // The folder goes into the other one, or becomes it when there is none.
      const to = inside.flatMap((path) => [
        target.text + path.slice(folderPath.length + 1),
        `${target.text}${baseName(source)}${path.slice(folderPath.length)}`,
      ]);
      return [...(name === "mv" ? inside : []), ...to].map((path) =>
        opaqueWrite(path, `where ${name} takes it is not told`),
      );
    }
    // No folder takes the place of a file.
    if (inside.length > 0 && isFile && !intoFolder) return [];
    const place = intoFolder ? `${target.text.replace(/\/$/, "")}/${baseName(source)}` : target.text;
    return transfersOf(name, { source, place, target: target.text }, { noClobber, options }, around, directory);
  });
}

/** A link. What a symbolic one says counts from its own folder. */
function linked(path: string, source: string, options: readonly string[]): ShellWrite {
  const isSymbolic = options.some((option) => /^-[a-z]*s|^--symbolic$/.test(option));
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : "";
  const linksTo = isSymbolic && !isAbsolute(source) ? folder + source : source;
  return { ...opaqueWrite(path, "ln links another file"), effect: { kind: "opaque", isLink: true }, linksTo };
}

/** One source: itself, or the known files in it when it is a folder. */
function transfersOf(
  name: string,
  { source, place, target }: { source: string; place: string; target: string },
  { noClobber, options }: { noClobber: boolean; options: readonly string[] },
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const from = resolvePath(source, directory).shown;
  const known = around.filesUnder(source, directory, false);
  const pairs =
    known.length === 0 || known.includes(from)
      ? [[source, place]]
      : known.map((path) => [path, place + path.slice(from.length)]);
  // A folder cannot go into itself; how much of it was copied by then is not told.
  const isInside = known.length > 0 && pathInside(resolvePath(place, directory).shown, from) !== null;
  return pairs.flatMap(([one = source, to = place]) => {
    // Of one file under two names nothing is made.
    if (resolvePath(one, directory).key === resolvePath(to, directory).key) return [];
    if (isInside && one !== source)
      return [one, to].map((path) => opaqueWrite(path, `${name} of a folder into itself`));
    if (name === "ln") return [linked(to, one, options)];
    if (noClobber) {
      return (name === "mv" ? [to, one] : [to]).map((path) => opaqueWrite(path, `${name} may leave the file as it is`));
    }
    if (name !== "mv") return [{ ...whole(to, "overwrite", { kind: "copy", from: one }), into: target }];
    return [
      { ...whole(to, "move", { kind: "move", from: one }), into: target },
      { ...whole(one, "delete", { kind: "delete" }), goes: to, into: target },
    ];
  });
}
