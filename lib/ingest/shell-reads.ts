import type { ReadFile } from "@/lib/trajectory/schema";
import { shellWords } from "@/lib/trajectory/shell-words";

/** What a command shows of one file: from line `from` to line `to` (1-based, inclusive; null is the file's end). */
interface Shown {
  path: string;
  from: number;
  to: number | null;
  numbered: boolean;
}

/** Commands longer than this are programs and here-documents, not looks at a file. */
const COMMAND_MAX_CHARS = 1_000;
/** A first word that is plain, and none of the commands that are read: taking the line apart would cost more than all else. */
const OTHER_COMMAND = /^(?!(?:cat|nl|head|tail|sed|cd)\s)[\w./-]+\s/;
/** What a shell would expand, redirect or join; a line that holds it is not read. */
const EXPANDED = /[$`<>;*?~\\{}\n]/;

/**
 * The lines of a file that a shell command shows: `cat`, `cat -n`, `nl -ba`, `head`, `tail -n +N` and `sed -n 'A,Bp'` of
 * one file, behind a `cd` or into another such window.
 * @param output exactly what the command printed; it must have succeeded, and nothing of it may be left out
 */
export function shellReads(command: string, output: string): ReadFile[] {
  const line = command.trim();
  if (line.length > COMMAND_MAX_CHARS || output === "" || OTHER_COMMAND.test(line)) return [];
  const words = shellWords(line);
  // The script of sed may hold what a shell would expand outside quotes: `$p`.
  if (words === null || words.some((word) => EXPANDED.test(word) && !SED_RANGE.test(word))) return [];
  const moved = words[0] === "cd" && words[2] === "&&" && words[1] !== undefined ? words[1] : null;
  const [first, ...filters] = split(moved === null ? words : words.slice(3), "|");
  let shown = first === undefined ? null : shownBy(first, null);
  for (const filter of filters) shown = shown === null ? null : shownBy(filter, shown);
  // The exit code of a pipe is that of its last command: the first one may have printed only why it failed.
  if (shown === null || (filters.length > 0 && COMPLAINT.test(output))) return [];
  const path = moved === null || shown.path.startsWith("/") ? shown.path : `${moved.replace(/\/$/, "")}/${shown.path}`;
  const read = linesOf({ ...shown, path }, output);
  return read === null ? [] : [read];
}

const COMPLAINT = /^(?:cat|head|nl|sed|tail): /;

function split(words: string[], separator: string): string[][] {
  const parts: string[][] = [[]];
  for (const word of words) {
    if (word === separator) parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts;
}

const SED_RANGE = /^(\d+)(?:,(\d+|\$))?p;?$/;

/** What a command shows: of the file that it names, or of what another one shows it. Null when that is not told. */
function shownBy(words: string[], input: Shown | null): Shown | null {
  const [name, ...rest] = words;
  const file = input === null ? rest.at(-1) : undefined;
  const options = input === null ? rest.slice(0, -1) : rest;
  if (input === null && (file === undefined || file.startsWith("-"))) return null;
  const whole: Shown = input ?? { path: file ?? "", from: 1, to: null, numbered: false };
  const given = options.join(" ");
  if (name === "cat" && given === "") return whole;
  // Numbers of what is left of a file say nothing new, and a number twice is not read.
  const numbers = (name === "cat" && given === "-n") || (name === "nl" && /^-b ?a$/.test(given));
  if (numbers) return whole.numbered ? null : { ...whole, numbered: true };
  if (name === "sed" && options[0] === "-n" && options.length === 2) {
    const [, from, to] = SED_RANGE.exec(options[1] ?? "") ?? [];
    if (from === undefined) return null;
    return window(whole, Number(from), to === "$" ? null : Number(to ?? from));
  }
  const head = /^(?:-n ?|-)(\d+)$/.exec(given)?.[1];
  if (name === "head" && (given === "" || head !== undefined)) return window(whole, 1, Number(head ?? 10));
  const tail = /^-n ?\+(\d+)$/.exec(given)?.[1];
  if (name === "tail" && tail !== undefined) return window(whole, Number(tail), null);
  return null;
}

/** Lines `from` to `to` of what is shown. */
function window(shown: Shown, from: number, to: number | null): Shown | null {
  if (from < 1 || (to !== null && to < from)) return null;
  const last = to === null ? null : shown.from + to - 1;
  const end = last === null || shown.to === null ? (last ?? shown.to) : Math.min(last, shown.to);
  return { ...shown, from: shown.from + from - 1, to: end };
}

/** The lines that an output holds; null when it holds more lines than the command shows, or others. */
function linesOf(shown: Shown, output: string): ReadFile | null {
  const isClosed = output.endsWith("\n");
  const count = linesIn(output);
  const wanted = shown.to === null ? null : shown.to - shown.from + 1;
  if (wanted !== null && count > wanted) return null;
  const reachesEnd = wanted === null || count < wanted || !isClosed;
  const text = shown.numbered ? withoutNumbers(output, isClosed) : output;
  if (text === null) return null;
  const totalLines = reachesEnd ? shown.from + count - 1 : null;
  return { path: shown.path, startLine: shown.from, text, totalLines, whole: reachesEnd && shown.from === 1 };
}

/** How many lines a text has: what ends with a line feed has no line behind it. */
function linesIn(text: string): number {
  let count = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** The lines without the number that stands before each; null when one has none. */
function withoutNumbers(output: string, isClosed: boolean): string | null {
  const lines = (isClosed ? output.slice(0, -1) : output).split("\n");
  const texts = lines.map((line) => /^ *\d+\t(.*)$/s.exec(line)?.[1]);
  return texts.some((text) => text === undefined) ? null : `${texts.join("\n")}${isClosed ? "\n" : ""}`;
}
