import { argumentsOf } from "./shell-files";
import type { LineFiles } from "./shell-line-files";
import { outputOf } from "./shell-output";
import { sedOutput } from "./shell-sed";
import type { SimpleCommand } from "./shell-syntax";
import type { ShellWord } from "./shell-variables";

/**
 * What a command prints, from its words and from files that are known; null when that is not told.
 * @param reading what it reads, the text of a file by its path, and the folder in which it runs
 */
export function printedBy(
  command: SimpleCommand,
  name: string,
  words: readonly ShellWord[],
  reading: { input: string | null; textOf: (path: string) => string | null; directory: string | null },
  files: LineFiles,
): string | null {
  const { input, textOf, directory } = reading;
  const plain = outputOf(command, input);
  if (plain !== null) return plain;
  if (name === "cat") {
    const texts = words.map((word) => (plainPath(word) === null ? null : textOf(word.text)));
    return texts.length === 0 || texts.includes(null) ? null : texts.join("");
  }
  if (name === "sed") return sedOutput(words, input, textOf);
  const shown = name === "git" && words.length === 2 && words[0]?.text === "show" ? words[1] : undefined;
  const path = shown?.literal === true ? /^HEAD:(.+)$/.exec(shown.text)?.[1] : undefined;
  if (path === undefined || files.repository.committed) return null;
  // The path counts from the repository's folder, unless it says that it does not.
  const base = files.baseOf(path, path.startsWith("./") ? directory : files.root);
  return base.kind === "whole" ? base.text : null;
}

/** The files of `tee`; null with an option that it does not know, as then it writes and prints nothing. */
export function teeOf(words: readonly ShellWord[]): { files: ShellWord[]; appends: boolean } | null {
  const { options, paths } = argumentsOf(words);
  if (!options.every((option) => /^(?:-[aip]+|--append|--ignore-interrupts|--output-error(?:=.*)?)$/.test(option)))
    return null;
  return { files: paths, appends: options.some((option) => /^-[a-z]*a|^--append$/.test(option)) };
}

/** The path that a word is as it stands, null when it is an option or the shell makes something else of it. */
export function plainPath(word: ShellWord | undefined): string | null {
  return word?.literal === true && !word.glob && !word.text.startsWith("-") ? word.text : null;
}
