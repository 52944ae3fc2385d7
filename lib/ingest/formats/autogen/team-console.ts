import type { RawSpan, Trajectory, Usage } from "@/lib/trajectory/schema";
import type { JsonValue } from "../../safe-json";
import type { TeamEvent } from "./events";
import { isPersonName } from "./names";
import { mayHold, type PrintedLine, plainLine, printedLines, spanOfLines } from "./printed-lines";
import { parseRepr } from "./python-repr";

/** Something that the console of AutoGen 0.4 printed: an event, or what stands in front of or behind all of them. */
export type ConsolePiece = { kind: "event"; event: TeamEvent } | { kind: "printed"; text: string; raw: RawSpan };

/** What a printed run says about all of itself. */
export interface ConsoleLog {
  pieces: ConsolePiece[];
  exitStatus: string | null;
  /** Null when no statistics were printed. */
  totals: Trajectory["totals"] | null;
  replaced: number;
}

interface Header {
  line: number;
  /** The type of the message; null where only its source is printed. */
  type: string | null;
  source: string;
  /** What stands before it on its line. */
  before: string;
}

/** What every header holds. */
const HEADER_BEGIN = "---------- ";
/** What stands before the dashes on their line: a streamed answer and a prompt for input end without a line end. */
const TYPED = /^(.*?)-{10} (\w{1,80}(?:\[\w{1,80}\])?) \(([^()]{1,100})\) -{10}$/;
const UNTYPED = /^(.*?)-{10} ([^\s()-](?:[^()]{0,98}[^\s()-])?) -{10}$/;
const EVENT_TYPE = /(?:Message|Event)(?:\[\w+\])?$/;
const USAGE = /^\[Prompt tokens: (\d{1,15}), Completion tokens: (\d{1,15})\]$/;
const SUMMARY = /^Number of (?:inner )?messages: \d+$/;
const LIST_TYPES: readonly [string, string][] = [
  ["[FunctionCall(", "ToolCallRequestEvent"],
  ["[FunctionExecutionResult(", "ToolCallExecutionEvent"],
  ["[MemoryContent(", "MemoryQueryEvent"],
];
const PARSED = new Set(["ToolCallRequestEvent", "ToolCallExecutionEvent"]);
/** What a person is asked with, unless the program says something else. */
const PROMPT = /^Enter your response:/;
const CHUNK = "ModelClientStreamingChunkEvent";

/**
 * Which line of the beginning of a text is the first header of such a log, and how sure it is; null when it is none. With
 * types a header is like nothing else. Those of the first versions have only a name: the person's must be the first, and
 * calls, tokens or a summary must be among the messages.
 */
export function teamConsoleStart(head: string): { line: number; isTyped: boolean } | null {
  if (!mayHold(head, HEADER_BEGIN)) return null;
  const lines = head.split("\n", 5_000).map(plainLine);
  const typed = lines.findIndex((line) => isTyped(line));
  if (typed !== -1) return { line: typed, isTyped: true };
  const first = lines.findIndex((line) => UNTYPED.exec(line)?.[1] === "");
  const source = UNTYPED.exec(lines[first] ?? "")?.[2] ?? "";
  const isMarked = lines.some((line) => listType(line) !== null || USAGE.test(line) || SUMMARY.test(line));
  const hasMore = lines.slice(first + 1).some((line) => UNTYPED.exec(line)?.[1] === "");
  return isPersonName(source) && hasMore && isMarked ? { line: first, isTyped: false } : null;
}

/** Takes apart what `Console` of AutoGen 0.4 and later prints of a run. */
export function readTeamConsole(bytes: Uint8Array): ConsoleLog {
  const { lines, replaced } = printedLines(bytes);
  const headers = headersIn(lines);
  const log: ConsoleLog = { pieces: [], exitStatus: null, totals: null, replaced };
  const first = headers[0]?.line ?? lines.length;
  addPrinted(log, lines, 0, first);
  const events: TeamEvent[] = [];
  for (const [n, header] of headers.entries()) {
    const end = headers[n + 1]?.line ?? lines.length;
    const body = lines.slice(header.line + 1, end).map((line) => line.text);
    if (header.type === null && header.source === "Summary" && SUMMARY.test(body[0] ?? "")) {
      readSummary(body, log);
      addPrinted(log, lines, header.line, end);
      continue;
    }
    // What a line holds before the dashes is of the message above it, or asks a person who is the next.
    const rest = headers[n + 1]?.before ?? "";
    const isPrompt = PROMPT.test(rest) || (rest !== "" && USAGE.test(body.at(-1) ?? ""));
    if (rest !== "" && !isPrompt) body.push(rest);
    const raw = spanOfLines(lines, header.line, rest === "" || isPrompt ? end - 1 : end);
    addMessage(log, events, header, body, raw);
    if (isPrompt) log.pieces.push({ kind: "printed", text: rest.trim(), raw: spanOfLines(lines, end, end) });
  }
  for (const event of events) if (event.type === CHUNK) event.type = "TextMessage";
  return log;
}

function isTyped(line: string): boolean {
  return line.endsWith("-") && EVENT_TYPE.test(TYPED.exec(line)?.[2] ?? "");
}

/**
 * The headers in order. Without a type one counts where no header has a type, or when it names somebody who spoke before or
 * the summary: a message may hold such a line. Behind something on its line it counts only for who spoke before.
 */
function headersIn(lines: readonly PrintedLine[]): Header[] {
  const headers: Header[] = [];
  const sources = new Set<string>();
  const hasTypes = lines.some(({ text }) => isTyped(text));
  for (const [line, { text }] of lines.entries()) {
    if (!text.endsWith(" ----------")) continue;
    const typed = isTyped(text) ? TYPED.exec(text) : null;
    const plain = typed === null ? UNTYPED.exec(text) : null;
    const source = typed?.[3] ?? plain?.[2] ?? "";
    const isSummary = plain?.[1] === "" && source === "Summary" && SUMMARY.test(lines[line + 1]?.text ?? "");
    const isNew = plain?.[1] === "" && !hasTypes;
    if (typed === null && (source === "" || !(isNew || isSummary || sources.has(source)))) continue;
    sources.add(source);
    headers.push({ line, type: typed?.[2] ?? null, source, before: (typed ?? plain)?.[1] ?? "" });
  }
  return headers;
}

function addPrinted(log: ConsoleLog, lines: readonly PrintedLine[], from: number, to: number): void {
  const text = lines
    .slice(from, to)
    .map((line) => line.text)
    .join("\n")
    .trim();
  if (text !== "") log.pieces.push({ kind: "printed", text, raw: spanOfLines(lines, from, to - 1) });
}

function addMessage(log: ConsoleLog, events: TeamEvent[], header: Header, body: string[], raw: RawSpan): void {
  const { source } = header;
  const usage = takeUsage(body);
  while (body.at(-1) === "") body.pop();
  const text = body.join("\n");
  const before = events.at(-1);
  const type = header.type ?? typeOf(text, source, before);
  const { content, behind } = contentOf(text, type);
  if (before?.source === source) {
    // A final answer that was streamed is printed once more, right behind its pieces.
    const isRepeated = header.type === null && (before.type === CHUNK || header.before !== "");
    if (isRepeated && before.content === content) {
      before.raw.push(raw);
      before.usage ??= usage;
      return;
    }
    // Streamed words that calls follow, and that have no tokens of their own, are of the answer that calls.
    if (before.type === CHUNK && type === "ToolCallRequestEvent" && before.usage === null) before.type = "ThoughtEvent";
  }
  const steps = [{ convention: "message", step: String(events.length) }];
  const event: TeamEvent = {
    type,
    source,
    content,
    value: { type, source, content },
    usage,
    at: null,
    raw: [raw],
    steps,
  };
  events.push(event);
  log.pieces.push({ kind: "event", event });
  if (behind !== "") log.pieces.push({ kind: "printed", text: behind, raw: { ...raw } });
}

/** The tokens that the last line tells, which is taken off. */
function takeUsage(body: string[]): Usage | null {
  const last = body.findLastIndex((line) => line.trim() !== "");
  const found = USAGE.exec(body[last] ?? "");
  if (found === null) return null;
  body.splice(last);
  return { inputTokens: Number(found[1]), cachedTokens: null, outputTokens: Number(found[2]), costUsd: null };
}

/** Calls and answers are printed as a list of Python on one line; what follows it is of somebody else. */
function contentOf(text: string, type: string): { content: JsonValue; behind: string } {
  const end = text.indexOf("\n");
  const line = end === -1 ? text : text.slice(0, end);
  const list = PARSED.has(type) ? parseRepr(line) : undefined;
  return Array.isArray(list)
    ? { content: list, behind: text.slice(line.length).trim() }
    : { content: text, behind: "" };
}

/** What a message is whose header has no type. */
function typeOf(text: string, source: string, before: TeamEvent | undefined): string {
  const listed = listType(text);
  if (listed !== null) return listed;
  if (before?.source !== source || before.type !== "ToolCallExecutionEvent") return "TextMessage";
  if (/^Transferred to .{1,100}, adopting the role of /.test(text)) return "HandoffMessage";
  const answers = Array.isArray(before.content) ? before.content : [];
  return answers.map(answerText).join("\n") === text ? "ToolCallSummaryMessage" : "TextMessage";
}

function answerText(answer: JsonValue): string {
  const isRecord = typeof answer === "object" && answer !== null && !Array.isArray(answer);
  return isRecord && typeof answer.content === "string" ? answer.content : "";
}

function readSummary(body: readonly string[], log: ConsoleLog): void {
  const told = new Map(
    body.flatMap((line) => {
      const at = line.indexOf(": ");
      return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 2)] as const];
    }),
  );
  const reason = told.get("Finish reason");
  const count = (key: string): number | null => {
    const value = Number.parseFloat(told.get(key) ?? "");
    return value >= 0 && Number.isFinite(value) ? value : null;
  };
  const seconds = count("Duration");
  log.exitStatus = reason === undefined || reason === "None" ? log.exitStatus : reason;
  // Each run of a program begins its count anew.
  const sum = (known: number | null | undefined, more: number | null): number | null =>
    more === null ? (known ?? null) : (known ?? 0) + more;
  const { totals } = log;
  log.totals = {
    inputTokens: sum(totals?.inputTokens, count("Total prompt tokens")),
    cachedTokens: null,
    outputTokens: sum(totals?.outputTokens, count("Total completion tokens")),
    costUsd: null,
    durationMs: sum(totals?.durationMs, seconds === null ? null : Math.round(seconds * 1_000)),
  };
}

function listType(text: string): string | null {
  return LIST_TYPES.find(([start]) => text.startsWith(start))?.[1] ?? null;
}
