import type { SimpleCommand } from "./shell-syntax";

/**
 * The text that a command prints, as far as it can be told from the command line alone; null when it cannot.
 * @param given what the command reads
 */
export function outputOf(command: SimpleCommand, given: string | null): string | null {
  const [name, ...rest] = command.words;
  if (name === undefined || name.text === ":" || name.text === "true") return name?.literal === false ? null : "";
  if (name.text === "cat" && rest.every((word) => word.text === "-")) return given;
  // Globs, variables and the home folder become other words.
  if (!rest.every((word) => word.literal && !word.glob && !word.text.startsWith("~"))) return null;
  const words = rest.map((word) => word.text);
  if (name.text === "echo") return echoed(words);
  if (name.text === "printf") return printed(words);
  return null;
}

/** What a command reads: a here-document, a here-string, a file that is known, or the output of the command before it. */
export function inputOf(
  command: SimpleCommand,
  input: string | null,
  textOf: (path: string) => string | null,
): string | null {
  const last = command.redirections.findLast((one) => one.operator.startsWith("<"));
  if (last === undefined) return input;
  if (last.descriptor !== null && last.descriptor !== 0) return null;
  if (last.operator === "<") return last.target.literal && !last.target.glob ? textOf(last.target.text) : null;
  if (last.document !== null) return last.document.literal ? last.document.text : null;
  const isTold = last.target.literal && !last.target.text.startsWith("~");
  return last.operator === "<<<" && isTold ? `${last.target.text}\n` : null;
}

function echoed(words: string[]): string | null {
  let newline = true;
  let escapes = false;
  const rest = [...words];
  while (/^-[neE]+$/.test(rest[0] ?? "")) {
    const option = rest.shift() ?? "";
    if (option.includes("n")) newline = false;
    if (/e/.test(option)) escapes = true;
    if (/E/.test(option)) escapes = false;
  }
  const text = rest.join(" ");
  const body = escapes ? unescaped(text) : text;
  return body === null ? null : body + (newline ? "\n" : "");
}

function printed(words: string[]): string | null {
  const [format, ...values] = words;
  if (format === undefined || format.startsWith("-")) return null;
  const text = unescaped(format);
  if (text === null) return null;
  const places = text.match(/%[sd%]/g) ?? [];
  if ((text.match(/%/g) ?? []).length !== places.length + places.filter((one) => one === "%%").length) return null;
  const wanted = places.filter((one) => one !== "%%").length;
  if (wanted !== values.length) return null;
  let next = 0;
  return text.replace(/%[sd%]/g, (place) => {
    if (place === "%%") return "%";
    next += 1;
    return values[next - 1] ?? "";
  });
}

/** The usual escapes; null when there is one that we do not know. */
function unescaped(text: string): string | null {
  const known: ReadonlyMap<string, string> = new Map([
    ["n", "\n"],
    ["t", "\t"],
    ["r", "\r"],
    ["\\", "\\"],
    ['"', '"'],
    ["'", "'"],
  ]);
  let failed = false;
  const out = text.replace(/\\([\s\S]?)/g, (_, letter: string) => {
    const value = known.get(letter);
    if (value === undefined) failed = true;
    return value ?? "";
  });
  return failed ? null : out;
}
