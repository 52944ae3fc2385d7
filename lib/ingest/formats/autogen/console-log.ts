import type { ChatMessage, Piece } from "./pieces";
import { readPrinted } from "./printed-body";
import { mayHold, type PrintedLine, plainLine, printedLines, spanOfLines } from "./printed-lines";

const HEADER = /^(\S.{0,99}?) \(to ([^()]{1,100})\):$/;
const DASHES = "-".repeat(80);
/** What AutoGen prints by itself between messages. */
const MARKER = /^>{8} |^Next speaker: |^(?:Call ID|Input arguments): /;
const RAN_CODE = /^>{8} EXECUTING (?:\d+ )?CODE BLOCK/;

/**
 * Which line of the beginning of a text is the first header, with sender and receiver, of such a log; null without one or
 * without the line that ends a message.
 */
export function consoleLogStart(head: string): number | null {
  if (!mayHold(head, DASHES)) return null;
  const lines = head.split("\n", 5_000).map(plainLine);
  const first = lines.findIndex((line) => HEADER.test(line));
  return first !== -1 && lines.includes(DASHES) ? first : null;
}

/** Takes apart what AutoGen 0.2 and AG2 print of a chat. `replaced` counts bytes that are not UTF-8. */
export function readConsoleLog(bytes: Uint8Array): { pieces: Piece[]; replaced: number } {
  const { lines, replaced } = printedLines(bytes);
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

function nextHeader(lines: readonly PrintedLine[], from: number): number {
  let at = from;
  while (at < lines.length && !HEADER.test(lines[at]?.text ?? "")) at++;
  return at;
}

/**
 * The line of dashes that ends the message of a header, or the last line. A message may hold such a line itself: when
 * another one follows before the next header and before anything that AutoGen prints, the first was part of it.
 */
function endOf(lines: readonly PrintedLine[], header: number): number {
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
function printedBefore(lines: readonly PrintedLine[], from: number, header: number, pieces: Piece[]): number {
  let own = header;
  while (own > from && header < lines.length && isOwn(lines[own - 1]?.text ?? "")) own--;
  const text = lines
    .slice(from, own)
    .map((line) => line.text)
    .join("\n");
  if (text.trim() !== "") {
    pieces.push({ kind: "printed", text: text.trim(), raw: [spanOfLines(lines, from, own - 1)], step: null });
  }
  return own;
}

function isOwn(text: string): boolean {
  return text.trim() === "" || MARKER.test(text);
}

function messageAt(
  lines: readonly PrintedLine[],
  from: number,
  header: number,
  end: number,
  number: number,
): ChatMessage {
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
    raw: [spanOfLines(lines, from, end)],
    step: { convention: "message", step: String(number) },
  };
}
