import type { RawSpan } from "@/lib/trajectory/schema";
import type { NoteBook } from "../../notes";
import { isObject, type JsonObject, type JsonValue, member, storable, stringMember } from "../../safe-json";
import type { HeldDatabase, HeldValue } from "../../source";
import type { ChannelValues, ChannelWrite, Checkpoint } from "./checkpoint";
import { readSerialised } from "./serialised";

/** What a checkpointer's database holds, for one thread. */
export interface ThreadRows {
  checkpoints: Checkpoint[];
  /** Rows of the thread that belong to no checkpoint of it, or could not be read. */
  loose: { at: RawSpan; text: string }[];
}

/** What the note about them says; the reason of each stands with its row. */
export const VALUE_NOT_READ = "Values that cannot be read: pickles, encrypted or damaged ones";

/** Whether the tables are those of LangGraph's checkpointer. */
export function isCheckpointer(database: HeldDatabase): boolean {
  if (!database.tables.includes("checkpoints")) return false;
  if (database.tables.includes("writes")) return true;
  for (const row of database.rows("checkpoints")) return "checkpoint" in row && "thread_id" in row;
  return false;
}

const TABLES = ["checkpoints", "writes"];

/** The threads of a database in the order of their first checkpoint. */
export function threadsIn(database: HeldDatabase): string[] {
  const threads = new Set<string>();
  for (const table of TABLES) for (const row of database.rows(table)) threads.add(textIn(row, "thread_id"));
  return [...threads];
}

/** Tables that are none of the checkpointer's, which hold rows. */
export function otherTables(database: HeldDatabase): { table: string; rows: number }[] {
  const others = database.tables.filter((table) => !TABLES.includes(table));
  return others.flatMap((table) => {
    const rows = database.rowCount(table);
    return rows === 0 ? [] : [{ table, rows }];
  });
}

/** The checkpoints of one thread with what was written after each. Blobs are decoded when they are asked for. */
export function readThread(database: HeldDatabase, thread: string, notes: NoteBook): ThreadRows {
  const checkpoints = new Map<string, Checkpoint>();
  for (const [at, row] of rowsOf(database, "checkpoints", thread)) {
    const checkpoint = checkpointOf(row, at);
    checkpoints.set(`${checkpoint.namespace}\n${checkpoint.id}`, checkpoint);
  }
  const writes: { key: string; index: number; write: ChannelWrite; type: HeldValue; held: HeldValue }[] = [];
  for (const [at, row] of rowsOf(database, "writes", thread)) {
    const key = `${textIn(row, "checkpoint_ns")}\n${idIn(row, "checkpoint_id", "thread_ts")}`;
    const write = { taskId: textIn(row, "task_id"), channel: textIn(row, "channel"), value: null, at };
    const index = typeof row.idx === "number" ? row.idx : 0;
    writes.push({ key, index, write, type: row.type ?? null, held: row.value ?? null });
  }
  const loose: ThreadRows["loose"] = [];
  // Their order in the table is that of the clock; the order of a task is what it says.
  for (const { key, write, type, held } of writes.sort(byTask)) {
    const read = readSerialised(type, held);
    const checkpoint = checkpoints.get(key);
    if (!read.ok) notes.add("value_not_read", "not_understood", VALUE_NOT_READ, write.at);
    const value = read.ok ? read.value : null;
    if (read.ok && checkpoint !== undefined) checkpoint.writes.push({ ...write, value });
    else loose.push({ at: write.at, text: read.ok ? JSON.stringify(value, null, 2) : `${write.channel}: ${read.why}` });
    if (checkpoint === undefined) {
      notes.add("write_without_checkpoint", "not_understood", "Writes of which no checkpoint is there", write.at);
    }
  }
  return { checkpoints: [...checkpoints.values()], loose };
}

function byTask(a: { write: ChannelWrite; index: number }, b: { write: ChannelWrite; index: number }): number {
  return a.write.taskId === b.write.taskId ? a.index - b.index : 0;
}

function* rowsOf(
  database: HeldDatabase,
  table: string,
  thread: string,
): Generator<[RawSpan, Record<string, HeldValue>]> {
  let n = 0;
  for (const row of database.rows(table)) {
    n++;
    if (textIn(row, "thread_id") !== thread) continue;
    yield [{ line: null, pointer: null, start: null, end: null, file: `${table}/${n}` }, row];
  }
}

/** The columns of older versions have other names. */
function idIn(row: Record<string, HeldValue>, column: string, older: string): string {
  return textIn(row, row[column] === undefined ? older : column);
}

function textIn(row: Record<string, HeldValue>, column: string): string {
  const held = row[column] ?? null;
  return held === null ? "" : storable(held instanceof Uint8Array ? new TextDecoder().decode(held) : String(held));
}

function checkpointOf(row: Record<string, HeldValue>, at: RawSpan): Checkpoint {
  const metadata = readSerialised(null, row.metadata ?? null);
  const about = metadata.ok && isObject(metadata.value) ? metadata.value : {};
  const { step, source } = about;
  const parents = member(about, "parents");
  const namespace = textIn(row, "checkpoint_ns");
  const type = row.type ?? null;
  const held = row.checkpoint ?? null;
  return {
    id: idIn(row, "checkpoint_id", "thread_ts"),
    parent: idIn(row, "parent_checkpoint_id", "parent_ts") || null,
    namespace,
    // The time stands in the blob, which is read later.
    time: null,
    step: typeof step === "number" || typeof step === "string" ? String(step) : null,
    source: typeof source === "string" ? source : null,
    about,
    outer: stringMember(parents, outerNamespace(namespace)),
    at,
    filesAt: { ...at, pointer: "/checkpoint/channel_values/files" },
    read() {
      const read = readSerialised(type, held);
      if (!read.ok) return { why: read.why };
      this.time ??= stringMember(read.value, "ts");
      return channelsOf(read.value, at);
    },
    writes: [],
  };
}

/** The namespace around one: without its last part. */
export function outerNamespace(namespace: string): string {
  return namespace.split("|").slice(0, -1).join("|");
}

/** Counters that only the framework needs; each step has its own. */
const BOOKS = new Set(["channel_values", "channel_versions", "versions_seen", "id", "ts", "v"]);

function channelsOf(value: JsonValue, at: RawSpan): ChannelValues | { why: string } {
  const values = member(value, "channel_values");
  if (!isObject(value) || !isObject(values)) return { why: "it holds no values of channels" };
  const rest: JsonObject = {};
  for (const [key, held] of Object.entries(value)) if (!BOOKS.has(key) && !isEmpty(held)) rest[key] = held;
  const pointer = (n: number): string => `/checkpoint/channel_values/messages/${n}`;
  return { values, rest, messageAt: (n) => ({ ...at, pointer: pointer(n) }) };
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
