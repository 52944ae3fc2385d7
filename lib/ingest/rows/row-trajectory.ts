import { IngestError } from "@/lib/errors";
import { TRAJECTORY_VERSION, type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import type { Parsed, ReportProgress } from "../adapter";
import { type Content, isJsonContent, type JsonContent } from "../content";
import { EntryWriter } from "../entries";
import { addEnvelope } from "../envelope";
import { NoteBook } from "../notes";
import { isObject } from "../safe-json";
import { addColumns, readTask } from "./columns";
import { readJudgement } from "./judgement";
import { isRowsAnswer, type Row, unitsOf } from "./rows";

/** What one row is read with. */
export interface RowReading {
  row: Row;
  writer: EntryWriter;
  notes: NoteBook;
}

/** What a format says about a row once its messages are read. */
export interface RowFacts {
  variant: string;
  framework: string;
  models: string[];
  agent: string;
  /** The task as the messages give it; the row's own statement goes before it. */
  statement: string | null;
  durationMs: number | null;
}

/**
 * Reads the one row of an upload, or of a part of it, into a trajectory: columns, messages, and how the run was judged.
 * @param columns those that `read` takes the messages from
 * @throws IngestError `malformed` when there is no row.
 */
export function parseRow(
  content: Content,
  report: ReportProgress,
  format: string,
  columns: ReadonlySet<string>,
  read: (reading: RowReading) => RowFacts,
): Parsed {
  if (!isJsonContent(content)) throw new IngestError("malformed", "rows of a data set are JSON or JSON Lines");
  const notes = new NoteBook();
  const row = theRow(content, notes);
  const writer = new EntryWriter();
  report(0, 0);
  addAnswer(writer, content);
  addColumns(writer, row, columns, notes);
  const facts = read({ row, writer, notes });
  const { failure, patch, exitStatus } = readJudgement(row.value);
  const task = readTask(row);
  const trajectory: Trajectory = {
    version: TRAJECTORY_VERSION,
    format: { id: format, variant: facts.variant },
    framework: { name: facts.framework, version: null },
    models: facts.models,
    title: null,
    task: { ...task, statement: task.statement ?? facts.statement },
    agents: [{ id: "main", name: facts.agent, startedByTurn: null }],
    entries: writer.finish(),
    deliveredPatch: patch,
    exitStatus,
    totals: {
      inputTokens: null,
      cachedTokens: null,
      outputTokens: null,
      costUsd: null,
      durationMs: facts.durationMs,
    },
    notes: notes.list(),
  };
  report(content.source.bytes.length, turnsOf(trajectory).length);
  return { trajectory, failure };
}

function theRow(content: JsonContent, notes: NoteBook): Row {
  for (const { row } of unitsOf(content, notes)) if (row !== null) return row;
  throw new IngestError("malformed", "this is no row of a data set", { byte: 0, line: 1, pointer: null });
}

/** Keeps what an answer of the rows API says around its rows: the columns and their types, how many rows there are. */
function addAnswer(writer: EntryWriter, content: JsonContent): void {
  if (content.kind !== "document") return;
  const { value, layout } = content.json;
  if (isObject(value) && isRowsAnswer(value)) addEnvelope(writer, value, layout, new Set(["rows"]));
}
