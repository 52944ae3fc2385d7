import type { Adapter, Sniff } from "../adapter";
import { type Content, isJsonContent } from "../content";
import { splitRows } from "../rows/row-parts";
import { parseRow } from "../rows/row-trajectory";
import { sampleRows } from "../rows/rows";
import { type JsonValue, listMember, stringMember } from "../safe-json";
import { aboutSweChat } from "./swe-chat/about";
import { readSession } from "./swe-chat/session";

/** Sessions of people with coding agents, as SWE-chat publishes them: one record for each thing that was said (docs/formats.md). */
export const sweChat: Adapter = {
  id: "swe-chat",
  about: aboutSweChat,
  sniff,
  split: splitRows,
  parse: (content, report) => parseRow(content, report, "swe-chat", new Set(["turns", "session"]), readSession),
};

function sniff(content: Content): Sniff {
  const rows = isJsonContent(content) ? sampleRows(content) : [];
  const found = rows.filter(isSession).length;
  if (found > 0 && found * 2 > rows.length) return { score: 0.9, reason: "`turns` with a `turn_type`" };
  return { score: 0, reason: "no turns with a `turn_type`" };
}

function isSession(row: JsonValue): boolean {
  const turns = listMember(row, "turns").slice(0, 20);
  return turns.length > 0 && turns.every((turn) => stringMember(turn, "turn_type") !== null);
}
