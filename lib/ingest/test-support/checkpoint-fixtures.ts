import {
  type CheckpointRow,
  call,
  checkpointStatements,
  extension,
  message,
  type WriteRow,
} from "./checkpoint-databases";
import { databaseOf } from "./test-database";

const PLAN = [
  { content: "Write the counter", status: "in_progress" },
  { content: "Let somebody review it", status: "pending" },
];
const COUNTER = "def count(words):\n    return len(words)\n";
const BETTER = "def count(words):\n    return len(set(words))\n";
const REVIEW = "# Review\n\nCounts each word once.\n";
const file = (content: string): Record<string, unknown> => ({
  content: content.split("\n"),
  created_at: "2026-03-01T09:00:00+00:00",
  modified_at: "2026-03-01T09:00:00+00:00",
});
const usage = (input: number, output: number): Record<string, unknown> => ({
  usage_metadata: {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_token_details: { cache_read: 100 },
  },
  response_metadata: { model_name: "example-large" },
});

const asked = message("human", { content: "Count the different words.", id: "h1" });
const planned = message("ai", {
  id: "a1",
  content: [
    { type: "thinking", thinking: "A plan first." },
    { type: "text", text: "I will plan, then write." },
    { type: "tool_use", id: "c1", name: "write_todos", input: { todos: PLAN } },
  ],
  tool_calls: [call("c1", "write_todos", { todos: PLAN })],
  ...usage(400, 40),
});
const written = message("ai", {
  id: "a2",
  content: "",
  tool_calls: [call("c2", "write_file", { file_path: "/counter.py", content: COUNTER })],
  ...usage(500, 50),
});
const edited = message("ai", {
  id: "a3",
  content: "It must count each word once.",
  tool_calls: [
    call("c3", "edit_file", { file_path: "/counter.py", old_string: "len(words)", new_string: "len(set(words))" }),
    call("c4", "edit_file", { file_path: "/missing.py", old_string: "a", new_string: "b" }),
  ],
  invalid_tool_calls: [{ name: "ls", args: "{not json", id: "c5", error: "no JSON" }],
  ...usage(600, 60),
});
const read = message("ai", {
  id: "a4",
  content: "",
  tool_calls: [
    call("c6", "read_file", { file_path: "/counter.py" }),
    call("c7", "task", { description: "Review /counter.py.", subagent_type: "reviewer" }),
  ],
  ...usage(700, 70),
});
const tool = (id: string, callId: string, name: string, content: string, status = "success"): unknown =>
  message("tool", { id, tool_call_id: callId, name, content, status, artifact: null });
const planResult = tool("t1", "c1", "write_todos", "Updated todo list");
const writeResult = tool("t2", "c2", "write_file", "Updated file /counter.py");
const editResult = tool("t3", "c3", "edit_file", "Successfully replaced 1 instance(s) of the string in '/counter.py'");
const failed = tool("t4", "c4", "edit_file", "Error: File '/missing.py' not found");
const broken = tool("t5", "c5", "ls", "the arguments are no JSON", "error");
const readResult = tool("t6", "c6", "read_file", "     1\tdef count(words):\n     2\t    return len(set(words))");
const reviewed = tool("t7", "c7", "task", "The review is in /review.md.");
const regretted = message("ai", { id: "a5", content: "Done, but let me say it again." });
const final = message("ai", { id: "a6", content: "The counter is written and reviewed.", ...usage(800, 80) });

const given = { "/words.txt": file("one two two\n") };
const withCounter = { ...given, "/counter.py": file(COUNTER) };
const withBetter = { ...given, "/counter.py": file(BETTER) };
const withReview = { ...withBetter, "/review.md": file(REVIEW) };

const REVIEW_TASK = "5f0c0000-0000-4000-8000-00000000000a";
const INNER = `tools:${REVIEW_TASK}`;
const id = (n: number): string => `1f0a0000-0000-6000-8000-0000000000${String(n).padStart(2, "0")}`;
const wrote = [planned, planResult, written, writeResult];
const changed = [...wrote, edited, editResult, failed, broken];

/** One thread of Deep Agents with everything that a checkpointer holds. */
const CHECKPOINTS: CheckpointRow[] = [
  { id: id(1), step: -1, source: "input", values: { __start__: { messages: [asked], files: given } } },
  { id: id(2), parent: id(1), step: 0, values: { messages: [asked], files: given, "branch:to:model": null } },
  { id: id(3), parent: id(2), step: 1, values: { messages: [asked, planned], files: given } },
  { id: id(4), parent: id(3), step: 2, values: { messages: [asked, ...wrote.slice(0, 2)], files: given, todos: PLAN } },
  { id: id(5), parent: id(4), step: 3, values: { messages: [asked, ...wrote], files: withCounter, todos: PLAN } },
  { id: id(6), parent: id(5), step: 4, values: { messages: [asked, ...changed], files: withBetter, todos: PLAN } },
  {
    id: id(7),
    parent: id(6),
    step: 5,
    values: { messages: [asked, ...changed, read], files: withBetter, todos: PLAN },
  },
  {
    id: id(8),
    parent: id(7),
    step: 6,
    values: { messages: [asked, ...changed, read, readResult, reviewed, regretted], files: withReview, todos: PLAN },
  },
  {
    id: id(60),
    parent: id(5),
    step: 4,
    source: "fork",
    values: { messages: [asked, ...wrote, message("ai", { id: "b1", content: "Another way, left behind." })] },
  },
  // A fork is older than what the run ended on: its identifier is smaller than the last one's.
  {
    id: id(90),
    parent: id(8),
    step: 7,
    values: { messages: [asked, ...changed, read, readResult, reviewed, regretted], files: withReview, todos: PLAN },
  },
  {
    id: id(20),
    namespace: INNER,
    step: 0,
    source: "input",
    metadata: { parents: { "": id(7) } },
    values: { messages: [message("human", { id: "s1", content: "Review /counter.py." })], files: withBetter },
  },
  {
    id: id(21),
    namespace: INNER,
    parent: id(20),
    step: 2,
    metadata: { parents: { "": id(7) } },
    values: {
      messages: [
        message("human", { id: "s1", content: "Review /counter.py." }),
        message("ai", {
          id: "s2",
          content: "",
          tool_calls: [call("s3", "write_file", { file_path: "/review.md", content: REVIEW })],
          ...usage(200, 20),
        }),
        message("tool", { id: "s4", tool_call_id: "s3", name: "write_file", content: "Updated file /review.md" }),
      ],
      files: withReview,
    },
  },
];

const WRITES: WriteRow[] = [
  // Written without an identifier, which the state gave it.
  {
    after: id(3),
    task: "task-a",
    channel: "messages",
    value: [
      message("tool", {
        tool_call_id: "c1",
        name: "write_todos",
        content: "Updated todo list",
        status: "success",
        artifact: null,
      }),
    ],
  },
  { after: id(7), task: REVIEW_TASK, channel: "messages", value: [reviewed] },
  { after: id(7), task: REVIEW_TASK, channel: "files", value: { "/review.md": file(REVIEW) } },
  { after: id(90), task: "task-b", channel: "messages", value: [message("remove", { id: "a5" }), final] },
  {
    after: id(90),
    task: "task-b",
    channel: "__interrupt__",
    value: [extension(2, "langgraph.types", "Interrupt", { value: "Shall I stop?", id: "i1" })],
  },
];

/** The database of Deep Agents among the fixtures; used with a write-ahead log, and with a table of somebody else. */
export async function deepAgentsFixture(): Promise<Uint8Array> {
  const bytes = await databaseOf(
    ...checkpointStatements(CHECKPOINTS, WRITES),
    "CREATE TABLE store (prefix TEXT, key TEXT, value TEXT)",
    "INSERT INTO store VALUES ('notes', 'a', '{}'), ('notes', 'b', '{}')",
  );
  bytes[18] = 2;
  bytes[19] = 2;
  return bytes;
}

const lc = (path: string[], kwargs: Record<string, unknown>): unknown => ({
  lc: 1,
  type: "constructor",
  id: ["langchain", "schema", "messages", ...path],
  kwargs,
});
const json = (value: unknown): { type: string; bytes: Uint8Array } => ({
  type: "json",
  bytes: new TextEncoder().encode(JSON.stringify(value)),
});
const older = (n: number, messages: unknown[]): CheckpointRow => ({
  id: `1ef0000${n}`,
  parent: n === 1 ? null : `1ef0000${n - 1}`,
  step: n,
  values: {},
  as: json({ v: 1, ts: `2024-06-01T10:00:0${n}+00:00`, id: `1ef0000${n}`, channel_values: { messages } }),
});
const question = lc(["HumanMessage"], { content: "List the folder.", type: "human" });
const answer = lc(["AIMessage"], {
  content: "",
  additional_kwargs: {
    tool_calls: [{ id: "call_1", type: "function", function: { name: "bash", arguments: '{"command": "ls"}' } }],
  },
  response_metadata: { token_usage: { prompt_tokens: 30, completion_tokens: 5 }, model_name: "example-small" },
  type: "ai",
});

/** A database of an older version: JSON with constructors, messages without identifiers, a pickle, and encryption. */
export function olderFixture(): Promise<Uint8Array> {
  const listing = lc(["ToolMessage"], { content: "a.py\nb.py", tool_call_id: "call_1", type: "tool" });
  return databaseOf(
    ...checkpointStatements(
      [
        older(1, [question]),
        older(2, [question, answer]),
        older(3, [question, answer, listing, question]),
        {
          id: "1ef00004",
          parent: "1ef00003",
          step: 4,
          values: {},
          as: { type: "pickle", bytes: Uint8Array.of(0x80, 4, 0x2e) },
        },
      ],
      [
        {
          after: "1ef00004",
          task: "t",
          channel: "messages",
          value: null,
          as: { type: "msgpack+aes", bytes: Uint8Array.of(1, 2) },
        },
        {
          after: "1ef00004",
          task: "u",
          channel: "messages",
          value: null,
          as: json([lc(["AIMessage"], { content: "Two files.", type: "ai" })]),
        },
      ],
    ),
  );
}
