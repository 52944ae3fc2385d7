import type { CallItem, ReadFile } from "@/lib/trajectory/schema";
import { type JsonValue, member, stringMember } from "../../safe-json";

const HEADER = "Here's the result of running `cat -n` on ";
const CLIPPED = "<response clipped>";
const SHORTENED = "... [truncated]";
/** How many lines may stand before the first numbered one. */
const LINES_BEFORE = 21;

const [TAB, SPACE, ZERO, NINE, ARROW] = [0x09, 0x20, 0x30, 0x39, 0x2192];
const DIGITS_MAX = 9;
/** A row with one of these inside is not one line of the file. */
const LINE_ENDS = ["\r", "\u2028", "\u2029"];

/**
 * Lines of a file that an answer shows with their numbers, as `cat -n` prints them: views of an editor, what it shows of
 * a file after an edit, and tools that read files. Text without numbers tells nothing: it may be any part of the file.
 */
export function readsIn(call: CallItem, text: string): ReadFile[] {
  const path = pathOf(call.arguments ?? undefined);
  if (path === null || (call.callKind !== "read" && !text.includes(HEADER))) return [];
  const { startLine, lines } = listingIn(withoutReturns(text));
  if (startLine < 1 || (text.includes(SHORTENED) && lines.some((line) => line.endsWith(SHORTENED)))) return [];
  const isClipped = text.includes(CLIPPED);
  if (isWholeView(call, text) && startLine === 1 && !isClipped) {
    // The editor numbers what stands behind the last line feed too, so joining the rows gives the file exactly.
    const totalLines = lines.length - (lines.at(-1) === "" ? 1 : 0);
    return [{ path, startLine, text: lines.join("\n"), totalLines, whole: true }];
  }
  // The last row may be cut short, or be the empty row behind the last line feed, which is no line.
  if (isClipped || lines.at(-1) === "") lines.pop();
  if (lines.length === 0) return [];
  lines.push("");
  return [{ path, startLine, text: lines.join("\n"), totalLines: null, whole: false }];
}

/** A text without the carriage returns that stand before its line feeds and its end. */
function withoutReturns(text: string): string {
  if (!text.includes("\r")) return text;
  const ends = text.endsWith("\r") ? text.slice(0, -1) : text;
  return ends.replaceAll("\r\n", "\n");
}

/**
 * The first run of rows numbered one after the other; no lines when there is none. Row by row in the text itself: views
 * are long, and a list of their rows takes as much memory again.
 */
function listingIn(text: string): { startLine: number; lines: string[] } {
  const mayEndInside = endsInside(text);
  const lines: string[] = [];
  let startLine = 0;
  let before = 0;
  for (let at = 0; at <= text.length; ) {
    const found = text.indexOf("\n", at);
    const end = found === -1 ? text.length : found;
    const digits = afterSpaces(text, at);
    const separator = afterDigits(text, digits);
    const line = isNumbered(text, digits, separator) ? text.slice(separator + 1, end) : null;
    if (line === null || (mayEndInside && endsInside(line))) {
      if (lines.length > 0 || ++before > LINES_BEFORE) break;
    } else {
      const number = numberAt(text, digits, separator);
      if (lines.length === 0) startLine = number;
      else if (number !== startLine + lines.length) break;
      lines.push(line);
    }
    at = end + 1;
  }
  return { startLine, lines };
}

function endsInside(text: string): boolean {
  return LINE_ENDS.some((end) => text.includes(end));
}

function isNumbered(text: string, digits: number, separator: number): boolean {
  const code = text.charCodeAt(separator);
  return separator > digits && (code === TAB || code === ARROW);
}

function afterSpaces(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === SPACE) end++;
  return end;
}

/** The offset after the digits at `at`, of which a number of a line has DIGITS_MAX at most. */
function afterDigits(text: string, at: number): number {
  let end = at;
  while (end - at < DIGITS_MAX && text.charCodeAt(end) >= ZERO && text.charCodeAt(end) <= NINE) end++;
  return end;
}

function numberAt(text: string, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) number = number * 10 + text.charCodeAt(at) - ZERO;
  return number;
}

/** An editor that was asked for all of a file says so in its header. */
function isWholeView(call: CallItem, text: string): boolean {
  const range = call.arguments?.view_range;
  const isAll = range === undefined || range === null;
  return isAll && call.arguments?.command === "view" && text.startsWith(HEADER);
}

function pathOf(values: JsonValue | undefined): string | null {
  if (member(values, "files") !== undefined) return null;
  for (const key of ["path", "file_path", "filePath", "filename", "file", "absolute_path", "target_file"]) {
    const found = stringMember(values, key);
    if (found !== null && found !== "") return found;
  }
  return null;
}
