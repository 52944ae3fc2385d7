import type { ShellSurroundings } from "./shell-surroundings";
import type { ShellWord } from "./shell-variables";

const SHELLS = /^(?:bash|sh|zsh|dash|ksh)$/;
const SHELL_FIRST_LINE = /^#!\s*\/\S*?(?:\/|\s)(?:bash|sh|zsh|dash|ksh)\b/;

/**
 * The shell script that a command runs, as far as its text is known: given with `-c`, as its input, in a file that the
 * history knows, or to `eval` and `source`. `apart`: what it does to the directory ends with it. Null when it runs none.
 * @param input what the command reads, null when it reads nothing that is told
 */
export function nestedScript(
  command: string,
  words: readonly ShellWord[],
  input: string | null,
  around: ShellSurroundings,
  directory: string | null,
): { text: string; apart: boolean } | null {
  const name = command.slice(command.lastIndexOf("/") + 1);
  const [first] = words;
  if (name === "eval") {
    return words.every((word) => word.literal)
      ? { text: words.map((word) => word.text).join(" "), apart: false }
      : null;
  }
  if (name === "source" || name === ".")
    return first === undefined ? null : fileScript(first, around, directory, false);
  if (SHELLS.test(name)) {
    const option = words.findIndex((word) => /^-[a-z]*c$/.test(word.text));
    const script = option === -1 ? undefined : words[option + 1];
    if (option !== -1) return script?.literal === true ? { text: script.text, apart: true } : null;
    const file = words.find((word) => !/^[-+]./.test(word.text));
    if (file === undefined || file.text === "-") return input === null ? null : { text: input, apart: true };
    return fileScript(file, around, directory, true);
  }
  if (!command.includes("/")) return null;
  const word = { text: command, literal: true, glob: false, ending: command };
  const script = fileScript(word, around, directory, true);
  return script !== null && SHELL_FIRST_LINE.test(script.text) ? script : null;
}

function fileScript(
  word: ShellWord,
  around: ShellSurroundings,
  directory: string | null,
  apart: boolean,
): { text: string; apart: boolean } | null {
  const content = word.literal && !word.glob ? around.contentOf(word.text, directory) : null;
  return content?.kind === "whole" ? { text: content.text, apart } : null;
}
