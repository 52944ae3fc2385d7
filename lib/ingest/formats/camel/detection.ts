import type { Sniff } from "../../adapter";
import { type Content, sampleValues } from "../../content";
import { isObject, type JsonObject, type JsonValue, listMember } from "../../safe-json";
import { isRolePlay, isRound } from "./conversation";
import { isMemoryRecord } from "./memory";

const LOOKED_AT = 200;

/** What a content is: records of memories, messages of a role play, rounds of one, or several conversations. */
export type Shape = "memory" | "conversation" | "rounds";

/** Whether a value is a conversation of OWL: the messages of one side, with its rules. */
export function isConversation(value: JsonValue | undefined): value is JsonObject {
  return isObject(value) && isRolePlay(listMember(value, "messages"));
}

/** What a content is; null when it is nothing of CAMEL. */
export function shapeOf(content: Content): { shape: Shape; reason: string } | null {
  const document = content.kind === "document" ? content.json.value : undefined;
  const conversation = {
    shape: "conversation" as const,
    reason: "a prompt with the rules of the user or the assistant",
  };
  if (isConversation(document)) return conversation;
  const values = Array.isArray(document) ? document.slice(0, LOOKED_AT) : sampleValues(content);
  if (values.length === 0) return null;
  const most = (test: (value: JsonValue) => boolean): boolean => values.filter(test).length * 2 > values.length;
  if (most(isMemoryRecord)) return { shape: "memory", reason: "records with `role_at_backend` and `message`" };
  if (most(isConversation) || isRolePlay(values)) return conversation;
  const isCalling = values.some((value) => isObject(value) && Array.isArray(value.tool_calls));
  const rounds = "rounds with `user`, `assistant` and `tool_calls`";
  return isCalling && most(isRound) ? { shape: "rounds", reason: rounds } : null;
}

/** How sure it is that a content is of CAMEL or OWL. */
export function sniffCamel(content: Content): Sniff {
  const found = shapeOf(content);
  if (found === null) return { score: 0, reason: "no memory of CAMEL and no role play" };
  return { score: found.shape === "rounds" ? 0.8 : 0.95, reason: found.reason };
}
