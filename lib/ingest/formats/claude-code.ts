import { IngestError } from "@/lib/errors";
import {
  type Agent,
  type ContextItem,
  type RawSpan,
  TRAJECTORY_VERSION,
  type Trajectory,
  type Turn,
} from "@/lib/trajectory/schema";
import type { Adapter, Parsed, ReportProgress, Sniff } from "../adapter";
import { type Content, isJsonContent, sampleValues } from "../content";
import { HARNESS, unknownFailure } from "../entries";
import { NoteBook } from "../notes";
import { type OtherLine, readObjectLines } from "../object-lines";
import { isObject, type JsonObject, member, storable, stringMember } from "../safe-json";
import { decodeUtf8 } from "../text-decoding";
import { usageOfTurns } from "../usage-sum";
import { aboutClaudeCode } from "./claude-code/about";
import { findBranches } from "./claude-code/branches";
import { attachmentText, isBookkeeping, titleOf } from "./claude-code/other-lines";
import { isMessage, readRecord, type SessionRecord } from "./claude-code/records";
import { SessionWriter } from "./claude-code/session-writer";
import { findThreads, MAIN, type Threads } from "./claude-code/threads";

/** Session files of Claude Code, JSON Lines (formats: docs/formats.md). */
export const claudeCode: Adapter = {
  id: "claude-code",
  about: aboutClaudeCode,
  sniff: sniffClaudeCode,
  parse: parseClaudeCode,
};

const OWN_FIELDS = ["uuid", "parentUuid", "sessionId", "isSidechain"];

function sniffClaudeCode(content: Content): Sniff {
  const values = sampleValues(content).filter(isObject);
  if (values.length === 0) return { score: 0, reason: "no JSON Lines of objects" };
  const isStream = values.some(
    (value) =>
      Object.hasOwn(value, "parent_tool_use_id") ||
      (value.type === "system" && value.subtype === "init") ||
      value.type === "stream_event",
  );
  if (isStream) return { score: 0, reason: "lines of a stream, not of a session file" };
  if (values.some(isIflow)) return { score: 0, reason: "lines of an iFlow session" };
  const messages = values.filter((value) => {
    const role = stringMember(value, "type");
    const said = member(value, "message");
    if ((role !== "user" && role !== "assistant") || !isObject(said)) return false;
    const content = member(said, "content");
    return (typeof content === "string" || Array.isArray(content)) && !Object.hasOwn(said, "parts");
  });
  if (messages.length === 0) {
    const isOwn = values.some(
      (value) =>
        value.type === "file-history-snapshot" || (value.type === "summary" && Object.hasOwn(value, "leafUuid")),
    );
    return isOwn
      ? { score: 0.6, reason: "lines of a session's own books" }
      : { score: 0, reason: "no lines of type user or assistant with a message" };
  }
  const marked = messages.filter((value) => OWN_FIELDS.every((field) => Object.hasOwn(value, field)));
  if (marked.length * 2 >= messages.length) {
    return { score: 0.95, reason: "lines of type user and assistant with `uuid`, `parentUuid` and `sessionId`" };
  }
  const partly = messages.some((value) => OWN_FIELDS.some((field) => Object.hasOwn(value, field)));
  return partly
    ? { score: 0.85, reason: "lines of type user and assistant, some with `uuid` or `sessionId`" }
    : { score: 0.6, reason: "lines of type user and assistant with a message, without identifiers" };
}

/** iFlow CLI writes the same lines, with its own identifiers and tools. */
function isIflow(value: JsonObject): boolean {
  const id = stringMember(member(value, "message"), "id");
  return (id?.startsWith("response-") ?? false) && (stringMember(value, "sessionId")?.startsWith("session-") ?? false);
}

function parseClaudeCode(content: Content, report: ReportProgress): Parsed {
  if (!isJsonContent(content)) throw new IngestError("malformed", "a session of Claude Code is JSON Lines");
  const notes = new NoteBook();
  const { lines: records, others } = readObjectLines(content, notes, report, readRecord);
  const byUuid = new Map<string, SessionRecord>();
  const kept = withoutRepeats(records, byUuid, notes);
  const threads = findThreads(kept, byUuid);
  const branches = findBranches(kept, byUuid);
  const { bytes } = content.source;
  const sourceOf = ({ raw }: { raw: RawSpan }): string =>
    storable(decodeUtf8(bytes.subarray(raw.start ?? 0, raw.end ?? 0)).text);
  const session = new SessionWriter(threads, branches, sourceOf, notes);

  const title = writeLines(
    session,
    [...kept, ...others].sort((a, b) => a.line - b.line),
    sourceOf,
    notes,
    (turnsDone) => report(bytes.length, turnsDone),
  );
  session.finish();
  noteSessions(kept, notes);
  const entries = session.writer.entries;
  const turns = entries.filter((entry): entry is Turn => entry.kind === "turn");
  const agents = linkAgents(session, threads, turns, notes);
  report(bytes.length, turns.length);
  const version = kept.map((record) => stringMember(record.value, "version")).find((text) => text !== null) ?? null;
  const features = [threads.subAgents.length > 0 ? "with sub-agents" : "", branches.size > 0 ? "with rewinds" : ""];
  return {
    trajectory: {
      version: TRAJECTORY_VERSION,
      format: {
        id: "claude-code",
        variant: [threads.isSubAgentFile ? "sub-agent session" : "session", ...features]
          .filter((text) => text !== "")
          .join(" "),
      },
      framework: { name: "Claude Code", version },
      models: [...session.models],
      title,
      task: { statement: session.task ?? session.commandTask, instance: null, repository: null, baseCommit: null },
      agents,
      entries,
      deliveredPatch: null,
      exitStatus: session.isInterrupted && endsInterrupted(entries) ? "interrupted" : null,
      totals: totalsOf(turns, kept),
      notes: notes.list(),
    },
    failure: unknownFailure(),
  };
}

/**
 * A resumed session writes old lines again: the same message under the same uuid counts once. A uuid that different
 * lines share cannot say what follows what, so it links nothing.
 */
function withoutRepeats(
  records: SessionRecord[],
  byUuid: Map<string, SessionRecord>,
  notes: NoteBook,
): SessionRecord[] {
  const shared = new Set<string>();
  const said = (record: SessionRecord): string => JSON.stringify(record.message ?? record.value);
  const kept = records.filter((record) => {
    if (record.uuid === null) return true;
    const first = byUuid.get(record.uuid);
    if (!first) {
      byUuid.set(record.uuid, record);
      return true;
    }
    if (first.type === record.type && said(first) === said(record)) {
      const message = "Lines that repeat an earlier one with the same uuid; shown once";
      notes.add("repeated_line", "information", message, record.raw);
      first.repeats.push(record.raw);
      return false;
    }
    shared.add(record.uuid);
    const message = "Lines that have the uuid of another line; both are kept";
    notes.add("uuid_used_twice", "information", message, record.raw);
    return true;
  });
  for (const uuid of shared) byUuid.delete(uuid);
  return kept;
}

function writeLines(
  session: SessionWriter,
  lines: (SessionRecord | OtherLine)[],
  sourceOf: (line: { raw: RawSpan }) => string,
  notes: NoteBook,
  reportTurns: (turnsDone: number) => void,
): string | null {
  let title: { text: string; rank: number } | null = null;
  let books: Books | undefined;
  let done = 0;
  for (const record of lines) {
    // All bytes have been read by now; what grows are the turns.
    if (++done % 500 === 0) reportTurns(session.writer.turnCount);
    if ("why" in record) {
      notes.add(
        "line_not_understood",
        "not_understood",
        `Lines that could not be read, such as ${record.why}`,
        record.raw,
      );
      session.opaqueLine(record, sourceOf(record));
      continue;
    }
    const named = titleOf(record);
    if (named && named.rank >= (title?.rank ?? 0)) title = named;
    if (isMessage(record)) {
      if (record.type === "assistant") session.addAssistant(record);
      else session.addUser(record);
    } else if (record.type === "system" && stringMember(record.value, "subtype") === "compact_boundary") {
      session.context(record, "compaction", HARNESS, stringMember(record.value, "content") ?? sourceOf(record));
    } else if (record.type === "attachment") {
      const { text, isPrompt } = attachmentText(record);
      if (isPrompt) session.addUserText(record, text);
      else session.context(record, "injected", HARNESS, text);
    } else if (isBookkeeping(record)) {
      // Hundreds of lines of the same kind can follow each other (progress): they are one entry.
      if (books?.type === record.type && session.writer.entries.at(-1) === books.entry) {
        books.entry.text += `\n${sourceOf(record)}`;
        books.entry.raw.push(record.raw);
      } else books = { type: record.type, entry: session.context(record, "metadata", HARNESS, sourceOf(record)) };
    } else session.opaque(record, record.type === "" ? "a line without a type" : `a line of type ${record.type}`);
  }
  return title?.text ?? null;
}

/** The metadata entry that the last line of the session's own books went to. */
interface Books {
  type: string;
  entry: ContextItem;
}

function linkAgents(session: SessionWriter, threads: Threads, turns: Turn[], notes: NoteBook): Agent[] {
  const startedBy = new Map<string, number>();
  const firstTurns = new Map<string, Turn>();
  for (const turn of turns) if (!firstTurns.has(turn.agent)) firstTurns.set(turn.agent, turn);
  const agents: Agent[] = [{ id: MAIN, name: "Claude Code", startedByTurn: null }];
  for (const { key, name, startedByCall } of threads.subAgents) {
    const turn = startedByCall === null ? null : session.turnOfCall(startedByCall);
    if (turn) startedBy.set(key, turn.index);
    else {
      const first = firstTurns.get(key)?.items[0]?.raw[0] ?? null;
      notes.add(
        "agent_not_linked",
        "information",
        "Sub-agents of which the call that started them cannot be told",
        first,
      );
    }
    agents.push({ id: key, name, startedByTurn: turn?.index ?? null });
  }
  for (const turn of turns) turn.parentTurn = startedBy.get(turn.agent) ?? null;
  return agents;
}

function noteSessions(records: SessionRecord[], notes: NoteBook): void {
  const firsts = new Map<string, SessionRecord>();
  for (const record of records.filter(isMessage)) {
    if (record.sessionId !== null && !firsts.has(record.sessionId)) firsts.set(record.sessionId, record);
  }
  if (firsts.size < 2) return;
  for (const record of firsts.values()) {
    notes.add(
      "several_sessions",
      "information",
      "The file holds several sessions; they follow each other as in the file",
      record.raw,
    );
  }
}

function endsInterrupted(entries: Trajectory["entries"]): boolean {
  const last = entries.findLast(
    (entry) => entry.kind === "turn" || entry.author.role === "person" || entry.contextKind === "injected",
  );
  return last?.kind === "context" && last.text.includes("[Request interrupted by user");
}

function totalsOf(turns: Turn[], records: SessionRecord[]): Trajectory["totals"] {
  const usage = usageOfTurns(turns);
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { timeMs } of records) {
    if (timeMs < first) first = timeMs;
    if (timeMs > last) last = timeMs;
  }
  return {
    ...usage,
    costUsd: null,
    durationMs: last > first ? last - first : null,
  };
}
