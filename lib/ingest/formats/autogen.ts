import { IngestError } from "@/lib/errors";
import { TRAJECTORY_VERSION, type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import type { Adapter, Parsed, ReportProgress } from "../adapter";
import type { Content } from "../content";
import { type EntryWriter, HARNESS, unknownFailure } from "../entries";
import { addEnvelope } from "../envelope";
import { NoteBook } from "../notes";
import { isObject, type JsonObject, type JsonValue, storable, stringMember } from "../safe-json";
import { usageOfTurns } from "../usage-sum";
import { aboutAutoGen } from "./autogen/about";
import { readPiece } from "./autogen/chat-json";
import { ChatWriter } from "./autogen/chat-writer";
import { readConsoleLog } from "./autogen/console-log";
import { ContentText } from "./autogen/content-text";
import { readCost } from "./autogen/cost";
import { isEvent, shapeOf, sniffAutoGen } from "./autogen/detection";
import { readEvent } from "./autogen/events";
import type { Piece } from "./autogen/pieces";
import { openRows } from "./autogen/rows";
import { otherTables, readSession, sessionsIn } from "./autogen/runtime-log";
import { findLists, withoutLists } from "./autogen/state-lists";
import { readTeamConsole } from "./autogen/team-console";
import { mergeState } from "./autogen/team-state";
import { TeamWriter } from "./autogen/team-writer";

/** Chats of AutoGen 0.2 and AG2, messages and saved states of AutoGen 0.4 and later, and printed chats (docs/formats.md). */
export const autoGen: Adapter = {
  id: "autogen",
  about: aboutAutoGen,
  sniff: sniffAutoGen,
  split: (content) => (content.kind === "database" ? sessionsIn(content.database) : []),
  parse: parseAutoGen,
};

const REPORT_EVERY = 200;

function parseAutoGen(content: Content, report: ReportProgress, key: string | null): Parsed {
  const notes = new NoteBook();
  if (content.kind === "database") return parseDatabase(content, report, notes, key);
  const found = shapeOf(content);
  if (found?.shape === "log") return parseLog(content, report, notes);
  if (found?.shape === "console") return parseConsole(content, report, notes);
  if (found?.shape === "state") return parseState(content, report, notes);
  if (found?.shape === "events") return parseEvents(content, report, notes);
  return parseChat(content, report, notes);
}

/** What a run has besides its entries. */
interface Facts {
  variant: string;
  statement: string | null;
  exitStatus: string | null;
  models?: string[];
  totals?: Trajectory["totals"] | null;
}

const NOT_UTF8 = "Bytes that are not UTF-8, replaced by U+FFFD";

function parseLog(content: Content, report: ReportProgress, notes: NoteBook): Parsed {
  const { bytes } = content.source;
  const { pieces, replaced } = readConsoleLog(bytes);
  notes.add("invalid_utf8", "repaired", NOT_UTF8, null, replaced);
  const writer = writeChat(pieces, report, notes);
  report(bytes.length, writer.writer.turnCount);
  const facts = { variant: "0.2 console log", statement: writer.statement, exitStatus: endingOf(pieces) };
  return parsed(writer, facts, notes);
}

function parseDatabase(
  { source, database }: Extract<Content, { kind: "database" }>,
  report: ReportProgress,
  notes: NoteBook,
  key: string | null,
): Parsed {
  const session = key ?? sessionsIn(database)[0]?.key ?? "";
  const pieces = readSession(database, session, new ContentText(notes), notes);
  for (const { table, rows } of otherTables(database)) {
    const at = { line: null, pointer: null, start: null, end: null, file: table };
    notes.add(
      "table_not_read",
      "not_understood",
      "Rows of tables that are not of what was asked and answered",
      at,
      rows,
    );
  }
  const writer = writeChat(pieces, report, notes);
  report(source.bytes.length, writer.writer.turnCount);
  const models = [...new Set(pieces.flatMap((piece) => (piece.kind === "message" ? (piece.reply?.model ?? []) : [])))];
  const exitStatus = endingOf(pieces);
  return parsed(writer, { variant: "0.2 runtime log", statement: writer.statement, exitStatus, models }, notes);
}

function parseChat(content: Content, report: ReportProgress, notes: NoteBook): Parsed {
  const { rows, around } = openRows(content, notes);
  const texts = new ContentText(notes);
  const pieces = [...rows].map((row) => readPiece(row, texts, notes));
  const writer = writeChat(pieces, report, notes);
  const cost = around === null ? null : readCost(around.value.cost);
  if (around !== null) addAround(writer.writer, around.value, around.layout, around.listKey);
  report(content.source.bytes.length, writer.writer.turnCount);
  const variant = around?.listKey === "chat_history" ? "0.2 chat history" : "0.2 messages";
  const facts = { variant, statement: writer.statement, exitStatus: endingOf(pieces), ...cost };
  return parsed(writer, facts, notes);
}

function writeChat(pieces: readonly Piece[], report: ReportProgress, notes: NoteBook): ChatWriter {
  const writer = new ChatWriter(pieces, notes);
  for (const [n, piece] of pieces.entries()) {
    writer.add(piece);
    if (n % REPORT_EVERY === REPORT_EVERY - 1) report(piece.raw[0]?.end ?? 0, writer.writer.turnCount);
  }
  return writer;
}

/** How a chat says that it ended: the word that most of them end with. */
function endingOf(pieces: readonly Piece[]): string | null {
  const last = pieces.findLast((piece) => piece.kind === "message");
  const isEnded = last?.kind === "message" && /\bTERMINATE\b[\s.`"'*]*$/.test(last.text.slice(-40));
  return isEnded ? "TERMINATE" : null;
}

function parseEvents(content: Content, report: ReportProgress, notes: NoteBook): Parsed {
  const { rows, around } = openRows(content, notes);
  const team = new TeamWriter(new ContentText(notes), notes);
  let count = 0;
  for (const row of rows) {
    if ("text" in row) team.addOpaque(readEvent({}, row.raw, row.step), "line_not_understood", row.text);
    else if (isEvent(row.value) || isTyped(row.value)) team.add(readEvent(row.value, row.raw, row.step));
    else {
      const text = storable(JSON.stringify(row.value, null, 2));
      team.addOpaque(readEvent({}, row.raw, row.step), "event_not_understood", text);
    }
    if (++count % REPORT_EVERY === 0) report(row.raw.end ?? 0, team.writer.turnCount);
  }
  team.endChunks();
  if (around !== null) addAround(team.writer, around.value, around.layout, around.listKey);
  report(content.source.bytes.length, team.writer.turnCount);
  const exitStatus = around === null ? null : stringMember(around.value, "stop_reason");
  return parsed(team, { variant: "0.4 messages", statement: team.task?.text ?? null, exitStatus }, notes);
}

/** An event of a type that is not known: whoever wrote the program can add types of their own. */
function isTyped(value: JsonValue): value is JsonObject {
  return isObject(value) && typeof value.source === "string" && typeof value.type === "string";
}

function parseConsole(content: Content, report: ReportProgress, notes: NoteBook): Parsed {
  const { bytes } = content.source;
  const { pieces, exitStatus, totals, replaced } = readTeamConsole(bytes);
  notes.add("invalid_utf8", "repaired", NOT_UTF8, null, replaced);
  const team = new TeamWriter(new ContentText(notes), notes);
  for (const [n, piece] of pieces.entries()) {
    if (piece.kind === "event") team.add(piece.event);
    else {
      const { text, raw } = piece;
      team.writer.addContext({ contextKind: "metadata", author: HARNESS, sourceSteps: [], raw: [raw], text });
    }
    if (n % REPORT_EVERY === REPORT_EVERY - 1)
      report((piece.kind === "event" ? piece.event.raw[0] : piece.raw)?.end ?? 0, team.writer.turnCount);
  }
  report(bytes.length, team.writer.turnCount);
  const facts = { variant: "0.4 console log", statement: team.task?.text ?? null, exitStatus, totals };
  return parsed(team, facts, notes);
}

function parseState(content: Content, report: ReportProgress, notes: NoteBook): Parsed {
  if (content.kind !== "document" || !isObject(content.json.value)) {
    throw new IngestError("malformed", "a saved state of AutoGen is one JSON document");
  }
  const { bytes } = content.source;
  const document = content.json.value;
  notes.addRepairs(content.json.repairs, null);
  const { events, broken } = mergeState(findLists(document, bytes, content.start));
  const team = new TeamWriter(new ContentText(notes), notes);
  for (const event of events) team.add(event);
  for (const event of broken) {
    team.addOpaque(event, "message_not_understood", storable(JSON.stringify(event.content ?? null)));
  }
  team.endChunks();
  const raw = [{ line: null, pointer: "", start: content.start, end: endOf(bytes) }];
  const author = { role: "harness" as const, name: null };
  const text = withoutLists(document);
  team.writer.addContext({ contextKind: "metadata", author, sourceSteps: [], raw, text });
  report(bytes.length, team.writer.turnCount);
  const variant = stringMember(document, "type") === "TeamState" ? "0.4 team state" : "0.4 agent state";
  return parsed(team, { variant, statement: team.task?.text ?? null, exitStatus: null }, notes);
}

/** The place behind the last byte that is no blank. */
function endOf(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] ?? 0) <= 0x20) end--;
  return end;
}

function addAround(
  writer: EntryWriter,
  document: JsonObject,
  layout: Parameters<typeof addEnvelope>[2],
  listKey: string,
): void {
  addEnvelope(writer, document, layout, new Set([listKey]));
}

function parsed(run: ChatWriter | TeamWriter, facts: Facts, notes: NoteBook): Parsed {
  const { writer, agents } = run;
  const entries = writer.finish();
  const trajectory: Trajectory = {
    version: TRAJECTORY_VERSION,
    format: { id: "autogen", variant: facts.variant },
    framework: { name: "AutoGen", version: null },
    models: facts.models ?? [],
    title: null,
    task: { statement: facts.statement, instance: null, repository: null, baseCommit: null },
    agents: agents.length > 0 ? agents : [{ id: "main", name: "assistant", startedByTurn: null }],
    entries,
    deliveredPatch: null,
    exitStatus: facts.exitStatus,
    totals: { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null, durationMs: null },
    notes: notes.list(),
  };
  const turns = turnsOf(trajectory);
  const { inputTokens, outputTokens, costUsd } = usageOfTurns(turns);
  const times = turns.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt]).flatMap((at) => at ?? []);
  const [first, last] = [times[0], times.at(-1)];
  const took = first === undefined || last === undefined ? 0 : Date.parse(last) - Date.parse(first);
  trajectory.totals = facts.totals ?? {
    ...trajectory.totals,
    inputTokens,
    outputTokens,
    costUsd,
    durationMs: took > 0 ? took : null,
  };
  return { trajectory, failure: unknownFailure() };
}
