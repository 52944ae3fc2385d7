import { IngestError } from "@/lib/errors";
import { TRAJECTORY_VERSION, type Trajectory } from "@/lib/trajectory/schema";
import type { Adapter, Parsed, ReportProgress, Sniff } from "../adapter";
import { type Content, isJsonContent, sampleValues } from "../content";
import { unknownFailure } from "../entries";
import { addEnvelope } from "../envelope";
import { NoteBook } from "../notes";
import { readObjectLines } from "../object-lines";
import { isObject, type JsonObject, member, storable, stringMember } from "../safe-json";
import { decodeUtf8 } from "../text-decoding";
import { aboutCodex } from "./codex/about";
import { heldCalls, pairChannels } from "./codex/channels";
import { type CodexLine, isBareHeader, isStreamEvent, isSubmissionEvent, isWrapped, readLine } from "./codex/lines";
import { RolloutWriter } from "./codex/rollout-writer";
import { Run } from "./codex/run";
import { readSession, sessionDocument } from "./codex/session-document";
import { StreamWriter } from "./codex/stream-writer";
import { statesTotal } from "./codex/usage";

/** Rollout files of Codex of all versions, sessions of the first ones, and what `codex exec --json` prints (formats: docs/formats.md). */
export const codex: Adapter = { id: "codex", about: aboutCodex, sniff: sniffCodex, parse: parseCodex };

function sniffCodex(content: Content): Sniff {
  if (isJsonContent(content) && sessionDocument(content) !== null) {
    return { score: 0.95, reason: "`session` with an `id`, and `items` of a conversation" };
  }
  const values = sampleValues(content).filter(isObject);
  if (values.length === 0) return { score: 0, reason: "no JSON Lines of objects" };
  const most = (is: (value: JsonObject) => boolean): boolean => values.filter(is).length * 2 > values.length;
  if (most(isWrapped))
    return { score: 0.95, reason: "lines with a `payload` of `session_meta`, `response_item` or `event_msg`" };
  if (most(isStreamEvent)) return { score: 0.95, reason: "events named `thread.`, `turn.` and `item.`" };
  if (values.some((value) => Object.hasOwn(value, "record_type")) || values.slice(0, 1).some(isBareHeader)) {
    return { score: 0.9, reason: "a header with `instructions`, or lines with `record_type`" };
  }
  if (most(isSubmissionEvent)) return { score: 0.85, reason: "events under `msg` with an `id`" };
  return { score: 0, reason: "no lines of a rollout and no events of `exec --json`" };
}

const READ: JsonObject = {};

function parseCodex(content: Content, report: ReportProgress): Parsed {
  if (!isJsonContent(content)) throw new IngestError("malformed", "a rollout of Codex is JSON or JSON Lines");
  const notes = new NoteBook();
  const { bytes } = content.source;
  const session = sessionDocument(content);
  const { lines, others } =
    session === null ? readObjectLines(content, notes, report, readLine) : readSession(session, notes);
  const sourceOf = ({ start, end }: { start: number; end: number }): string =>
    storable(decodeUtf8(bytes.subarray(start, end)).text);
  const isStream = lines.some(({ channel }) => channel === "stream");
  const hasMarks = lines.some(({ type, payload }) => type === "token_count" && statesTotal(payload));
  const run = new Run(sourceOf, notes, hasMarks, session === null ? "line" : "item");
  if (session !== null) addEnvelope(run.writer, session.value, session.json.layout, new Set(["items"]));
  pairChannels(lines);
  const rollout = new RolloutWriter(run, heldCalls(lines), notes);
  const stream = new StreamWriter(run);
  const header = new Header(notes);
  let done = 0;
  const all = others.length === 0 ? lines : [...lines, ...others].sort((a, b) => a.line - b.line);
  for (const line of all) {
    // All bytes have been read by now; what grows are the turns.
    if (++done % 500 === 0) report(bytes.length, run.writer.turnCount);
    if ("why" in line) run.unread(line, sourceOf({ start: line.raw.start ?? 0, end: line.raw.end ?? 0 }));
    else {
      if (line.channel === "meta") header.read(line, run);
      if (line.channel === "stream") stream.add(line);
      else rollout.add(line);
      // What was read is let go: a long run would be held twice.
      line.payload = READ;
    }
  }
  rollout.finish();
  const entries = run.writer.finish();
  report(bytes.length, run.writer.turnCount);
  const { tokens, exitStatus } = isStream ? stream : rollout;
  const trajectory: Trajectory = {
    version: TRAJECTORY_VERSION,
    format: { id: "codex", variant: session === null ? variantOf(lines, header, isStream) : "session document" },
    framework: { name: "Codex", version: header.version },
    models: [...run.models],
    title: rollout.title,
    task: {
      statement: rollout.task,
      instance: null,
      repository: header.repository,
      baseCommit: header.commit,
    },
    agents: [{ id: "main", name: header.agentName ?? "Codex", startedByTurn: null }],
    entries,
    deliveredPatch: null,
    exitStatus,
    totals: { ...tokens.totals(), costUsd: null, durationMs: durationOf(lines) },
    notes: notes.list(),
  };
  return { trajectory, failure: unknownFailure() };
}

/** What the first header says of the session; further ones are of the sessions that it was resumed or forked from. */
class Header {
  version: string | null = null;
  repository: string | null = null;
  commit: string | null = null;
  agentName: string | null = null;
  isSubAgent = false;
  private id: string | null = null;

  constructor(private readonly notes: NoteBook) {}

  read(line: CodexLine, run: Run): void {
    const { payload } = line;
    const id = stringMember(payload, "id") ?? "";
    const isFirst = this.id === null;
    if (!isFirst && id !== this.id) {
      const message = "Headers of other sessions: the file holds a copy of what this one was resumed or forked from";
      this.notes.add("copied_session", "information", message, line.raw);
    }
    run.directory = stringMember(payload, "cwd") ?? run.directory;
    const { git, source } = payload;
    this.repository ??= stringMember(git, "repository_url");
    this.commit ??= stringMember(git, "commit_hash");
    this.version ??= stringMember(payload, "cli_version");
    if (!isFirst) return;
    this.id = id;
    this.isSubAgent = isObject(member(source, "subagent")) || stringMember(source, "subagent") !== null;
    this.agentName = stringMember(payload, "agent_nickname");
  }
}

function variantOf(lines: CodexLine[], header: Header, isStream: boolean): string {
  if (isStream) return "exec --json";
  const headers = lines.filter(({ channel }) => channel === "meta");
  if (headers.length === 0 && lines.every(({ channel }) => channel !== "item")) return "events";
  if (!lines.some(({ isWrapped }) => isWrapped)) return "early rollout";
  if (header.isSubAgent) return "sub-agent rollout";
  return "rollout";
}

/** Times with a zone are compared as texts, which sort as they do; only the first and the last are read. */
function durationOf(lines: CodexLine[]): number | null {
  let [first, last] = ["", ""];
  for (const { timestamp } of lines) {
    if (timestamp === null || (first !== "" && timestamp >= first && timestamp <= last)) continue;
    if (!timestamp.endsWith("Z") || !/^\d{4}-/.test(timestamp)) continue;
    if (first === "" || timestamp < first) first = timestamp;
    if (timestamp > last) last = timestamp;
  }
  const duration = Date.parse(last) - Date.parse(first);
  return duration > 0 ? duration : null;
}
