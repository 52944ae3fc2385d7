import type { Adapter, Sniff } from "../adapter";
import { type Content, isJsonContent } from "../content";
import { splitRows } from "../rows/row-parts";
import { parseRow } from "../rows/row-trajectory";
import { sampleRows } from "../rows/rows";
import { isObject, type JsonValue, member, stringMember } from "../safe-json";
import { aboutMessageRows } from "./message-rows/about";
import { MESSAGE_COLUMNS, messagesIn } from "./message-rows/columns";
import { readRun } from "./message-rows/run";

/** Rows of data sets that hold a run as a list of messages: SWE-Gym, SWE-rebench, SWE-smith and their like (docs/formats.md). */
export const messageRows: Adapter = {
  id: "message-rows",
  about: aboutMessageRows,
  sniff,
  split: splitRows,
  parse: (content, report) => parseRow(content, report, "message-rows", MESSAGE_COLUMNS, readRun),
};

/** Columns that a data set has and a request or a log of an API has not. */
const MARKS = ["instance_id", "trajectory_id", "traj_id", "run_id", "exp_name", "resolved", "model_patch", "row_idx"];
/** Keys of other formats that hold messages of an instance too. */
const OTHERS = ["trajectory_format", "info", "history", "environment", "mistake_agent", "task_id"];

function sniff(content: Content): Sniff {
  const rows = isJsonContent(content) ? sampleRows(content) : [];
  const found = rows.filter(isRun).length;
  if (found > 0 && found * 2 > rows.length) {
    return { score: 0.9, reason: "`messages` or `trajectory` with roles beside the columns of a data set" };
  }
  return { score: 0, reason: "no rows with messages and the columns of a data set" };
}

function isRun(row: JsonValue): boolean {
  if (!isObject(row) || OTHERS.some((key) => Object.hasOwn(row, key))) return false;
  if (!MARKS.some((key) => Object.hasOwn(row, key))) return false;
  const messages = messagesIn(row)?.messages.slice(0, 20) ?? [];
  return messages.length > 0 && messages.every(isMessage);
}

function isMessage(value: JsonValue): boolean {
  const isSaid = member(value, "content") !== undefined || member(value, "tool_calls") !== undefined;
  return stringMember(value, "role") !== null && isSaid;
}
