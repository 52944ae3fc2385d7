import type { ArtefactHistory, KnownContent, Write } from "@/lib/artefact/model";

/** Shorter lines (a brace, `else:`) say nothing when they are quoted. */
const QUOTABLE_CHARS = 3;

/** The lines that an edit brings in, as its call gives them: trimmed, with their 0-based place in what it writes. */
function newLines(write: Write): { line: string; offset: number }[] {
  const before = new Set((write.fragment?.before ?? "").split("\n").map((line) => line.trim()));
  return (write.fragment?.after ?? "")
    .split("\n")
    .map((line, offset) => ({ line: line.trim(), offset }))
    .filter(({ line }) => line.length >= QUOTABLE_CHARS && !before.has(line));
}

/** Comments and docstrings: worth quoting only when an edit brings in nothing else. */
const REMARK = /^(?:#|\/\/|\/?\*|"""|'''|<!--|--\s)/;

/** The lines that an edit brings in, code before remarks: the first is the one to quote and to point at. */
export function tellingLines(write: Write): { line: string; offset: number }[] {
  const lines = newLines(write);
  return [...lines.filter(({ line }) => !REMARK.test(line)), ...lines.filter(({ line }) => REMARK.test(line))];
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
