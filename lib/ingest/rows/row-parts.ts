import { type Content, isJsonContent } from "../content";
import { lineCounter } from "../line-counter";
import { namedLines } from "../named-lines";
import { NoteBook } from "../notes";
import type { Part } from "../parts";
import { isObject, type JsonObject, stringMember } from "../safe-json";
import { unitsOf, unwrapped } from "./rows";

/** Columns that say which run a row is, the most telling first. */
const NAMES = ["instance_id", "task_id", "traj_id", "trajectory_id", "session_id", "id"];
/** Columns that tell the runs of one task apart. */
const RUNS = ["run_id", "traj_id", "exp_name", "model_name", "model"];

/**
 * The rows of an upload, when there are several: each can be read from its bytes alone. What is no row, or no JSON, is a
 * part as well, which says so.
 */
export function splitRows(content: Content): Part[] {
  if (!isJsonContent(content)) return [];
  if (content.kind === "lines") {
    const parts = [...namedLines(content, [...NAMES, ...RUNS])].map(({ line, start, end, value }, index) => {
      const row = value === null ? undefined : unwrapped(value);
      const name = isObject(row) ? nameOf(row, `line ${line}`) : `line ${line}`;
      return { key: String(index), name, range: { start, end, line, pointer: "" } };
    });
    return parts.length < 2 ? [] : parts;
  }
  const units = [...unitsOf(content, new NoteBook())];
  if (units.length < 2) return [];
  const lineOf = lineCounter(content.source.bytes);
  return units.map(({ index, raw, row }) => {
    const { start, end, pointer } = raw;
    const what = `row ${index}`;
    const range = start === null || end === null ? null : { start, end, line: lineOf(start), pointer: pointer ?? "" };
    return { key: String(index), name: row === null ? what : nameOf(row.value, what), range };
  });
}

function nameOf(row: JsonObject, otherwise: string): string {
  const name = NAMES.map((key) => stringMember(row, key)).find(isTelling) ?? otherwise;
  const run = RUNS.map((key) => stringMember(row, key)).find((text) => isTelling(text) && text !== name);
  return run === undefined || run === null ? name : `${name} · ${run}`;
}

function isTelling(text: string | null): text is string {
  return text !== null && text.trim() !== "";
}
