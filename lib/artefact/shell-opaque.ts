import { allFiles, argumentsOf, expand } from "./shell-files";
import { gitWrites } from "./shell-git";
import { applyPatchWrites, patchWrites } from "./shell-patches";
import { perlWrites } from "./shell-perl";
import { INTERPRETERS, programWrites } from "./shell-programs";
import { opaqueWrite, type ShellSurroundings, type ShellWrite } from "./shell-surroundings";
import type { ShellWord } from "./shell-variables";

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
  if (/^apply_?patch$/.test(name)) return applyPatchWrites(words, input, around);
  if (FORMATTERS.has(name)) return formatterWrites(name, words, around, directory);
  if (IN_PLACE.has(name) && words.some((word) => /^-[a-zA-Z0-9]*i|^--in-place|^inplace$/.test(word.text))) {
    const trivial = name === "perl" ? perlWrites(words, around, directory) : null;
    if (trivial !== null) return trivial;
    const why = `${name} edits files in place`;
    const writes = named(words, around, directory, why, true);
    const suffix = words
      .map((word) => /^-[a-zA-Z0-9]*i([.~]\S*)$/.exec(word.text)?.[1])
      .find((one) => one !== undefined);
    const copies = suffix === undefined ? [] : writes.map(({ path }) => opaqueWrite(path + suffix, why));
    return [...writes, ...copies];
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
  if (FORMATTING_RUN.test(`${name} ${words.map((word) => word.text).join(" ")}`)) {
    return allFiles(around).map((path) => opaqueWrite(path, `${name} may rewrite the file`));
  }
  if (/^(?:npm|pnpm|yarn|bun|pip|poetry|uv|cargo|go)$/.test(name)) return manifests(words, around, directory);
  return [];
}

/** Runs that format what they find themselves. */
const FORMATTING_RUN =
  /^(?:pre-commit run|cargo (?:fmt|clippy .*--fix)|go fmt|(?:npm|pnpm|yarn|bun|make) (?:\S+ )?(?:run )?(?:format|fmt|prettier|lint[:-]?fix|fix)\b)/;

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
  const named = paths.filter((word) => !/^(?:format|check|lint)$/.test(word.text));
  if (named.length === 0)
    return around.filesUnder(directory ?? ".", directory, false).map((path) => opaqueWrite(path, why));
  return expand(named, around, directory).flatMap((path) => {
    const known = around.filesUnder(path, directory, false);
    if (known.length > 0) return known.map((one) => opaqueWrite(one, why));
    return /\.\w+$/.test(path) ? [opaqueWrite(path, why)] : [];
  });
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
