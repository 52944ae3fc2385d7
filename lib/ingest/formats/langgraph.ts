import { TRAJECTORY_VERSION, type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import type { Adapter, Parsed, ReportProgress, Sniff } from "../adapter";
import { type Content, isJsonContent, sampleValues } from "../content";
import { EntryWriter, HARNESS, unknownFailure } from "../entries";
import { NoteBook } from "../notes";
import { decodeUtf8 } from "../text-decoding";
import { usageOfTurns } from "../usage-sum";
import { aboutLangGraph } from "./langgraph/about";
import type { Checkpoint } from "./langgraph/checkpoint";
import { isCheckpointer, otherTables, readThread, threadsIn } from "./langgraph/database";
import { GraphWriter } from "./langgraph/graph-writer";
import { splitRuns } from "./langgraph/splitting";
import { isState, mostlyMessages, readStates } from "./langgraph/states";

/** Checkpoint databases and states of LangGraph, which Deep Agents run on (docs/formats.md). */
export const langGraph: Adapter = {
  id: "langgraph",
  about: aboutLangGraph,
  sniff: sniffLangGraph,
  split: splitRuns,
  parse: parseLangGraph,
};

function sniffLangGraph(content: Content): Sniff {
  if (content.kind === "database") {
    return isCheckpointer(content.database)
      ? { score: 0.95, reason: "a database with `checkpoints` and `writes`" }
      : { score: 0, reason: "a database without checkpoints" };
  }
  if (!isJsonContent(content)) return { score: 0, reason: "not JSON" };
  const value = content.kind === "document" ? content.json.value : null;
  const values = Array.isArray(value) ? value : content.kind === "lines" ? sampleValues(content) : [value];
  if (Array.isArray(value) && mostlyMessages(value)) return { score: 0.9, reason: "a list of messages of LangChain" };
  const states = values.slice(0, 50).filter(isState).length;
  return states > 0 && states * 2 >= Math.min(values.length, 50)
    ? { score: 0.9, reason: "a state with messages of LangChain" }
    : { score: 0, reason: "no state with messages of LangChain" };
}

function parseLangGraph(content: Content, report: ReportProgress, key: string | null): Parsed {
  const notes = new NoteBook();
  const writer = new EntryWriter();
  const isDatabase = content.kind === "database";
  const size = content.source.bytes.length;
  const opened = isDatabase ? openThread(content, key, notes) : null;
  const states = opened === null ? readStates(content, notes) : null;
  const checkpoints: Checkpoint[] = opened?.checkpoints ?? states?.checkpoints ?? [];
  report(0, 0);
  const graph = new GraphWriter(writer, notes, "LangGraph");
  graph.write(checkpoints);
  if (states?.beside) {
    const { value, raw } = states.beside;
    const text = JSON.stringify(value, null, 2);
    if (raw.length > 0) writer.addContext({ contextKind: "metadata", author: HARNESS, sourceSteps: [], raw, text });
  } else graph.writeRest(opened?.loose ?? []);
  for (const { at } of states?.broken ?? []) {
    const { text } = decodeUtf8(content.source.bytes.subarray(at.start ?? 0, at.end ?? 0));
    writer.addContext({ contextKind: "opaque", author: HARNESS, sourceSteps: [], raw: [at], text });
  }
  const entries = writer.finish();
  const trajectory: Trajectory = {
    version: TRAJECTORY_VERSION,
    format: { id: "langgraph", variant: isDatabase ? "checkpoints" : checkpoints.length > 1 ? "states" : "state" },
    framework: { name: graph.isDeepAgents ? "Deep Agents" : "LangGraph", version: null },
    models: [...graph.conversation.models],
    title: null,
    task: { statement: graph.conversation.task, instance: null, repository: null, baseCommit: null },
    agents: graph.agents,
    entries,
    deliveredPatch: null,
    exitStatus: null,
    totals: { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null, durationMs: null },
    notes: notes.list(),
  };
  trajectory.totals = {
    ...usageOfTurns(turnsOf(trajectory)),
    costUsd: null,
    durationMs: durationOf(checkpoints),
  };
  report(size, writer.turnCount);
  return { trajectory, failure: unknownFailure() };
}

function openThread(
  { database }: Extract<Content, { kind: "database" }>,
  key: string | null,
  notes: NoteBook,
): ReturnType<typeof readThread> {
  const opened = readThread(database, key ?? threadsIn(database)[0] ?? "", notes);
  for (const { table, rows } of otherTables(database)) {
    const at = { line: null, pointer: null, start: null, end: null, file: table };
    notes.add("table_not_read", "not_understood", "Rows of tables that are none of LangGraph's checkpoints", at, rows);
  }
  return opened;
}

/** From the first checkpoint to the last, in milliseconds; null where they have no times. */
function durationOf(checkpoints: readonly Checkpoint[]): number | null {
  const times = checkpoints.map(({ time }) => Date.parse(time ?? "")).filter((time) => Number.isFinite(time));
  if (times.length < 2) return null;
  const [first, last] = times.reduce(
    ([low, high], time) => [Math.min(low, time), Math.max(high, time)],
    [Infinity, -Infinity],
  );
  return last - first;
}
