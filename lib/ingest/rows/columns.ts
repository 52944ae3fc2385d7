import type { RawSpan, Trajectory } from "@/lib/trajectory/schema";
import { type EntryWriter, HARNESS } from "../entries";
import type { NoteBook } from "../notes";
import type { JsonObject, JsonValue } from "../safe-json";
import { isJudgement } from "./judgement";
import { firstText, type Row } from "./rows";

/** What the columns of a row say about the task. */
export function readTask({ value }: Row): Trajectory["task"] {
  return {
    statement: firstText(value, ["problem_statement"]),
    instance: firstText(value, ["instance_id"]),
    repository: firstText(value, ["repo", "repository", "repo_id"]),
    baseCommit: firstText(value, ["base_commit"]),
  };
}

/**
 * Adds the columns of a row that are neither its messages nor a judgement as one item of context. What says how the run
 * was judged, or what it delivered, is noted with its place instead: it is failure context.
 * @param shown the columns that the messages are read from
 */
export function addColumns(writer: EntryWriter, row: Row, shown: ReadonlySet<string>, notes: NoteBook): void {
  const rest: JsonObject = {};
  const raw: RawSpan[] = [];
  for (const [key, value] of Object.entries(row.value)) {
    if (shown.has(key)) continue;
    const place = row.places.member(key);
    if (isJudgement(key)) {
      const message = "Columns that say how the run was judged and what it delivered; shown as such, outside the trace";
      notes.add("failure_context", "information", message, place);
    } else keep(rest, raw, key, value, place);
  }
  for (const [key, value] of Object.entries(row.wrapper?.value ?? {})) {
    if (key === "row" || row.wrapper === null) continue;
    keep(rest, raw, key, value, row.wrapper.places.member(key));
    noteCut(key, value, row, notes);
  }
  if (raw.length === 0) return;
  const text = JSON.stringify(rest, null, 2);
  writer.addContext({ contextKind: "metadata", author: HARNESS, sourceSteps: [], raw, text });
}

function keep(rest: JsonObject, raw: RawSpan[], key: string, value: JsonValue, place: RawSpan): void {
  raw.push(place);
  Object.defineProperty(rest, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The viewer of the hub cuts long cells and says which. */
function noteCut(key: string, value: JsonValue, row: Row, notes: NoteBook): void {
  if (key !== "truncated_cells" || !Array.isArray(value) || value.length === 0) return;
  const message = "Cells that the hub has cut before the row was saved; download the data set for the whole row";
  notes.add("cut_cell", "not_understood", message, row.wrapper?.places.member(key) ?? null, value.length);
}
