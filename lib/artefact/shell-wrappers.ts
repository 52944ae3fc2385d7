import type { ShellWord } from "./shell-variables";

/** Commands that only run the command behind them. */
const WRAPPERS = new Set([
  "sudo",
  "env",
  "time",
  "nohup",
  "command",
  "exec",
  "builtin",
  "npx",
  "uv",
  "poetry",
  "pipenv",
  "stdbuf",
  "nice",
  "ionice",
  "bunx",
]);

/** A command's words without variable settings and without commands that only run another one. */
export function unwrapped(words: readonly ShellWord[]): ShellWord[] {
  let rest = [...words];
  for (;;) {
    const text = rest[0]?.text ?? "";
    if (/^[A-Za-z_]\w*=/.test(text) || WRAPPERS.has(text)) rest = rest.slice(1);
    else if (text === "run" || text === "dlx" || (text === "--" && rest.length > 1)) rest = rest.slice(1);
    else if (text === "timeout")
      rest = rest.slice(1).filter((word, index, all) => !isTimeoutOption(word.text, index, all));
    else if (/^python[\d.]*$/.test(text) && rest[1]?.text === "-m") rest = rest.slice(2);
    else return rest;
  }
}

function isTimeoutOption(text: string, index: number, all: readonly ShellWord[]): boolean {
  const end = all.findIndex((word) => /^\d+(?:\.\d+)?[smhd]?$/.test(word.text));
  return index <= end && (text.startsWith("-") || index === end || /^\w+$/.test(text));
}
