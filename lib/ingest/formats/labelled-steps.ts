import { IngestError } from "@/lib/errors";
import { TRAJECTORY_VERSION } from "@/lib/trajectory/schema";
import type { Adapter, Parsed, ReportProgress } from "../adapter";
import { type Content, isJsonContent } from "../content";
import { EntryWriter, HARNESS, PERSON } from "../entries";
import { NoteBook } from "../notes";
import { splitRows } from "../rows/row-parts";
import { type Row, unitsOf } from "../rows/rows";
import { type JsonObject, listMember, stringMember } from "../safe-json";
import { aboutLabelledSteps } from "./labelled-steps/about";
import { sniffLabelledSteps } from "./labelled-steps/detection";
import { LABEL_COLUMNS, readLabel } from "./labelled-steps/label";
import { StepWriter } from "./labelled-steps/steps";

/** Rows of labelled failures: the steps of a run, and the one that somebody said decided it (docs/formats.md). */
export const labelledSteps: Adapter = {
  id: "labelled-steps",
  about: aboutLabelledSteps,
  sniff: sniffLabelledSteps,
  split: splitRows,
  parse: parseLabelledSteps,
};

const REPORT_EVERY = 100;

function parseLabelledSteps(content: Content, report: ReportProgress): Parsed {
  const notes = new NoteBook();
  const row = theRow(content, notes);
  const writer = new EntryWriter();
  const statement = statementOf(row.value);
  if (statement !== null) {
    const raw = [row.places.member("task")];
    writer.addContext({ contextKind: "task", author: PERSON, sourceSteps: [], raw, text: statement });
  }
  addOtherColumns(writer, row, notes, statement !== null);
  const steps = new StepWriter(writer, notes, statement);
  for (const [n, step] of listMember(row.value, "steps").entries()) {
    steps.add(step, n, row.places.element("steps", n));
    if (n % REPORT_EVERY === 0) report(0, writer.turnCount);
  }
  report(content.source.bytes.length, writer.turnCount);
  const model = stringMember(row.value, "model");
  return {
    trajectory: {
      version: TRAJECTORY_VERSION,
      format: { id: "labelled-steps", variant: steps.variant },
      framework: { name: stringMember(row.value, "source") ?? "unknown", version: null },
      models: model === null ? [] : [model],
      title: stringMember(row.value, "id"),
      task: {
        statement,
        instance: statement === null ? stringMember(row.value, "task") : null,
        repository: null,
        baseCommit: null,
      },
      agents: steps.agents.length > 0 ? steps.agents : [{ id: "main", name: "agent", startedByTurn: null }],
      entries: writer.finish(),
      deliveredPatch: null,
      exitStatus: null,
      totals: { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null, durationMs: null },
      notes: notes.list(),
    },
    failure: readLabel(row.value),
  };
}

function theRow(content: Content, notes: NoteBook): Row {
  if (!isJsonContent(content)) throw new IngestError("malformed", "rows of labelled failures are JSON or JSON Lines");
  for (const { row } of unitsOf(content, notes)) if (row !== null) return row;
  throw new IngestError("malformed", "this is no row of labelled failures", { byte: 0, line: 1, pointer: null });
}

/** The task where it is told in words; sets of coding tasks only name it. */
function statementOf(row: JsonObject): string | null {
  const task = stringMember(row, "task");
  return task !== null && /\S\s+\S/.test(task) ? task : null;
}

/** Keeps what a row says besides its steps, and notes where its label stands, which belongs into no trace. */
function addOtherColumns(writer: EntryWriter, row: Row, notes: NoteBook, isTaskShown: boolean): void {
  const rest: [string, JsonObject[string]][] = [];
  const raw = [];
  for (const [key, value] of Object.entries(row.value)) {
    const place = row.places.member(key);
    if (LABEL_COLUMNS.has(key)) {
      const message = "How the run was judged, and the label on it; shown as such, and kept out of the trace";
      notes.add("failure_context", "information", message, place);
    } else if (key !== "steps" && !(key === "task" && isTaskShown)) {
      rest.push([key, value]);
      raw.push(place);
    }
  }
  if (raw.length === 0) return;
  const text = JSON.stringify(Object.fromEntries(rest), null, 2);
  writer.addContext({ contextKind: "metadata", author: HARNESS, sourceSteps: [], raw, text });
}
