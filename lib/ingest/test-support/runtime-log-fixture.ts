import { databaseOf } from "./test-database";

/** A row of `chat_completions`. `response` is the message of the answer, or what stands there instead of one. */
export interface CompletionRow {
  session?: string;
  wrapper: number;
  messages: unknown;
  response: Record<string, unknown> | { response: string | null };
  source?: string;
  cached?: boolean;
  cost?: number;
  at?: string;
}

/** The statements that make a log of AutoGen 0.2 of these rows; `named` for the versions that name the agent in the row. */
export function runtimeLog(rows: readonly CompletionRow[], agents: Record<string, number>, named = true): string[] {
  return [
    `CREATE TABLE chat_completions (id INTEGER PRIMARY KEY, invocation_id TEXT, client_id INTEGER, wrapper_id INTEGER,
      session_id TEXT, request TEXT, response TEXT, is_cached INEGER, cost REAL,
      start_time DATETIME DEFAULT CURRENT_TIMESTAMP, end_time DATETIME DEFAULT CURRENT_TIMESTAMP${named ? ", source_name TEXT" : ""})`,
    `CREATE TABLE agents (id INTEGER PRIMARY KEY, agent_id INTEGER, wrapper_id INTEGER, session_id TEXT, name TEXT,
      class TEXT, init_args TEXT, timestamp DATETIME)`,
    "CREATE TABLE version (id INTEGER PRIMARY KEY CHECK (id = 1), version_number INTEGER NOT NULL)",
    "INSERT INTO version VALUES (1, 1)",
    ...Object.entries(agents).map(
      ([name, wrapper], n) =>
        `INSERT INTO agents VALUES (${n + 1}, ${n + 70}, ${wrapper}, 's1', ${sql(name)}, 'ConversableAgent', '{"name": ${JSON.stringify(name)}}', '2024-05-02 08:00:00.000000')`,
    ),
    ...rows.map((row, n) => completion(row, n, named)),
  ];
}

function completion(row: CompletionRow, n: number, named: boolean): string {
  const { session = "s1", wrapper, messages, response, source, cached = false, cost = 0.01 } = row;
  const usage = { prompt_tokens: 100 + n, completion_tokens: 10 + n, total_tokens: 110 + 2 * n };
  const isAnswer = !("response" in response);
  const choices = [{ finish_reason: "stop", index: 0, message: response }];
  const held = isAnswer
    ? { id: `r${n}`, choices, model: "example-1-0502", object: "chat.completion", usage }
    : response;
  const minute = String(n).padStart(2, "0");
  const values = [
    n + 1,
    sql(`i${n}`),
    500 + wrapper,
    wrapper,
    sql(session),
    sql(typeof messages === "string" ? messages : JSON.stringify({ messages, model: "example-1", temperature: 0 })),
    sql(JSON.stringify(held, null, 4)),
    cached ? 1 : 0,
    isAnswer ? cost : 0,
    sql(row.at ?? `2024-05-02 08:${minute}:00.000000`),
    sql(row.at ?? `2024-05-02 08:${minute}:05.250000`),
    ...(named ? [source === undefined ? "NULL" : sql(source)] : []),
  ];
  return `INSERT INTO chat_completions VALUES (${values.join(", ")})`;
}

const sql = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const system = (content: string) => ({ role: "system", content });
const user = (name: string, content: string) => ({ role: "user", name, content });
const own = (content: string) => ({ role: "assistant", content });

const TASK = "Weigh the parcels in parcels.txt.";
const CODE = 'I add them.\n\n```python\n# filename: weigh.py\nprint(sum(map(int, open("parcels.txt"))))\n```';
const RAN = "exitcode: 0 (execution succeeded)\nCode output: 12\n";
const CALL = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "w1", type: "function", function: { name: "get_limit", arguments: '{"van": 3}' } }],
};
const LIMIT = { role: "tool", tool_call_id: "w1", content: "10" };
const REVIEW = "ok";
const DONE = "12 is too heavy for van 3. TERMINATE";

/** A program with a writer, a reviewer and a person's stand-in, of which each request repeats what was said before. */
export function runtimeLogFixture(): Promise<Uint8Array> {
  const coder = [system("You write code."), user("user_proxy", TASK)];
  const afterRun = [...coder, own(CODE), user("user_proxy", RAN)];
  const reviewer = [system("You review."), user("user_proxy", TASK), user("coder", CODE), user("user_proxy", RAN)];
  const after = [...afterRun, CALL, LIMIT];
  const last = [...after, user("reviewer", REVIEW), user("user_proxy", "ok")];
  const rows: CompletionRow[] = [
    { wrapper: 11, messages: coder, response: { response: "error_code:429, config 0 failed" } },
    { wrapper: 11, messages: coder, response: { role: "assistant", content: CODE }, source: "coder" },
    { wrapper: 11, messages: afterRun, response: CALL, source: "coder" },
    {
      wrapper: 22,
      messages: reviewer,
      response: { role: "assistant", content: REVIEW },
      source: "reviewer",
      cached: true,
    },
    { wrapper: 11, messages: last, response: { role: "assistant", content: DONE }, source: "coder", cost: 0.03 },
  ];
  return databaseOf(
    ...runtimeLog(rows, { coder: 11, reviewer: 22 }),
    "CREATE TABLE events (event_name TEXT, source_name TEXT, json_state TEXT)",
    `INSERT INTO events VALUES ('received_message', 'coder', '{"message": "ok"}')`,
  );
}
