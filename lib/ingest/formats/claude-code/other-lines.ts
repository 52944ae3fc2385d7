import { type JsonValue, member, stringMember } from "../../safe-json";
import type { SessionRecord } from "./records";

/** Types of lines that keep the session's own books: kept as metadata, nothing of them is a turn. */
const BOOKKEEPING = new Set([
  "summary",
  "custom-title",
  "ai-title",
  "agent-name",
  "file-history-snapshot",
  "progress",
  "queue-operation",
  "last-prompt",
  "permission-mode",
  "mode",
  "pr-link",
  "frame-link",
  "relocated",
  "worktree-state",
  "bridge-session",
  "atis-latch",
  "started",
  "result",
  "system",
  "tag",
]);

/** True for lines of a known type that is not part of the conversation. */
export function isBookkeeping(record: SessionRecord): boolean {
  return BOOKKEEPING.has(record.type);
}

/** Types of lines that give a title, the field that holds it, and its rank. */
const TITLES: readonly [type: string, field: string, rank: number][] = [
  ["custom-title", "customTitle", 3],
  ["ai-title", "aiTitle", 2],
  ["summary", "summary", 1],
];

/** The title that a line gives the session, and how much it counts: a person's before the harness's. */
export function titleOf(record: SessionRecord): { text: string; rank: number } | null {
  const found = TITLES.find(([type]) => type === record.type);
  const text = found ? stringMember(record.value, found[1]) : null;
  return found && text ? { text, rank: found[2] } : null;
}

/** What an attachment tells the model: a queued prompt in its own words, anything else as its JSON. */
export function attachmentText(record: SessionRecord): { text: string; isPrompt: boolean } {
  const attachment: JsonValue | undefined = member(record.value, "attachment");
  const prompt = stringMember(attachment, "type") === "queued_command" ? stringMember(attachment, "prompt") : null;
  return prompt === null
    ? { text: JSON.stringify(attachment ?? null), isPrompt: false }
    : { text: prompt, isPrompt: true };
}
