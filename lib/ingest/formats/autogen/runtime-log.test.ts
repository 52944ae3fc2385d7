import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { type ContextItem, turnsOf } from "@/lib/trajectory/schema";
import { type Ingested, ingest, openUpload } from "../../ingest";
import { prepareSource } from "../../prepare-source";
import { type CompletionRow, runtimeLog, runtimeLogFixture } from "../../test-support/runtime-log-fixture";
import { databaseOf } from "../../test-support/test-database";

const openLog = async (bytes: Uint8Array) => openUpload(await prepareSource({ name: "logs.db", bytes }));
const readLog = async (bytes: Uint8Array): Promise<Ingested> => ingest(await prepareSource({ name: "logs.db", bytes }));
const readRows = async (rows: CompletionRow[], agents: Record<string, number> = {}, named = true): Promise<Ingested> =>
  readLog(await databaseOf(...runtimeLog(rows, agents, named)));

const contextsOf = ({ trajectory }: Ingested, kind: ContextItem["contextKind"]): string[] =>
  trajectory.entries.flatMap((entry) => (entry.kind === "context" && entry.contextKind === kind ? entry.text : []));
const spoken = ({ trajectory }: Ingested): [string, string[]][] =>
  turnsOf(trajectory).map(({ agent, items }) => [agent, items.map(({ kind }) => kind)]);
const notesOf = ({ trajectory }: Ingested): Record<string, number> =>
  Object.fromEntries(trajectory.notes.map(({ code, count }) => [code, count]));

const user = (content: string, name = "user_proxy") => ({ role: "user", name, content });
const answer = (content: string) => ({ role: "assistant", content });

describe("the log that AutoGen 0.2 keeps in a database", () => {
  it("says each message once, whoever's requests repeat it, and an answer of a model is a turn", async () => {
    const found = await readLog(await runtimeLogFixture());
    expect(found.detection).toMatchObject({ format: "autogen", variant: "0.2 runtime log" });
    expect(spoken(found)).toEqual([
      ["coder", ["message", "call", "result"]],
      ["coder", ["call", "result"]],
      ["reviewer", ["message"]],
      ["coder", ["message"]],
    ]);
    expect(contextsOf(found, "system")).toEqual(["You write code.", "You review."]);
    expect(contextsOf(found, "task")).toEqual(["Weigh the parcels in parcels.txt."]);
    // The same word of two people: the reviewer's is an answer, the person's comes with the next request.
    expect(contextsOf(found, "person")).toEqual(["ok"]);
  });

  it("has tokens, cost, model and times of each answer; what came out of a cache was not paid", async () => {
    const { trajectory } = await readLog(await runtimeLogFixture());
    expect(turnsOf(trajectory).map(({ usage, model }) => [usage?.inputTokens, usage?.costUsd, model])).toEqual([
      [101, 0.01, "example-1-0502"],
      [102, 0.01, "example-1-0502"],
      [null, 0, "example-1-0502"],
      [104, 0.03, "example-1-0502"],
    ]);
    expect(trajectory.totals).toMatchObject({ inputTokens: 307, outputTokens: 37, costUsd: 0.05, durationMs: 185_250 });
    expect(turnsOf(trajectory)[0]?.startedAt).toBe("2024-05-02T08:01:00.000000Z");
    expect(trajectory.models).toEqual(["example-1-0502"]);
  });

  it("keeps the reason of an attempt that failed, counts the tables that are not read, and knows saved files", async () => {
    const found = await readLog(await runtimeLogFixture());
    expect(contextsOf(found, "opaque")).toEqual([expect.stringContaining("error_code:429")]);
    expect(notesOf(found)).toEqual({ response_not_read: 1, table_not_read: 1 });
    expect(buildHistory(found.trajectory, null).writes.map(({ path }) => path)).toEqual(["weigh.py"]);
  });

  it("names an agent by the row, else by the table of agents, else not", async () => {
    const rows = [1, 2].map((wrapper) => ({ wrapper, messages: [user("Go.")], response: answer(`I am ${wrapper}.`) }));
    expect(spoken(await readRows(rows, { guide: 1 }, false)).map(([agent]) => agent)).toEqual(["guide", "assistant"]);
    const named = rows.map((row) => ({ ...row, source: "other" }));
    expect(spoken(await readRows(named, { guide: 1 })).map(([agent]) => agent)).toEqual(["other", "other"]);
  });

  it("takes the answer of a model for an agent's, whatever its name, though it be the first message", async () => {
    const rows = [{ wrapper: 1, messages: [], response: answer("exitcode: 0 (execution succeeded)\nCode output: 1") }];
    expect(spoken(await readRows(rows, { user_proxy: 1 }))).toEqual([["user_proxy", ["message"]]]);
    const later = [{ wrapper: 1, messages: [user("Go.", "guide")], response: answer("Gone.") }];
    expect(spoken(await readRows(later, { user_proxy: 1 }))).toEqual([["user_proxy", ["message"]]]);
  });

  it("says twice what was said twice", async () => {
    const first = [user("yes"), answer("Sure?"), user("yes")];
    const found = await readRows([
      { wrapper: 1, messages: [user("yes")], response: answer("Sure?") },
      { wrapper: 1, messages: first, response: answer("Sure?") },
      { wrapper: 1, messages: [...first, answer("Sure?"), user("yes")], response: answer("Good.") },
    ]);
    expect(contextsOf(found, "task")).toEqual(["yes"]);
    expect(contextsOf(found, "person")).toEqual(["yes", "yes"]);
    expect(spoken(found)).toHaveLength(3);
  });

  it("with several sessions is several trajectories, each read by its key", async () => {
    const rows = ["s1", "s2"].map((session) => ({
      session,
      wrapper: 1,
      messages: [user(`Go to ${session}.`)],
      response: answer("Going."),
    }));
    const bytes = await databaseOf(...runtimeLog(rows, { guide: 1 }));
    const opened = await openLog(bytes);
    if (opened.kind === "one") throw new Error("one trajectory");
    expect(opened.parts.map(({ key, name }) => [key, name])).toEqual([
      ["s1", "2024-05-02 08:00:00.000000"],
      ["s2", "2024-05-02 08:01:00.000000"],
    ]);
    const part = opened.parts[1];
    const { trajectory } = ingest(await prepareSource({ name: "x", bytes, ...(part ? { part } : {}) }));
    expect(trajectory.task.statement).toBe("Go to s2.");
    // The agents of the other session are none of this one.
    expect(trajectory.entries.filter((entry) => entry.kind === "context" && /^agents/.test(entry.text))).toEqual([]);
  });

  it("that is damaged in one row keeps that row as it stands", async () => {
    const found = await readRows([
      { wrapper: 1, messages: "{not JSON", response: answer("First.") },
      { wrapper: 1, messages: [user("Go."), 7], response: { response: null } },
      { wrapper: 1, messages: [user("Go.")], response: answer("Gone."), at: "yesterday" },
    ]);
    expect(spoken(found)).toHaveLength(2);
    expect(notesOf(found)).toEqual({ request_not_read: 1, response_not_read: 1, message_not_understood: 1 });
    expect(contextsOf(found, "opaque")).toEqual(["{not JSON", "7", expect.stringContaining("null")]);
    expect(turnsOf(found.trajectory)[1]?.startedAt).toBeNull();
  });

  it("is not a table of that name in somebody else's database, nor an empty one", async () => {
    const other = await databaseOf(
      "CREATE TABLE chat_completions (uuid TEXT)",
      "INSERT INTO chat_completions VALUES ('a')",
    );
    await expect(readLog(other)).rejects.toMatchObject({ code: "not_a_trace" });
    await expect(readRows([])).rejects.toMatchObject({ code: "not_a_trace" });
  });
});
