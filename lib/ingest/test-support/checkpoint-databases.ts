import { ExtData, encode } from "@msgpack/msgpack";
import { blob, databaseOf } from "./test-database";

/** A row of `checkpoints`; its values are those of the channels. */
export interface CheckpointRow {
  thread?: string;
  namespace?: string;
  id: string;
  parent?: string | null;
  values: Record<string, unknown>;
  step: number;
  source?: string;
  metadata?: Record<string, unknown>;
  /** The column `type`, and a blob that stands there as it is. */
  as?: { type: string; bytes: Uint8Array };
}

/** A row of `writes`. */
export interface WriteRow {
  thread?: string;
  namespace?: string;
  after: string;
  task: string;
  channel: string;
  value: unknown;
  as?: { type: string; bytes: Uint8Array };
}

const PYDANTIC_V2 = 5;
const CLASSES: Record<string, [string, string]> = {
  human: ["langchain_core.messages.human", "HumanMessage"],
  ai: ["langchain_core.messages.ai", "AIMessage"],
  tool: ["langchain_core.messages.tool", "ToolMessage"],
  system: ["langchain_core.messages.system", "SystemMessage"],
  remove: ["langchain_core.messages.modifier", "RemoveMessage"],
};

/** What LangGraph writes of a Python object: msgpack of its parts inside an extension. */
export const extension = (code: number, ...parts: unknown[]): ExtData => new ExtData(code, encode(parts));

/** A message as its class, as msgpack holds it. */
export function message(type: keyof typeof CLASSES & string, fields: Record<string, unknown>): ExtData {
  const [module = "", name = ""] = CLASSES[type] ?? [];
  const base = { content: "", additional_kwargs: {}, response_metadata: {}, type, name: null, id: null };
  return extension(PYDANTIC_V2, module, name, { ...base, ...fields }, "model_validate_json");
}

/** A call of a tool as messages hold it. */
export const call = (id: string, name: string, args: Record<string, unknown>): Record<string, unknown> => ({
  name,
  args,
  id,
  type: "tool_call",
});

const text = (value: string | null): string => (value === null ? "NULL" : `'${value.replaceAll("'", "''")}'`);

/** Statements that fill a checkpointer's tables as SqliteSaver does. */
export function checkpointStatements(checkpoints: readonly CheckpointRow[], writes: readonly WriteRow[]): string[] {
  return [
    "CREATE TABLE checkpoints (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL, parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB, PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id))",
    "CREATE TABLE writes (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL, task_id TEXT NOT NULL, idx INTEGER NOT NULL, channel TEXT NOT NULL, type TEXT, value BLOB, PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx))",
    ...checkpoints.map(checkpointStatement),
    ...writes.map(writeStatement),
  ];
}

function checkpointStatement(row: CheckpointRow): string {
  const { thread = "thread-1", namespace = "", id, parent = null, values, step, source = "loop", metadata = {} } = row;
  const checkpoint = {
    v: 4,
    id,
    ts: `2026-03-01T09:00:${String(step + 1).padStart(2, "0")}+00:00`,
    channel_values: values,
    channel_versions: {},
    versions_seen: {},
  };
  const { type, bytes } = row.as ?? { type: "msgpack", bytes: encode(checkpoint) };
  const about = JSON.stringify({ source, step, parents: {}, ...metadata });
  const columns = [text(thread), text(namespace), text(id), text(parent), text(type), blob(bytes)];
  return `INSERT INTO checkpoints VALUES (${columns.join(", ")}, ${text(about)})`;
}

function writeStatement(row: WriteRow, n: number): string {
  const { thread = "thread-1", namespace = "", after, task, channel, value } = row;
  const { type, bytes } = row.as ?? { type: "msgpack", bytes: encode(value) };
  const columns = [text(thread), text(namespace), text(after), text(task), n, text(channel), text(type), blob(bytes)];
  return `INSERT INTO writes VALUES (${columns.join(", ")})`;
}

/** The bytes of a checkpointer's database. */
export function checkpointDatabase(
  checkpoints: readonly CheckpointRow[],
  writes: readonly WriteRow[] = [],
): Promise<Uint8Array> {
  return databaseOf(...checkpointStatements(checkpoints, writes));
}
