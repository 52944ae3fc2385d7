/** A fenced block of a message, as AutoGen's executors take it out: the code without the line end before the closing fence. */
export interface CodeBlock {
  /** The word behind the opening fence in lower case; empty when there is none. */
  language: string;
  code: string;
  /** The file that its first line says it is to be saved as (`# filename: x.py`), null when it says none. */
  fileName: string | null;
}

const FENCE = "```";
const INFO = /^[ \t]*(?:(\w+)[ \t]*)?\r?$/;
/** No first line with a name is longer. */
const NAME_MAX_CHARS = 300;
const FILE_NAME = /^(?:#|\/\/|<!--|\/\*)[ \t]*filename:([^\n]*)$/;

/** The blocks of a message, in order. A block that is not closed is none. Takes time in proportion to the text. */
export function codeBlocks(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let at = text.indexOf(FENCE);
  while (at !== -1) {
    const lineEnd = text.indexOf("\n", at);
    if (lineEnd === -1) break;
    const info = lineEnd - at > NAME_MAX_CHARS ? null : INFO.exec(text.slice(at + FENCE.length, lineEnd));
    if (info === null) {
      at = text.indexOf(FENCE, at + FENCE.length);
      continue;
    }
    const close = closingFence(text, lineEnd);
    if (close === null) break;
    const code = text.slice(lineEnd + 1, close.codeEnd);
    blocks.push({ language: (info[1] ?? "").toLowerCase(), code, fileName: fileNameOf(code) });
    at = text.indexOf(FENCE, close.next);
  }
  return blocks;
}

/** The next fence that stands first on a line behind at least one line of code. */
function closingFence(text: string, lineEnd: number): { codeEnd: number; next: number } | null {
  for (let at = text.indexOf(FENCE, lineEnd + 1); at !== -1; at = text.indexOf(FENCE, at + FENCE.length)) {
    let before = at - 1;
    while (text[before] === " " || text[before] === "\t") before--;
    if (text[before] !== "\n" || before <= lineEnd) continue;
    const codeEnd = text[before - 1] === "\r" && before - 1 > lineEnd ? before - 1 : before;
    return { codeEnd, next: at + FENCE.length };
  }
  return null;
}

function fileNameOf(code: string): string | null {
  const end = code.indexOf("\n");
  const line = code.slice(0, end === -1 ? NAME_MAX_CHARS : Math.min(end, NAME_MAX_CHARS));
  if (!line.includes("filename:")) return null;
  const name = FILE_NAME.exec(line.trim())?.[1] ?? "";
  return name.replace(/(?:-->|\*\/)$/, "").trim() || null;
}

/** What an executor says of the code that it ran. */
export interface CodeOutcome {
  exitCode: number | null;
  output: string;
}

const EXIT_CODE = /^exitcode: (-?\d{1,10}) \(execution \w{1,20}\)\s{0,4}\nCode output: ?/;
const NO_OUTPUT =
  /^The script ran but produced no output to console\. The (?:POSIX|Unix) exit code was: (-?\d{1,10})\b/;
const ITS_OUTPUT =
  /^The script ran, then exited with (?:an error \(POSIX exit code: |Unix exit code: )(-?\d{1,10})\)?\s{0,4}\nIts output was:\n?/;

/** Reads the message of an executor of AutoGen or Magentic-One; null when a message is none. */
export function codeOutcome(text: string): CodeOutcome | null {
  // Nearly every message is none, and a comparison is all that this takes.
  if (!text.startsWith("exitcode: ") && !text.startsWith("The script ran")) return null;
  const found = EXIT_CODE.exec(text) ?? ITS_OUTPUT.exec(text);
  if (found !== null) return { exitCode: Number(found[1]), output: text.slice(found[0].length) };
  const silent = NO_OUTPUT.exec(text);
  return silent === null ? null : { exitCode: Number(silent[1]), output: text };
}
