import type { RawSpan, Usage } from "@/lib/trajectory/schema";
import type { NoteBook } from "../../notes";
import type { Part } from "../../parts";
import {
  countMember,
  isObject,
  type JsonValue,
  listMember,
  member,
  parseNestedJson,
  storable,
  stringMember,
} from "../../safe-json";
import type { HeldDatabase, HeldValue } from "../../source";
import { readPiece } from "./chat-json";
import type { ContentText } from "./content-text";
import type { ChatMessage, ModelReply, Piece } from "./pieces";

const TABLE = "chat_completions";
const COLUMNS = ["session_id", "request", "response", "is_cached"];
/** Tables that tell of the agents and their clients, not of what was said. */
const FACTS = ["agents", "oai_wrappers", "oai_clients", "version"];

type Row = Record<string, HeldValue>;

/** Whether a database is the log of AutoGen 0.2: other programs have tables of that name with other columns. */
export function isRuntimeLog(database: HeldDatabase): boolean {
  if (!database.tables.includes(TABLE)) return false;
  for (const row of database.rows(TABLE)) return COLUMNS.every((column) => Object.hasOwn(row, column));
  return false;
}

/** The sessions of a log, each a run of a program, in the order of their first answers. */
export function sessionsIn(database: HeldDatabase): Part[] {
  const sessions = new Map<string, string>();
  for (const row of database.rows(TABLE)) {
    const session = textIn(row, "session_id");
    if (!sessions.has(session)) sessions.set(session, textIn(row, "start_time") || session || "no session");
  }
  return [...sessions].map(([key, name]) => ({ key, name, range: null }));
}

/**
 * What was said in one session, each message once: a request repeats all that its agent has seen, and an answer of one
 * agent comes again in the requests of the others.
 */
export function readSession(database: HeldDatabase, session: string, texts: ContentText, notes: NoteBook): Piece[] {
  const names = namesOf(database, session);
  const reader = new SessionReader(texts, notes);
  for (const [raw, row] of rowsOf(database, TABLE, session)) {
    const wrapper = String(row.wrapper_id ?? "");
    reader.read(row, raw, textIn(row, "source_name") || names.get(wrapper) || "assistant");
  }
  return [...factsOf(database, session), ...reader.pieces];
}

/** Tables with rows that are not read, each with its number of rows. */
export function otherTables(database: HeldDatabase): { table: string; rows: number }[] {
  return database.tables
    .filter((table) => table !== TABLE && !FACTS.includes(table))
    .map((table) => ({ table, rows: database.rowCount(table) }))
    .filter(({ rows }) => rows > 0);
}

class SessionReader {
  readonly pieces: Piece[] = [];
  /** How often each message was said so far. */
  private readonly said = new Map<string, number>();

  constructor(
    private readonly texts: ContentText,
    private readonly notes: NoteBook,
  ) {}

  read(row: Row, raw: RawSpan, agent: string): void {
    const step = { convention: "row", step: String(row.id ?? "") };
    const request = parseNestedJson(textIn(row, "request"));
    const response = parseNestedJson(textIn(row, "response"));
    if (!isObject(request)) this.keep(row, "request", raw, step);
    const here = new Map<string, number>();
    for (const message of listMember(request, "messages")) {
      const key = keyOf(message);
      const count = (here.get(key) ?? 0) + 1;
      here.set(key, count);
      if (count <= (this.said.get(key) ?? 0)) continue;
      this.said.set(key, count);
      this.pieces.push(named(readPiece({ value: message, raw, step }, this.texts, this.notes), agent));
    }
    const answer = member(listMember(response, "choices")[0], "message");
    if (!isObject(answer)) {
      this.keep(row, "response", raw, step);
      return;
    }
    const key = keyOf(answer);
    this.said.set(key, (this.said.get(key) ?? 0) + 1);
    const piece = readPiece({ value: { role: "assistant", ...answer }, raw, step }, this.texts, this.notes);
    if (piece.kind === "message") this.pieces.push({ ...piece, author: agent, reply: replyOf(row, request, response) });
    else this.pieces.push(piece);
  }

  /** A request that is no JSON, or a response that is no answer: an attempt that failed says why. */
  private keep(row: Row, column: string, raw: RawSpan, step: ChatMessage["step"]): void {
    const text = textIn(row, column);
    const words = "Requests to a model without an answer in the log; what stands there instead is kept";
    this.notes.add(`${column}_not_read`, "information", words, raw);
    if (text.trim() !== "") this.pieces.push({ kind: "opaque", text: storable(text), raw: [raw], step });
  }
}

/** A message of the requesting agent itself has its role, and often no name. */
function named(piece: Piece, agent: string): Piece {
  if (piece.kind !== "message" || piece.author !== null || piece.role !== "assistant") return piece;
  return { ...piece, author: agent };
}

/** What a message is the same by, whoever's request it stands in: role and name depend on the side. */
function keyOf(message: JsonValue): string {
  if (!isObject(message)) return JSON.stringify(message);
  const content = member(message, "content");
  const text = content === undefined || content === null || content === "" ? "" : content;
  const calls = listMember(message, "tool_calls").map((call) => stringMember(call, "id"));
  const parts = [
    message.role === "system" ? "system" : null,
    text,
    calls.length > 0 ? calls : null,
    member(message, "function_call") ?? null,
    member(message, "tool_call_id") ?? null,
  ];
  return JSON.stringify(parts);
}

function replyOf(row: Row, request: JsonValue | undefined, response: JsonValue | undefined): ModelReply {
  const used = member(response, "usage");
  const cost = typeof row.cost === "number" && row.cost >= 0 ? row.cost : null;
  // What came out of AutoGen's own cache was not asked or paid again.
  const isCached = Boolean(row.is_cached);
  const usage: Usage = {
    inputTokens: isCached ? null : countMember(used, "prompt_tokens"),
    cachedTokens: null,
    outputTokens: isCached ? null : countMember(used, "completion_tokens"),
    costUsd: isCached ? 0 : cost,
  };
  const model = stringMember(response, "model") ?? stringMember(request, "model");
  return { model, usage, startedAt: timeIn(row, "start_time"), endedAt: timeIn(row, "end_time") };
}

/** Times are written without a zone, and are of UTC. */
function timeIn(row: Row, column: string): string | null {
  const found = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,6})?)$/.exec(textIn(row, column));
  if (found === null) return null;
  const time = `${found[1]}T${found[2]}Z`;
  return Number.isNaN(Date.parse(time)) ? null : time;
}

/** The agents' names by the identifier of what asks the model for them. */
function namesOf(database: HeldDatabase, session: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [, row] of rowsOf(database, "agents", session)) {
    const [wrapper, name] = [String(row.wrapper_id ?? ""), textIn(row, "name")];
    if (wrapper !== "" && name !== "") names.set(wrapper, name);
  }
  return names;
}

function factsOf(database: HeldDatabase, session: string): Piece[] {
  return FACTS.flatMap((table) =>
    [...rowsOf(database, table, session)].map(([raw, row]): Piece => {
      const values = Object.entries(row).flatMap(([key, value]) => (value === null ? [] : [`${key}: ${shown(value)}`]));
      return { kind: "printed", text: storable(`${table}\n${values.join("\n")}`), raw: [raw], step: null };
    }),
  );
}

function shown(value: HeldValue): string {
  return value instanceof Uint8Array ? `${value.length} bytes` : String(value);
}

/** The rows of a table that are of a session, or of none because the table has no such column. */
function* rowsOf(database: HeldDatabase, table: string, session: string): Generator<[RawSpan, Row]> {
  if (!database.tables.includes(table)) return;
  let n = 0;
  for (const row of database.rows(table)) {
    n++;
    const isOwn = !Object.hasOwn(row, "session_id") || textIn(row, "session_id") === session;
    if (isOwn) yield [{ line: null, pointer: null, start: null, end: null, file: `${table}/${n}` }, row];
  }
}

function textIn(row: Row, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value : "";
}
