import { parsePatches } from "./patch";
import { argumentsOf, expand, fileCommandWrites } from "./shell-files";
import { opaqueWrite, type ShellSurroundings, type ShellWrite } from "./shell-surroundings";
import type { ShellWord } from "./shell-syntax";

const FORMATTERS: ReadonlySet<string> = new Set([
  "black",
  "isort",
  "autopep8",
  "yapf",
  "ruff",
  "prettier",
  "eslint",
  "gofmt",
  "goimports",
  "rustfmt",
  "clang-format",
  "autoflake",
  "pyupgrade",
  "2to3",
  "dos2unix",
  "unix2dos",
  "biome",
  "standard",
  "stylelint",
  "rubocop",
  "perltidy",
  "shfmt",
]);
const IN_PLACE: ReadonlySet<string> = new Set(["perl", "ruby", "awk", "gawk"]);
const EDITORS: ReadonlySet<string> = new Set(["ed", "ex", "vi", "vim", "nvim", "nano", "emacs"]);
const INTERPRETERS = /^(?:python[\d.]*|node|ruby|perl|bash|sh|zsh|deno|bun|php)$/;

/** What in a program's text says that it changes files. */
const WRITES_FILES =
  /\bopen\s*\([^)\n]*,\s*(?:mode\s*=\s*)?['"][rbt]*[wax+]|write_text|write_bytes|\.write\s*\(|\bwriteFile|appendFile|\bshutil\.|\bos\.(?:rename|remove|unlink|replace)|\.unlink\s*\(|\.rename\s*\(|fileinput|\.to_csv|\.dump\s*\(|\.save\w*\s*\(|truncate|File\.write|sed\s+-i|fs\.\w*(?:rm|unlink|rename|copy)/;

/**
 * The files that a command may change in a way that we do not follow, as far as they can be named: known files and those
 * that the command line names.
 */
export function opaqueWrites(
  name: string,
  words: readonly ShellWord[],
  input: string | null,
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  if (name === "git") return gitWrites(words, input, around, directory);
  if (name === "patch") return patchWrites(words, input, around, directory);
  if (FORMATTERS.has(name)) return formatterWrites(name, words, around, directory);
  if (IN_PLACE.has(name) && words.some((word) => /^-[a-zA-Z]*i|^--in-place|^inplace$/.test(word.text))) {
    return named(words, around, directory, `${name} edits files in place`, true);
  }
  if (INTERPRETERS.test(name)) return programWrites(name, words, input, around, directory);
  if (EDITORS.has(name)) return named(words, around, directory, `${name} may change the file`, false);
  if (name === "dd") {
    const to = words.map((word) => /^of=(.+)$/.exec(word.text)?.[1]).find((path) => path !== undefined);
    return to === undefined ? [] : [opaqueWrite(to, "dd writes bytes that are not told")];
  }
  if (name === "curl" || name === "wget") return downloads(name, words, around, directory);
  if (name === "sponge") return named(words, around, directory, "its input is not told", false);
  if (name === "xargs" || name === "find") return searched(name, words, around, directory);
  if (/^(?:npm|pnpm|yarn|bun|pip|poetry|uv|cargo|go)$/.test(name)) return manifests(words, around, directory);
  return [];
}

/** The words of a command that name files: known ones, or any with a file's look when asked so. */
function named(
  words: readonly ShellWord[],
  around: ShellSurroundings,
  directory: string | null,
  why: string,
  onlyKnown: boolean,
): ShellWrite[] {
  const paths = expand(argumentsOf(words).paths, around, directory);
  return paths
    .filter((path) => (onlyKnown ? around.contentOf(path, directory) !== null : /[\w)]$/.test(path)))
    .map((path) => opaqueWrite(path, why));
}

function formatterWrites(
  name: string,
  words: readonly ShellWord[],
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const { options, paths } = argumentsOf(words);
  if (options.some((option) => /^--(?:check|diff|check-only|list-different|version|help|stdout)$|^-[dl]$/.test(option)))
    return [];
  const rewrites: ReadonlyMap<string, RegExp> = new Map([
    ["prettier", /^(?:-w|--write)$/],
    ["eslint", /^--fix/],
    ["gofmt", /^-w$/],
    ["goimports", /^-w$/],
    ["clang-format", /^-i$/],
    ["shfmt", /^-w$/],
    ["autopep8", /^(?:-i|--in-place)/],
    ["yapf", /^(?:-i|--in-place)/],
    ["autoflake", /^(?:-i|--in-place)/],
    ["2to3", /^-w$/],
    ["biome", /^(?:--write|--apply|--fix)/],
    ["standard", /^--fix$/],
    ["stylelint", /^--fix$/],
    ["rubocop", /^(?:-a|-A|--auto)/],
  ]);
  const needed = rewrites.get(name);
  if (needed !== undefined && !options.some((option) => needed.test(option))) return [];
  if (name === "ruff" && !words.some((word) => word.text === "format" || word.text.startsWith("--fix"))) return [];
  const why = `${name} may rewrite the file`;
  return expand(paths, around, directory).flatMap((path) => {
    const known = around.filesUnder(path, directory, false);
    if (known.length > 0) return known.map((one) => opaqueWrite(one, why));
    return /\.\w+$/.test(path) ? [opaqueWrite(path, why)] : [];
  });
}

const GIT_TREE =
  /^(?:stash|reset|pull|merge|rebase|cherry-pick|revert|am|switch|clean|bisect|submodule|filter-branch)$/;

function gitWrites(
  given: readonly ShellWord[],
  input: string | null,
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const words = [...given];
  let place = directory;
  while (words[0]?.text.startsWith("-") === true) {
    const option = words.shift()?.text;
    if (option === "-C") place = words.shift()?.text ?? place;
    if (option === "-c") words.shift();
  }
  const [command, ...rest] = words;
  const texts = rest.map((word) => word.text);
  const tree = (): ShellWrite[] =>
    around
      .filesUnder(".", place, true)
      .map((path) => opaqueWrite(path, `git ${command?.text ?? ""} may change the file`));
  switch (command?.text) {
    case "mv":
    case "rm":
      if (texts.includes("--cached")) return [];
      return fileCommandWrites(command.text, rest, around, place);
    case "apply":
      return texts.some((text) => /^--(?:check|stat|numstat)$/.test(text))
        ? []
        : patchWrites(rest, input, around, place);
    case "checkout":
    case "restore":
      return restored(command.text, rest, around, place);
    case "stash":
      return /^(?:list|show|drop|clear)$/.test(texts[0] ?? "") ? [] : tree();
    case "reset":
      return texts.some((text) => /^--(?:hard|merge|keep)$/.test(text)) ? tree() : [];
    case "clean":
      return texts.some((text) => /^-[a-z]*n|--dry-run/.test(text)) ? [] : tree();
    default:
      return GIT_TREE.test(command?.text ?? "") ? tree() : [];
  }
}

function restored(
  command: string,
  words: readonly ShellWord[],
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const texts = words.map((word) => word.text);
  if (texts.some((text) => /^(?:-b|-B|--orphan)$/.test(text))) return [];
  if (command === "restore" && texts.includes("--staged") && !texts.includes("--worktree")) return [];
  const end = texts.indexOf("--");
  const paths = expand(end === -1 ? argumentsOf(words).paths : words.slice(end + 1), around, directory);
  const why = `git ${command} brings back a content that is not told`;
  const writes = paths.flatMap((path) => {
    if (around.contentOf(path, directory) !== null || (end !== -1 && /\.\w+$/.test(path)))
      return [opaqueWrite(path, why)];
    return around.filesUnder(path, directory, true).map((one) => opaqueWrite(one, why));
  });
  // A name that is no path is a branch or a commit: then everything may change.
  const branch = command === "checkout" && end === -1 && writes.length === 0 && paths.length > 0;
  return branch ? around.filesUnder(".", directory, true).map((path) => opaqueWrite(path, why)) : writes;
}

function patchWrites(
  words: readonly ShellWord[],
  input: string | null,
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const { options, paths } = argumentsOf(words);
  if (options.includes("--dry-run")) return [];
  const files = expand(paths, around, directory);
  const texts = input === null ? files.map((path) => textOf(path, around, directory)) : [input];
  const touched = texts.flatMap((text) => (text === null ? [] : (parsePatches(text) ?? [])));
  const targets = touched.flatMap((file) => file.newPath ?? file.oldPath ?? []);
  return targets.map((path) => opaqueWrite(path, "a patch is applied by a command"));
}

function textOf(path: string, around: ShellSurroundings, directory: string | null): string | null {
  const content = around.contentOf(path, directory);
  if (content?.kind === "whole") return content.text;
  return content?.kind === "partial" ? content.ranges.flatMap((range) => range.lines).join("") : null;
}

/** Files that a program's text names, when the text looks as if it writes files. */
function programWrites(
  name: string,
  words: readonly ShellWord[],
  input: string | null,
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const inline = words.findIndex((word) => /^-(?:c|e|p|lc|-eval)$/.test(word.text));
  const script = words.find((word) => !word.text.startsWith("-"));
  const text =
    inline !== -1
      ? (words[inline + 1]?.text ?? null)
      : script === undefined || script.text === "-"
        ? input
        : textOf(script.text, around, directory);
  if (text === null || !WRITES_FILES.test(text)) return [];
  const why = `a ${name} program that names the file may change it`;
  const found = new Set<string>();
  for (const [, , literal = ""] of text.matchAll(/(['"`])((?:(?!\1)[^\\\n]){1,300})\1/g)) {
    const opened = new RegExp(
      `open\\s*\\(\\s*['"]${literal.replace(/[\\^$.|?*+(){}[\]]/g, "\\$&")}['"]\\s*,\\s*['"][rbt]*[wax+]`,
    );
    if (around.contentOf(literal, directory) !== null || opened.test(text)) found.add(literal);
  }
  return [...found].map((path) => opaqueWrite(path, why));
}

function downloads(
  name: string,
  words: readonly ShellWord[],
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const flag = name === "curl" ? /^(?:-[a-zA-Z]*o|--output)$/ : /^(?:-[a-zA-Z]*O|--output-document)$/;
  const at = words.findIndex((word) => flag.test(word.text));
  const target = at === -1 ? undefined : words[at + 1];
  if (target === undefined || target.text === "-") return [];
  return expand([target], around, directory).map((path) => opaqueWrite(path, `${name} writes what it fetched`));
}

/** `find ... -exec sed -i` and `xargs sed -i`: any known file under the folder may be meant. */
function searched(
  name: string,
  words: readonly ShellWord[],
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const line = words.map((word) => word.text).join(" ");
  if (!/\bsed\s+(?:-\S+\s+)*-\S*i|\bperl\s+-\S*i|\brm\b|-delete\b|\bmv\b/.test(line)) return [];
  const start = name === "find" ? words.find((word) => !word.text.startsWith("-"))?.text : undefined;
  const pattern = /-i?name\s+(\S+)/.exec(line)?.[1];
  const suffix =
    pattern === undefined ? "" : (/\*(\.\w+)$/.exec(pattern)?.[1] ?? (/[*?[]/.test(pattern) ? "" : `/${pattern}`));
  return around
    .filesUnder(start ?? ".", directory, false)
    .filter((path) => path.endsWith(suffix))
    .map((path) => opaqueWrite(path, `${name} hands files to a command that may change them`));
}

function manifests(words: readonly ShellWord[], around: ShellSurroundings, directory: string | null): ShellWrite[] {
  const changes = words.some((word) =>
    /^(?:add|install|i|remove|uninstall|rm|update|upgrade|get|mod|init|version)$/.test(word.text),
  );
  if (!changes) return [];
  const files = [
    "package.json",
    "package-lock.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "pyproject.toml",
    "poetry.lock",
    "uv.lock",
    "Cargo.toml",
    "Cargo.lock",
    "go.mod",
    "go.sum",
  ];
  return files
    .filter((path) => around.contentOf(path, directory) !== null)
    .map((path) => opaqueWrite(path, "a package manager may change the file"));
}
