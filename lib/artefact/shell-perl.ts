import { argumentsOf, writesTo } from "./shell-files";
import type { ShellSurroundings, ShellWrite } from "./shell-surroundings";
import type { ShellWord } from "./shell-variables";

/** A substitution in which neither side means anything to Perl but the text that it shows. */
const TRIVIAL =
  /^\s*s\/((?:[\w \t"'<>=:;,%&~`!-]|\\[./()[\]{}*+?|^-])+)\/([\w \t"'<>=:;,%&~`!().[\]{}*+?|^#-]*)\/(g?)(?:\s*;)?\s*$/;

/**
 * The writes of `perl -pi -e 's/words/others/'`, followed when pattern and replacement are plain text; null when the
 * program or an option means more.
 */
export function perlWrites(
  words: readonly ShellWord[],
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] | null {
  const { options, paths } = argumentsOf(words);
  const [program, ...files] = paths;
  const given = options.join(" ");
  if (!/^(?:-pi -e|-i -pe|-p -i -e|-i -p -e)$/.test(given) || program?.literal !== true) return null;
  const [, before, after, flags] = TRIVIAL.exec(program.text) ?? [];
  if (before === undefined || after === undefined) return null;
  const plain = before.replace(/\\(.)/g, "$1");
  const pattern = new RegExp(plain.replace(/[\\^$.|?*+(){}[\]/-]/g, "\\$&"), flags);
  const replacement = after.replaceAll("$", "$$$$");
  return writesTo(files, around, directory, (path) => ({
    path,
    operation: "edit",
    effect: { kind: "script", commands: [{ kind: "substitute", from: 1, to: null, pattern, replacement, only: null }] },
    fragment: { before: null, after: program.text, startLine: null },
    opaque: null,
  }));
}
