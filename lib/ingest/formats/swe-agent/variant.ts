import { type JsonValue, listMember, member } from "../../safe-json";
import type { RunFacts } from "./run-facts";

/**
 * What is inside a file: the version (`1.x` when steps hold `query` or `info` names a version), and how actions are
 * written, for people: `0.x cursors`, `1.x function calling`.
 */
export function variantOf(document: JsonValue, steps: JsonValue[], facts: RunFacts, task: string | null): string {
  const is1x = facts.version !== null || Array.isArray(member(steps[0], "query"));
  const version = is1x ? "1.x" : "0.x";
  if (steps.length === 0) return `${version} history only`;
  const texts = (key: string): string[] =>
    steps.flatMap((step) => {
      const text = member(step, key);
      return typeof text === "string" ? [text] : [];
    });
  const actions = texts("action");
  const isCalling = listMember(document, "history").some((message) => listMember(message, "tool_calls").length > 0);
  const kinds: string[] = [];
  if (task !== null && /CTF challenge/.test(task)) kinds.push("capture the flag");
  if (isCalling) kinds.push("function calling");
  if (texts("response").some((response) => /<command>/.test(response))) kinds.push("xml");
  if (actions.some((action) => /^set_cursors\b/.test(action))) kinds.push("cursors");
  else if (isCalling && actions.some((action) => /^edit ['"]/.test(action))) kinds.push("search and replace");
  else if (actions.some((action) => /^edit \d+:\d+/.test(action) || /^(?:open|goto)\b/.test(action)))
    kinds.push("windowed");
  else if (actions.some((action) => /^str_replace_editor\b/.test(action))) kinds.push("editor");
  return [version, ...kinds].join(" ");
}
