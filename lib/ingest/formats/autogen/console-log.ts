import type { RawSpan } from "@/lib/trajectory/schema";
import { storable } from "../../safe-json";
import { byteOrderMark, decodeUtf8 } from "../../text-decoding";
import type { ChatMessage, Piece } from "./pieces";
import { readPrinted } from "./printed-body";

/** One line of the log: its text without terminal sequences, and its bytes with the line end. */
interface Line {
  text: string;
  start: number;
  end: number;
}

const ESCAPES = /\p{Cc}\[[\d;]*m/gu;
const HEADER = /^(\S.{0,99}?) \(to ([^()]{1,100})\):$/;
const DASHES = "-".repeat(80);
/** What AutoGen prints by itself between messages. */
const MARKER = /^>{8} |^Next speaker: |^(?:Call ID|Input arguments): /;
const RAN_CODE = /^>{8} EXECUTING (?:\d+ )?CODE BLOCK/;

/** Whether the beginning of a text is of such a log: a header with sender and receiver, and the line that ends a message. */
export function looksLikeConsoleLog(head: string): boolean {
  const lines = head.split("\n", 5_000).map(plain);
  return lines.some((line) => HEADER.test(line)) && lines.includes(DASHES);
}

/** Takes apart what AutoGen 0.2 and AG2 print of a chat. `replaced` counts bytes that are not UTF-8. */
export function readConsoleLog(bytes: Uint8Array): { pieces: Piece[]; replaced: number } {
  const { lines, replaced } = linesOf(bytes);
  const pieces: Piece[] = [];
  let [at, messages] = [0, 0];
  while (at < lines.length) {
    const header = nextHeader(lines, at);
    const from = printedBefore(lines, at, header, pieces);
    if (header === lines.length) break;
    const end = endOf(lines, header);
    pieces.push(messageAt(lines, from, header, end, messages++));
    at = end + 1;
  }
  return { pieces, replaced };
}

function linesOf(bytes: Uint8Array): { lines: Line[]; replaced: number } {
  const lines: Line[] = [];
  let replaced = 0;
  for (let start = byteOrderMark(bytes); start < bytes.length; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found + 1;
    const decoded = decodeUtf8(bytes.subarray(start, found === -1 ? end : found));
    replaced += decoded.replaced;
    lines.push({ text: plain(storable(decoded.text)), start, end });
    start = end;
  }
  return { lines, replaced };
}

function plain(line: string): string {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  return text.includes("\u001b[") ? text.replace(ESCAPES, "") : text;
}

function nextHeader(lines: readonly Line[], from: number): number {
  let at = from;
  while (at < lines.length && !HEADER.test(lines[at]?.text ?? "")) at++;
  return at;
}

/**
 * The line of dashes that ends the message of a header, or the last line. A message may hold such a line itself: when
 * another one follows before the next header and before anything that AutoGen prints, the first was part of it.
 */
function endOf(lines: readonly Line[], header: number): number {
  let end: number | null = null;
  for (let at = header + 1; at < lines.length; at++) {
    const text = lines[at]?.text ?? "";
    if (text === DASHES) end = at;
    else if (end !== null && (HEADER.test(text) || MARKER.test(text))) return end;
  }
  return end ?? lines.length - 1;
}

/**
 * Adds what a program printed in front of a header as a piece of its own. Returns the line at which the message begins:
 * what AutoGen says about it comes right before its header.
 */
function printedBefore(lines: readonly Line[], from: number, header: number, pieces: Piece[]): number {
  let own = header;
  while (own > from && header < lines.length && isOwn(lines[own - 1]?.text ?? "")) own--;
  const text = lines
    .slice(from, own)
    .map((line) => line.text)
    .join("\n");
  if (text.trim() !== "") {
    pieces.push({ kind: "printed", text: text.trim(), raw: [spanOf(lines, from, own - 1)], step: null });
  }
  return own;
}

function isOwn(text: string): boolean {
  return text.trim() === "" || MARKER.test(text);
}

function messageAt(lines: readonly Line[], from: number, header: number, end: number, number: number): ChatMessage {
  const [, author = ""] = HEADER.exec(lines[header]?.text ?? "") ?? [];
  const isClosed = lines[end]?.text === DASHES;
  let first = header + 1;
  // The answer of a tool is printed with its header twice.
  for (let at = first; at <= end; at++) {
    const text = lines[at]?.text ?? "";
    if (text === lines[header]?.text) first = at + 1;
    else if (text.trim() !== "") break;
  }
  if (lines[first]?.text === "" && first < end) first++;
  const body = lines.slice(first, isClosed ? end : end + 1).map((line) => line.text);
  if (isClosed && body.at(-1) === "") body.pop();
  const markers = lines.slice(from, header).map((line) => line.text);
  return {
    kind: "message",
    author,
    role: null,
    ...readPrinted(body),
    ranCode: markers.some((text) => RAN_CODE.test(text)),
    raw: [spanOf(lines, from, end)],
    step: { convention: "message", step: String(number) },
  };
}

function spanOf(lines: readonly Line[], first: number, last: number): RawSpan {
  return { line: first + 1, pointer: null, start: lines[first]?.start ?? null, end: lines[last]?.end ?? null };
}
