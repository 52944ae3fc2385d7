import type { Adapter, Sniff } from "../adapter";
import { type Content, isJsonContent } from "../content";
import { splitRows } from "../rows/row-parts";
import { parseRow } from "../rows/row-trajectory";
import { sampleRows } from "../rows/rows";
import { isObject, type JsonValue, listMember, stringMember } from "../safe-json";
import { aboutSweAgentRows } from "./swe-agent-rows/about";
import { readRun } from "./swe-agent-rows/run";

/** Rows of SWE-agent runs as nebius publishes them: roles with texts, one command in each of the agent's (docs/formats.md). */
export const sweAgentRows: Adapter = {
  id: "swe-agent-rows",
  about: aboutSweAgentRows,
  sniff,
  split: splitRows,
  parse: (content, report) => parseRow(content, report, "swe-agent-rows", COLUMNS, readRun),
};

/** Columns that the turns are read from, or that stand elsewhere in the trajectory. */
const COLUMNS: ReadonlySet<string> = new Set(["trajectory"]);

function sniff(content: Content): Sniff {
  const rows = isJsonContent(content) ? sampleRows(content) : [];
  const found = rows.filter(isRun).length;
  if (found * 2 > rows.length)
    return { score: 0.95, reason: "`trajectory` holds roles with `text` and `system_prompt`" };
  return { score: 0, reason: "no rows with roles and texts" };
}

function isRun(row: JsonValue): boolean {
  const messages = listMember(row, "trajectory").slice(0, 20);
  return messages.length > 0 && messages.every((message) => stringMember(message, "role") !== null && hasText(message));
}

function hasText(message: JsonValue): boolean {
  return isObject(message) && Object.hasOwn(message, "text") && !Object.hasOwn(message, "content");
}
