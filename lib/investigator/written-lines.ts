import type { ArtefactHistory, KnownContent, Write } from "@/lib/artefact/model";

/** What a line says about a change, the most first. */
const TELLING = { code: 0, weak: 1, imports: 2, remark: 3 } as const;
type Telling = (typeof TELLING)[keyof typeof TELLING];

interface NewLine {
  line: string;
  offset: number;
  telling: Telling;
}

/** Comments and docstrings: worth quoting only when an edit brings in nothing else. */
const REMARK = /^(?:#(?!include|define|if|endif|!\[|\[)|\/\/|\/?\*|"""|'''|<!--|--\s|;;)/;
const DOCSTRING = /^[rRuUbBfF]{0,2}("""|''')/;
const IMPORT =
  /^(?:import\b|from\s+\S+\s+import\b|export\s+(?:\*|\{.*\})\s+from\b|#include\b|using\s+[\w.]+;|use\s+[\w:]|package\s+[\w.]+;?$|(?:const|let|var)\s+\S.*=\s*require\()/;
/** A line that only begins, ends or lists: `else:`, `try {`, `parse_text,`, `})`, `"use strict";`. */
const WEAK =
  /^(?:(?:else|try|finally|do|begin|end|pass|then|fi|done|esac)\b[\s:{};]*|["']?[\w.$-]+["']?[,;]?|["'][\w -]+["'];?|@[\w.]+)$/u;

/** The lines that an edit brings in, as its call gives them: trimmed, with their 0-based place in what it writes. */
function newLines(write: Write): NewLine[] {
  const before = new Set((write.fragment?.before ?? "").split("\n").map((line) => line.trim()));
  let remarkEnd: string | null = null;
  let isImport = false;
  return (write.fragment?.after ?? "").split("\n").flatMap((whole, offset): NewLine[] => {
    const line = whole.trim();
    let telling: Telling = TELLING.code;
    if (remarkEnd !== null || REMARK.test(line)) telling = TELLING.remark;
    else if (isImport || IMPORT.test(line)) telling = TELLING.imports;
    else if (WEAK.test(line)) telling = TELLING.weak;
    // A docstring goes on to its closing quotes, an import in brackets to the closing one.
    const opened = DOCSTRING.exec(line)?.[1];
    if (remarkEnd !== null) {
      if (line.includes(remarkEnd)) remarkEnd = null;
    } else if (opened !== undefined && line.split(opened).length === 2) remarkEnd = opened;
    else if (line.startsWith("/*") && !line.includes("*/")) remarkEnd = "*/";
    else if (line.startsWith("<!--") && !line.includes("-->")) remarkEnd = "-->";
    if (isImport) isImport = !/[)}]/.test(line);
    else if (telling === TELLING.imports) isImport = /[({][^)}]*$/.test(line);
    // Blank lines, braces and comment openers say nothing at all.
    return !/[\p{L}\p{N}]/u.test(line) || before.has(line) ? [] : [{ line, offset, telling }];
  });
}

/**
 * The lines that an edit brings in, the most telling first: code, then lines that only begin, end or list something, then
 * imports, then remarks; each in the order of the text. Lines of nothing but signs are left out. The first is the one to
 * quote and to point at.
 */
export function tellingLines(write: Write): { line: string; offset: number }[] {
  return newLines(write)
    .sort((a, b) => a.telling - b.telling || a.offset - b.offset)
    .map(({ line, offset }) => ({ line, offset }));
}

/**
 * The 1-based line, in the file after the write, of the first line of code that the write brings in. From the call's own line
 * number where it has one, else from the one place where the written text stands in the version that it made. Null when
 * neither tells.
 */
export function firstNewLine(write: Write, history: ArtefactHistory): number | null {
  const offset = tellingLines(write)[0]?.offset ?? 0;
  if (write.fragment?.startLine != null) return write.fragment.startLine + offset;
  const after = write.fragment?.after;
  const content =
    write.versionAfter === null ? undefined : history.files.get(write.path)?.versions[write.versionAfter]?.content;
  if (content === undefined || after == null || after.trim() === "") return null;
  const start = onlyPlace(content, after);
  return start === null ? null : start + offset;
}

function onlyPlace(content: KnownContent, text: string): number | null {
  if (content.kind === "whole") return lineOfOnly(content.text, text, 1);
  if (content.kind !== "partial") return null;
  const places = content.ranges
    .map((range) => lineOfOnly(range.lines.join(""), text, range.startLine))
    .filter((line) => line !== null);
  return places.length === 1 ? (places[0] ?? null) : null;
}

function lineOfOnly(whole: string, text: string, firstLine: number): number | null {
  const at = whole.indexOf(text);
  if (at === -1 || whole.indexOf(text, at + 1) !== -1) return null;
  let line = firstLine;
  for (let i = whole.indexOf("\n"); i !== -1 && i < at; i = whole.indexOf("\n", i + 1)) line += 1;
  return line;
}
