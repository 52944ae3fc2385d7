import { scanJson } from "../../json-scan";
import { isObject, type JsonObject, type JsonValue, listMember, member } from "../../safe-json";

/** A list of messages in a saved state, with the places of its elements. */
export interface StateList {
  /** `thread`: what the team said, in its order; `context`: what one agent's model was given; `buffer`: not read yet. */
  kind: "thread" | "context" | "buffer";
  /** The agent whose state holds the list. */
  agent: string;
  values: JsonValue[];
  pointer: string;
  /** Of each element, or of the list for all of them where theirs cannot be told. */
  spans: { start: number; end: number }[];
}

interface Place {
  start: number;
  end: number;
  pointer: string;
}

/** Finds the lists of messages of a saved state of a team or an agent, the team's own before those of teams inside it. */
export function findLists(document: JsonObject, bytes: Uint8Array, start: number): StateList[] {
  const lists: StateList[] = [];
  visit(document, "", { start, end: bytes.length, pointer: "" }, bytes, lists);
  return lists;
}

function visit(state: JsonObject, agent: string, place: Place, bytes: Uint8Array, lists: StateList[]): void {
  const { members } = scanJson(bytes, place.start, place.end, true, { unread: true, ascii: null }).layout;
  const inside = (key: string): Place => {
    const { start, end } = members.get(key) ?? place;
    return { start, end, pointer: `${place.pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}` };
  };
  const collect = (kind: StateList["kind"], key: string): void => {
    const values = listMember(state, key);
    if (values.length === 0) return;
    const { pointer, ...whole } = inside(key);
    const elements = members.get(key)?.elements ?? [];
    const spans = elements.length === values.length ? elements : values.map(() => whole);
    lists.push({ kind, agent, values, pointer, spans });
  };
  collect("thread", "message_thread");
  collect("context", "llm_messages");
  // Only the member of this name is a list of an agent's model.
  if (agent !== "" || isLlmContext(state)) collect("context", "messages");
  collect("buffer", "message_buffer");
  for (const key of ["llm_context", "agent_state", "inner_team_state"]) {
    const held = member(state, key);
    if (isObject(held)) visit(held, agent, inside(key), bytes, lists);
  }
  const states = member(state, "agent_states");
  if (!isObject(states)) return;
  const at = inside("agent_states");
  const { members: named } = scanJson(bytes, at.start, at.end, true, { unread: true, ascii: null }).layout;
  for (const [key, held] of Object.entries(states)) {
    if (!isObject(held)) continue;
    const { start, end } = named.get(key) ?? at;
    const pointer = `${at.pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    // The name is followed by the identifier of the team.
    visit(held, key.split("/", 1)[0] || key, { start, end, pointer }, bytes, lists);
  }
}

function isLlmContext(state: JsonObject): boolean {
  return !Object.hasOwn(state, "type");
}

const LISTS = new Set(["message_thread", "llm_messages", "messages", "message_buffer"]);

/** A saved state without its messages, of which their number is left. */
export function withoutLists(state: JsonObject): string {
  return JSON.stringify(
    state,
    (key, held) => (LISTS.has(key) && Array.isArray(held) && held.length > 0 ? `[${held.length} messages]` : held),
    2,
  );
}
