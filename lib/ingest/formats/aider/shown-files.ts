import type { ReadFile } from "@/lib/trajectory/schema";

const SHOWN = /\*Trust this message as the true contents of|^Here are some READ ONLY files/m;
const FENCES = new Map([
  ["```", "```"],
  ["````", "````"],
  ["<source>", "</source>"],
  ["<code>", "</code>"],
  ["<pre>", "</pre>"],
  ["<codeblock>", "</codeblock>"],
  ["<sourcecode>", "</sourcecode>"],
]);

/** Whether a message of a prompt is the one in which aider shows whole files to the model. */
export function showsFiles(text: string): boolean {
  return SHOWN.test(text.slice(0, 2_000));
}

/**
 * The files that such a message shows, whole: a path on a line of its own, then a fence. Aider takes a fence that no line
 * of any file begins with, so that the first one like it ends the file, also behind the words of a last line without an end.
 */
export function shownFiles(text: string): ReadFile[] {
  const lines = text.split("\n");
  const files: ReadFile[] = [];
  let n = 1;
  while (n < lines.length) {
    const close = FENCES.get(lines[n] ?? "");
    const path = (lines[n - 1] ?? "").trim();
    if (close === undefined || path === "") {
      n++;
      continue;
    }
    let end = n + 1;
    while (end < lines.length && !isEnd(lines, end, close)) end++;
    if (end >= lines.length) break;
    const last = (lines[end] ?? "").slice(0, -close.length);
    const body = lines.slice(n + 1, end).map((line) => `${line}\n`);
    files.push({ path, startLine: 1, text: body.join("") + last, totalLines: null, whole: true });
    n = end + 2;
  }
  return files;
}

function isEnd(lines: readonly string[], n: number, close: string): boolean {
  const line = lines[n] ?? "";
  return line === close || (line.endsWith(close) && (lines[n + 1] ?? "").trim() === "");
}
