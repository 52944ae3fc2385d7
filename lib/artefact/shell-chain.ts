import { type Redirection, type ShellCommand, simpleCommands } from "./shell-syntax";
import { unwrapped } from "./shell-wrappers";

/** A command on whose success another one waits (`&&`). */
export interface Earlier {
  name: string;
  /** It may fail without a word about it in the answer. */
  isSilent: boolean;
}

/** Commands that say so when they fail. */
const LOUD: ReadonlySet<string> = new Set([
  "",
  ":",
  "true",
  "apply_patch",
  "cat",
  "cd",
  "chmod",
  "cp",
  "echo",
  "export",
  "head",
  "ln",
  "ls",
  "mkdir",
  "mv",
  "popd",
  "printf",
  "pushd",
  "pwd",
  "rm",
  "rmdir",
  "sed",
  "set",
  "sleep",
  "sort",
  "tail",
  "tee",
  "touch",
  "truncate",
  "wc",
]);

/** Commands that wait for one another; a longer chain is not looked through for each of them. */
const MAX_EARLIER = 64;
const TOO_MANY: readonly Earlier[] = [{ name: "", isSilent: true }];

/** The chain that the command behind this one waits for. */
export function chainWith(earlier: readonly Earlier[], command: ShellCommand, hushed: boolean): readonly Earlier[] {
  const commands = simpleCommands([command]);
  if (earlier === TOO_MANY || earlier.length + commands.length > MAX_EARLIER) return TOO_MANY;
  const own = commands.map(({ words, redirections }): Earlier => {
    const first = unwrapped(words)[0];
    const name = first === undefined ? "" : first.text.slice(first.text.lastIndexOf("/") + 1);
    const isHushed = hushed || command.guarded || hushes(redirections) || hushes(command.redirections);
    return { name, isSilent: isHushed || first?.literal === false || !LOUD.has(name) };
  });
  return [...earlier, ...own];
}

/** Whether what a command says of its errors does not reach the answer, or not as it is. */
export function hushes(redirections: readonly Redirection[]): boolean {
  return redirections.some(
    ({ operator, descriptor, target }) =>
      descriptor === 2 ||
      operator.startsWith("&>") ||
      (operator === ">&" && descriptor === null && !/^(?:\d|-)$/.test(target.text)),
  );
}

/** Why a command that waits for others may not have run; null when the answer would show it. */
export function skipReason(earlier: readonly Earlier[], text: string): string | null {
  if (earlier.some(({ isSilent }) => isSilent)) return "what stands before this part may have failed without a word";
  // What a shell says itself names the place, and often the command. Messages may stand behind what has no line end.
  const names = earlier.map(({ name }) => name).filter((name) => name !== "");
  const ends = text.length > 2 * END_CHARS ? text.slice(0, END_CHARS) + text.slice(-END_CHARS) : text;
  const isTold = /(?:sh|\(eval\)): /.test(ends) || names.some((name) => ends.includes(`${name}: `));
  return isTold ? "what stands before this part may have failed" : null;
}

/** How much of an answer is looked through for messages, at either end. */
const END_CHARS = 8_192;
