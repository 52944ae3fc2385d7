import type { RawSpan } from "@/lib/trajectory/schema";
import { type Content, contentLines, isJsonContent } from "../../content";
import { scanJson } from "../../json-scan";
import { looksLikeMessage } from "../../langchain/message";
import type { NoteBook } from "../../notes";
import { isObject, type JsonObject, type JsonValue, member, stringMember } from "../../safe-json";
import type { Checkpoint } from "./checkpoint";

/** The list of messages of a state: of its values, or of the state itself. Null for a value that is no state. */
export function messagesOf(state: JsonValue): JsonValue[] | null {
  const values = member(state, "values");
  const list = member(isObject(values) ? values : state, "messages");
  return Array.isArray(list) ? list : null;
}

/** Whether a value is a state: messages of LangChain, with or without their states around them. */
export function isState(value: JsonValue): boolean {
  const messages = messagesOf(value);
  return messages !== null && mostlyMessages(messages);
}

/** Whether most of the first values are messages, and one of them is an agent's or a tool's. */
export function mostlyMessages(values: readonly JsonValue[]): boolean {
  const first = values.slice(0, 50);
  return first.length > 0 && first.filter(looksLikeMessage).length * 2 > first.length;
}

/** The states of a JSON file as checkpoints, oldest first, and where what stands beside them is. */
export interface States {
  checkpoints: Checkpoint[];
  /** What stands beside the messages of a single state, with its places. */
  beside: { value: JsonObject; raw: RawSpan[] } | null;
  broken: { at: RawSpan; why: string }[];
}

/** Reads a state, a list of them (a thread's history), lines of them (a stream of values), or a bare list of messages. */
export function readStates(content: Content, notes: NoteBook): States {
  const none: States = { checkpoints: [], beside: null, broken: [] };
  if (!isJsonContent(content)) return none;
  const { bytes } = content.source;
  if (content.kind === "lines") return statesInLines(content, notes);
  const { json } = content;
  notes.addRepairs(json.repairs, null);
  if (Array.isArray(json.value)) {
    const spans = json.layout.elements;
    const placed = json.value.map((value, n) => ({
      value,
      at: { line: null, pointer: `/${n}`, start: spans[n]?.start ?? null, end: spans[n]?.end ?? null },
    }));
    if (mostlyMessages(json.value)) {
      const at = (n: number): RawSpan => placed[n]?.at ?? { line: null, pointer: `/${n}`, start: null, end: null };
      const state = stateCheckpoint({ messages: json.value }, at(0), at, at(0), 0);
      return { ...none, checkpoints: [state], beside: { value: {}, raw: [] } };
    }
    return { ...none, checkpoints: inOrder(placed.map(({ value, at }, n) => checkpointOf(value, at, n))) };
  }
  if (!isObject(json.value)) return none;
  const nested = isObject(member(json.value, "values"));
  const root = { value: json.value, members: json.layout.members, pointer: "" };
  const held = nested ? nestedObject(bytes, root, "values") : root;
  const span = (level: Level, key: string): RawSpan => {
    const found = level.members.get(key);
    const { start = null, end = null } = found ?? {};
    return { line: null, pointer: `${level.pointer}/${escaped(key)}`, start, end };
  };
  const messageAt = (n: number): RawSpan => {
    const found = held.members.get("messages")?.elements[n];
    const { start = null, end = null } = found ?? {};
    return { line: null, pointer: `${held.pointer}/messages/${n}`, start, end };
  };
  const beside: NonNullable<States["beside"]> = { value: {}, raw: [] };
  for (const level of nested ? [root, held] : [root]) {
    for (const [key, value] of Object.entries(level.value)) {
      if (key === "messages" || (nested && level === root && key === "values")) continue;
      beside.raw.push(span(level, key));
      if (key !== "files" || level !== held) beside.value[key] = value;
    }
  }
  const checkpoint = checkpointOf(json.value, { line: null, pointer: "", start: null, end: null }, 0);
  const whole = stateCheckpoint(held.value, checkpoint.at, messageAt, span(held, "files"), 0);
  return { ...none, checkpoints: [{ ...checkpoint, filesAt: whole.filesAt, read: whole.read }], beside };
}

interface Level {
  value: JsonObject;
  members: ReadonlyMap<string, { start: number; end: number; elements: readonly { start: number; end: number }[] }>;
  pointer: string;
}

/** A member that is an object, with where its own members are: the layout of a document tells only the first level. */
function nestedObject(bytes: Uint8Array, root: Level, key: string): Level {
  const span = root.members.get(key);
  const value = member(root.value, key);
  if (span === undefined || !isObject(value)) return root;
  const { layout } = scanJson(bytes, span.start, span.end, true, { unread: true, ascii: null });
  return { value, members: layout.members, pointer: `${root.pointer}/${escaped(key)}` };
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function statesInLines(content: Extract<Content, { kind: "lines" }>, notes: NoteBook): States {
  const checkpoints: Checkpoint[] = [];
  const broken: States["broken"] = [];
  let n = 0;
  for (const { line, start, end, parsed, error } of contentLines(content)) {
    const at = { line, pointer: null, start, end };
    if (parsed === null) {
      notes.add("line_not_understood", "not_understood", "Lines that are not JSON", at);
      broken.push({ at, why: error.message });
      continue;
    }
    notes.addRepairs(parsed.repairs, at);
    checkpoints.push(checkpointOf(parsed.value, at, n++));
  }
  return { checkpoints: inOrder(checkpoints), beside: null, broken };
}

/** A thread's history begins with the newest: its order is the one of the parents, else of the identifiers. */
function inOrder(checkpoints: Checkpoint[]): Checkpoint[] {
  if (checkpoints.some(({ parent }) => parent !== null)) return checkpoints;
  const sorted = checkpoints.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return sorted.map((checkpoint, n) => ({ ...checkpoint, parent: sorted[n - 1]?.id ?? null }));
}

function checkpointOf(value: JsonValue, at: RawSpan, n: number): Checkpoint {
  const own = member(value, "checkpoint") ?? member(member(value, "config"), "configurable");
  const parent = member(value, "parent_checkpoint") ?? member(member(value, "parent_config"), "configurable");
  const values = member(value, "values");
  const held = isObject(values) ? values : value;
  const pointer = `${at.pointer ?? ""}${isObject(values) ? "/values" : ""}`;
  const state = stateCheckpoint(
    isObject(held) ? held : {},
    at,
    (k) => ({ ...at, pointer: `${pointer}/messages/${k}` }),
    { ...at, pointer: `${pointer}/files` },
    n,
  );
  const metadata = member(value, "metadata");
  const step = member(metadata, "step");
  const about: JsonObject = {};
  // The rest of a state: what is next, its tasks and interrupts.
  if (isObject(values) && isObject(value)) {
    for (const [key, one] of Object.entries(value)) if (key !== "values") about[key] = one;
  }
  return {
    ...state,
    id: stringMember(own, "checkpoint_id") ?? state.id,
    parent: stringMember(parent, "checkpoint_id"),
    namespace: stringMember(own, "checkpoint_ns") ?? "",
    time: stringMember(value, "created_at"),
    step: typeof step === "number" ? String(step) : null,
    source: stringMember(metadata, "source"),
    about,
  };
}

function stateCheckpoint(
  values: JsonObject,
  at: RawSpan,
  messageAt: (n: number) => RawSpan,
  filesAt: RawSpan,
  n: number,
): Checkpoint {
  return {
    // Identifiers are compared as texts.
    id: String(n).padStart(9, "0"),
    parent: null,
    namespace: "",
    time: null,
    step: null,
    source: null,
    about: {},
    outer: null,
    at,
    filesAt,
    read: () => ({ values, rest: {}, messageAt }),
    writes: [],
  };
}
