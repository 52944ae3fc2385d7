import { IngestError } from "@/lib/errors";
import { TRAJECTORY_VERSION } from "@/lib/trajectory/schema";
import type { Adapter, Parsed, ReportProgress } from "../adapter";
import { type Content, isJsonContent } from "../content";
import { unknownFailure } from "../entries";
import { addEnvelope } from "../envelope";
import { NoteBook } from "../notes";
import { isObject, stringMember } from "../safe-json";
import { aboutWhoAndWhen } from "./who-and-when/about";
import { sniffWhoAndWhen } from "./who-and-when/detection";
import { HistoryWriter } from "./who-and-when/history";
import { LABEL_KEYS, readLabels } from "./who-and-when/labels";
import { openRecord, splitWhoAndWhen } from "./who-and-when/records";

/** Records of Who&When with their labels, and the lists of Magentic-One that half of them are made of (docs/formats.md). */
export const whoAndWhen: Adapter = {
  id: "who-and-when",
  about: aboutWhoAndWhen,
  sniff: sniffWhoAndWhen,
  split: splitWhoAndWhen,
  parse: parseWhoAndWhen,
};

const REPORT_EVERY = 100;

function parseWhoAndWhen(content: Content, report: ReportProgress): Parsed {
  if (!isJsonContent(content)) throw new IngestError("malformed", "a record of Who&When is JSON");
  const notes = new NoteBook();
  const { record, rows } = openRecord(content, notes);
  const writer = new HistoryWriter(notes, record === null ? "messages" : "history");
  const question = record === null ? null : stringMember(record.value, "question");
  if (record !== null) {
    writer.addSystem(record.value.system_prompt, record.place("system_prompt"));
    if (question !== null) writer.addQuestion(question, record.place("question"));
  }
  let added = 0;
  for (const row of rows) {
    writer.add(row);
    if (++added % REPORT_EVERY === 0) report(row.raw.end ?? 0, writer.writer.turnCount);
  }
  if (record !== null) {
    const shown = new Set([record.listKey, ...LABEL_KEYS, ...writer.shown]);
    addEnvelope(writer.writer, record.value, record.layout, shown);
    for (const key of LABEL_KEYS) {
      const message = "How the run was judged, and the labels on it; shown as such, and kept out of the trace";
      if (Object.hasOwn(record.value, key)) {
        notes.add("failure_context", "information", message, record.place(key));
      }
    }
  }
  report(content.source.bytes.length, writer.writer.turnCount);
  const isMagentic = writer.agents.some(({ name }) => name === "Orchestrator");
  const variant = variantOf(record !== null, isMagentic);
  return {
    trajectory: {
      version: TRAJECTORY_VERSION,
      format: { id: "who-and-when", variant },
      framework: { name: isMagentic ? "Magentic-One" : "AutoGen", version: null },
      models: [],
      title: null,
      task: {
        statement: question ?? writer.task?.text ?? null,
        instance: record === null ? null : stringMember(record.value, "question_ID"),
        repository: null,
        baseCommit: null,
      },
      agents: writer.agents.length > 0 ? writer.agents : [{ id: "main", name: "agent", startedByTurn: null }],
      entries: writer.writer.finish(),
      deliveredPatch: null,
      exitStatus: writer.ending,
      totals: { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null, durationMs: null },
      notes: notes.list(),
    },
    failure: record === null || !isObject(record.value) ? unknownFailure() : readLabels(record.value, variant),
  };
}

function variantOf(isRecord: boolean, isMagentic: boolean): string {
  if (!isRecord) return "Magentic-One list";
  return isMagentic ? "hand-crafted" : "algorithm-generated";
}
