import type { Redirection } from "./shell-syntax";
import type { ShellWord } from "./shell-variables";

/** A file that a command's redirections open for writing. */
export interface OpenedFile {
  target: ShellWord;
  appends: boolean;
  /** What goes there: what the command prints, what it says of its errors, or nothing that is left. */
  receives: "output" | "errors" | "nothing";
}

/** Where a command's output goes. */
export interface Streams {
  files: OpenedFile[];
  /** Its output goes where the command's own would, to the pipe behind it or to the answer. */
  prints: boolean;
  /** What it says of its errors goes there. */
  complains: boolean;
}

/**
 * Follows the redirections of a command in their order, as a shell does: each file is opened (and emptied), and only the
 * last one that a descriptor is sent to receives something.
 */
export function streamsOf(redirections: readonly Redirection[]): Streams {
  const files: OpenedFile[] = [];
  /** What each descriptor leads to: one of the files, or the place that descriptor had before. */
  const leads = new Map<number, OpenedFile | number>();
  for (const { operator, descriptor, target } of redirections) {
    if (operator === ">&" && /^(?:\d|-)$/.test(target.text)) {
      const from = Number(target.text);
      leads.set(descriptor ?? 1, target.text === "-" ? -1 : (leads.get(from) ?? from));
      continue;
    }
    if (!/^(?:&?>>?|>\||>&)$/.test(operator)) continue;
    // Where the errors go by then, the shell says that a file cannot be opened.
    const said = leads.get(2);
    if (typeof said === "object") said.receives = "errors";
    const file: OpenedFile = { target, appends: operator.endsWith(">>"), receives: "nothing" };
    files.push(file);
    leads.set(descriptor ?? 1, file);
    if (operator.includes("&")) leads.set(2, file);
  }
  const output = leads.get(1) ?? 1;
  const errors = leads.get(2) ?? 2;
  // Descriptors behind 2 are for programs that we do not know.
  for (const [descriptor, place] of leads) if (descriptor > 2 && typeof place === "object") place.receives = "errors";
  if (typeof errors === "object") errors.receives = "errors";
  if (typeof output === "object") output.receives = "output";
  return { files, prints: output === 1, complains: errors === 1 };
}
