import type { NoteBook } from "../../notes";
import { isObject, type JsonObject, type JsonValue, member, storable, stringMember } from "../../safe-json";
import { callOf, callsOf, textOf, timeOf } from "./content";
import type { CamelPiece, Origin, Row } from "./pieces";
import { isOpening, sideOf } from "./rules";

/** Whether a value is a record of an agent's memory. */
export function isMemoryRecord(value: JsonValue | undefined): value is JsonObject {
  return isObject(value) && typeof value.role_at_backend === "string" && isObject(value.message);
}

/**
 * Reads the records of memories. What an agent's model answered is its own; what it was given came from another agent
 * when that one answers in the file too, when its type says so, or when a prompt tells of a role play: else from a person.
 */
export function readMemory(rows: readonly Row[], notes: NoteBook): CamelPiece[] {
  const records = rows.flatMap((row) => ("value" in row && isMemoryRecord(row.value) ? [row.value] : []));
  const cast = new MemoryCast(records);
  return rows.flatMap((row): CamelPiece[] => {
    const origin: Origin = { raw: row.raw, step: row.step, at: null };
    if ("text" in row) return [{ kind: "opaque", origin, code: "line_not_understood", text: row.text }];
    if (!isMemoryRecord(row.value)) {
      const text = storable(JSON.stringify(row.value, null, 2));
      return [{ kind: "opaque", origin, code: "message_not_understood", text }];
    }
    return [readRecord(row.value, { ...origin, at: timeOf(row.value) }, cast, notes)];
  });
}

function readRecord(record: JsonObject, origin: Origin, cast: MemoryCast, notes: NoteBook): CamelPiece {
  const message = member(record, "message");
  const role = stringMember(record, "role_at_backend")?.toLowerCase() ?? "";
  const text = textOf(member(message, "content"), origin, notes);
  const tool = stringMember(message, "func_name");
  const id = stringMember(message, "tool_call_id");
  if (role === "system" || role === "developer") {
    return { kind: "prompt", of: "system", origin, name: cast.nameOf(record), text };
  }
  if (role === "function" || role === "tool") {
    const result = member(message, "result");
    const shown = result === undefined || result === null ? text : textOf(result, origin, notes);
    return { kind: "answer", origin, id, tool, text: shown };
  }
  if (role === "user" && isOpening(text)) return { kind: "prompt", of: "injected", origin, name: null, text };
  if (role === "user" && !cast.isAgent(record)) {
    return { kind: "person", origin, name: stringMember(message, "role_name"), text };
  }
  const called = tool === null ? [] : [callOf(id, tool, member(message, "args"))];
  const calls = role === "user" ? [] : [...called, ...callsOf(member(message, "meta_dict")), ...callsOf(message)];
  const thought = textOf(member(message, "reasoning_content"), origin, notes);
  const memory = stringMember(record, "agent_id");
  return { kind: "speech", origin, name: cast.nameOf(record), memory, text, thought, calls };
}

/** Who is who in memories: the names by which agents call themselves, and whether they play roles. */
class MemoryCast {
  /** The memories in which a name answers. */
  private readonly memories = new Map<string, Set<string>>();
  private readonly isRolePlay: boolean;

  constructor(records: readonly JsonObject[]) {
    for (const record of records) {
      if (record.role_at_backend !== "assistant") continue;
      const known = this.memories.get(roleName(record)) ?? new Set();
      this.memories.set(roleName(record), known.add(stringMember(record, "agent_id") ?? ""));
    }
    this.isRolePlay = records.some(
      (record) => sideOf(stringMember(member(record, "message"), "content") ?? "") !== null,
    );
  }

  /** The name of a record's author; with the memory's where two agents go by the same name. */
  nameOf(record: JsonObject): string {
    const name = roleName(record);
    const memory = stringMember(record, "agent_id") ?? "";
    const isOwn = this.memories.get(name)?.has(memory) === true;
    return isOwn && (this.memories.get(name)?.size ?? 0) > 1 && memory !== "" ? `${name} (${memory})` : name;
  }

  /** Whether another agent wrote what an agent was given. */
  isAgent(record: JsonObject): boolean {
    const type = stringMember(member(record, "message"), "role_type")?.toLowerCase() ?? "";
    if (this.isRolePlay || (type !== "" && type !== "user" && type !== "default")) return true;
    const memory = stringMember(record, "agent_id") ?? "";
    return [...(this.memories.get(roleName(record)) ?? [])].some((other) => other !== memory);
  }
}

function roleName(record: JsonObject): string {
  const name = stringMember(member(record, "message"), "role_name");
  return name === null || name.trim() === "" ? "assistant" : name;
}
