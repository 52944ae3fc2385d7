import type { Sniff } from "../../adapter";
import { type Content, isJsonContent, sampleValues } from "../../content";
import { recogniseOther, recogniseRecords } from "../../other-formats";
import { isObject, type JsonValue, listMember, member } from "../../safe-json";
import { hasKnownRole, isResponse, promptOf, unitKind } from "./records";
import { isItem } from "./responses";

/** Lower than any format that knows its own files: nearly every one of them holds a list of roles. */
const SCORE = 0.6;
const LOOKED_AT = 200;

/** Whether the content is messages of one of the three APIs and of no format that is known to hold them too. */
export function sniffChat(content: Content): Sniff {
  if (!isJsonContent(content)) return { score: 0, reason: "not JSON" };
  const reason =
    content.kind === "document" ? documentReason(content.json.value, content) : listReason(sampleValues(content));
  if (reason === null) return { score: 0, reason: "no messages with roles, and no items of the Responses API" };
  const other = [recogniseOther(content), recogniseRecords(insideOf(content))].find((one) => one && !one.isGeneric);
  return other ? { score: 0, reason: `messages, but of ${other.name}` } : { score: SCORE, reason };
}

/** The first messages inside a request, which may be of another format too. */
function insideOf(content: Content): JsonValue[] {
  const values = content.kind === "document" ? [content.json.value] : sampleValues(content);
  const first = values.find(isObject);
  const prompt = first ? promptOf(isObject(first.request) ? first.request : first) : null;
  return prompt === null || typeof prompt.list === "string" ? [] : prompt.list.slice(0, LOOKED_AT);
}

function documentReason(value: JsonValue, content: Content): string | null {
  if (Array.isArray(value)) return listReason(value.slice(0, LOOKED_AT));
  if (!isObject(value)) return null;
  const kind = unitKind(value);
  if (kind === "conversation") return conversationReason(value);
  if (kind === "response" && isResponse(value)) return "an answer with `choices` or `output`";
  // One message alone is no conversation, unless an agent calls something in it.
  const isCall = listMember(value, "tool_calls").length > 0 && sampleValues(content).length === 1;
  return kind === "message" && hasKnownRole(value) && isCall ? "one message that calls tools" : null;
}

function listReason(values: JsonValue[]): string | null {
  if (values.length === 0) return null;
  const kinds = values.map(unitKind);
  const items = kinds.filter((kind) => kind === "item").length;
  const messages = values.filter(hasKnownRole).length;
  if ((items + messages) * 2 > values.length) {
    return items > 0 ? "items of the Responses API" : "messages with `role` and `content`";
  }
  const requests = values.filter((value, n) => {
    if (kinds[n] === "response") return true;
    return kinds[n] === "conversation" && conversationReason(value) !== null;
  }).length;
  return (items + messages + requests) * 2 > values.length && requests > 0 ? "requests or answers with messages" : null;
}

/** Why the messages of a request are believed to be such; null when most of them have no known role. */
function conversationReason(value: JsonValue): string | null {
  const request = member(value, "request");
  const wrapped = isObject(request) ? promptOf(request) : null;
  const prompt = wrapped ?? (isObject(value) ? promptOf(value) : null);
  if (prompt === null) return null;
  if (typeof prompt.list === "string") return "`input` beside the settings of a request";
  const first = prompt.list.slice(0, LOOKED_AT);
  const known = first.filter((message) => hasKnownRole(message) || (isObject(message) && isItem(message))).length;
  if (known === 0 || known * 2 < first.length) return null;
  return prompt.key === "messages" ? "`messages` with `role` and `content`" : "`input` with messages or items";
}
