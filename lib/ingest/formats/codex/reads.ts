import type { CallItem, ReadFile } from "@/lib/trajectory/schema";
import { shellReads } from "../../shell-reads";
import { commandLineOf, scriptIn } from "./tools";

/** What the output of a shell left out in its middle, with the number of lines. */
const OMITTED = /\n\[\.\.\. omitted (\d{1,6}) of (\d{1,7}) lines \.\.\.\]\n\n/;
const TOTAL = /^Total output lines: (\d{1,7})\n\n/;

/**
 * The lines of a file that a command shows. Of an output whose middle is left out, both ends count: the tool says how
 * many lines there were.
 */
export function readsOf(call: CallItem, output: { text: string; exitCode: number | null; isCut: boolean }): ReadFile[] {
  const asked = call.text ?? commandLineOf(call.arguments);
  const line = asked === null ? null : scriptIn(asked);
  // A terminal turns line feeds into two characters: what the file itself holds is then not told.
  if (line === null || output.exitCode !== 0 || output.text.includes("\r\n")) return [];
  return output.isCut ? endsOf(line, output.text) : shellReads(line, output.text);
}

function endsOf(line: string, text: string): ReadFile[] {
  const total = TOTAL.exec(text);
  const omitted = OMITTED.exec(text);
  if (total === null || omitted === null || total[1] !== omitted[2]) return [];
  const head = text.slice(total[0].length, omitted.index);
  const tail = text.slice(omitted.index + omitted[0].length);
  const left = Number(omitted[1]);
  const count = linesIn(head) + left + linesIn(tail);
  if (!head.endsWith("\n") || count !== Number(total[1])) return [];
  const [read] = shellReads(line, `${head}${"\n".repeat(left)}${tail}`);
  if (read === undefined) return [];
  const first = { ...read, text: head, whole: false };
  return [first, { ...first, text: tail, startLine: read.startLine + linesIn(head) + left }];
}

function linesIn(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
