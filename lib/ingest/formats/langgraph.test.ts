import { ExtData, encode } from "@msgpack/msgpack";
import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import { type Ingested, ingest, openUpload } from "../ingest";
import { prepareSource } from "../prepare-source";
import {
  type CheckpointRow,
  call,
  checkpointDatabase,
  extension,
  message,
  type WriteRow,
} from "../test-support/checkpoint-databases";
import { FIXTURES, readFixture, readFixtureSource } from "../test-support/fixtures";
import { DATABASES } from "../test-support/write-databases";
import { readSerialised } from "./langgraph/serialised";

const fixture = async (name: string): Promise<Trajectory> =>
  ingest(await readFixtureSource(`${FIXTURES}/langgraph/${name}`)).trajectory;

async function readRows(checkpoints: CheckpointRow[], writes: WriteRow[] = []): Promise<Trajectory> {
  const bytes = await checkpointDatabase(checkpoints, writes);
  return ingest(await prepareSource({ name: "x.db", bytes })).trajectory;
}

const readJson = (value: unknown): Ingested =>
  ingest({ name: "x.json", bytes: new TextEncoder().encode(JSON.stringify(value)) });

/** What each turn says, with its branch. */
const said = (trajectory: Trajectory): string[] =>
  turnsOf(trajectory).map(({ items, branch }) => {
    const texts = items.map((item) => (item.kind === "call" ? item.tool : item.text));
    return `${branch === null ? "" : `[${branch}] `}${texts.join(" | ")}`;
  });
const noteOf = (trajectory: Trajectory, code: string) => trajectory.notes.find((note) => note.code === code);
const human = (id: string, content: string): unknown => message("human", { id, content });
const ai = (id: string | null, content: string, more: Record<string, unknown> = {}): unknown =>
  message("ai", { id, content, ...more });

describe("the databases among the fixtures", () => {
  it.each(DATABASES)("$file is what the script makes", async ({ file, make }) => {
    expect(readFixture(`${FIXTURES}/${file}`)).toEqual(await make());
  });
});

describe("gotcha 1: repetition, and what is only in writes", () => {
  it("shows each message once, however many checkpoints hold it", async () => {
    const turns = turnsOf(await fixture("deepagents/checkpoints.db")).filter(({ branch }) => branch === null);
    expect(turns.map(({ agent }) => agent.split(" ")[0])).toEqual(["main", "main", "main", "main", "graph", "main"]);
    const calls = turns.flatMap(({ items }) => items.filter((item) => item.kind === "call"));
    expect(calls.map(({ callId }) => callId)).toEqual(["c1", "c2", "c3", "c4", "c5", "c6", "c7", "s3"]);
    expect(calls.every(({ id }, n) => calls.findIndex((one) => one.id === id) === n)).toBe(true);
  });

  it("reads the newest messages out of writes, with their rows", async () => {
    const found = await readRows(
      [{ id: "1", step: 0, values: { messages: [human("h", "Ask.")] } }],
      [
        { after: "1", task: "t", channel: "messages", value: [ai("a", "First.")] },
        { after: "1", task: "t", channel: "messages", value: ai("b", "Second.") },
      ],
    );
    expect(said(found)).toEqual(["First.", "Second."]);
    expect(turnsOf(found).map(({ items }) => items[0]?.raw[0]?.file)).toEqual(["writes/1", "writes/2"]);
  });

  it("knows a message again that was written without the id that the state gave it", async () => {
    const found = await fixture("deepagents/checkpoints.db");
    const [first] = turnsOf(found);
    const results = first?.items.filter((item) => item.kind === "result");
    expect(results).toHaveLength(1);
    expect(results?.[0]?.raw.map(({ file }) => file)).toEqual(["checkpoints/4", "writes/1"]);
  });
});

describe("gotcha 2: the reducer, and graphs inside", () => {
  const state = (id: string, step: number, ...messages: unknown[]): CheckpointRow => ({
    id,
    parent: step === 0 ? null : String(step),
    step,
    values: { messages },
  });

  it("keeps a message in whose place another came on a branch, and counts its tokens once", async () => {
    const usage = { usage_metadata: { input_tokens: 7, output_tokens: 3, total_tokens: 10 } };
    const found = await readRows([
      state("1", 0, human("h", "Ask.")),
      state("2", 1, human("h", "Ask."), ai("a", "Old.", usage)),
      state("3", 2, human("h", "Ask."), ai("a", "New.", usage), ai("b", "More.")),
    ]);
    expect(said(found)).toEqual(["[replaced] Old.", "New.", "More."]);
    expect(found.totals.inputTokens).toBe(7);
  });

  it("keeps what RemoveMessage took from the end on a branch", async () => {
    const found = await readRows(
      [state("1", 0, human("h", "Ask.")), state("2", 1, human("h", "Ask."), ai("a", "Regretted."))],
      [{ after: "2", task: "t", channel: "messages", value: [message("remove", { id: "a" }), ai("b", "Better.")] }],
    );
    expect(said(found)).toEqual(["[removed] Regretted.", "Better."]);
  });

  it("keeps what was trimmed where it was, and says so", async () => {
    const found = await readRows([
      state("1", 0, human("h", "Ask."), ai("a", "Early.")),
      state("2", 1, human("h", "Ask."), ai("a", "Early."), ai("b", "Late.")),
      state("3", 2, ai("b", "Late."), ai("c", "Latest.")),
    ]);
    expect(said(found)).toEqual(["Early.", "Late.", "Latest."]);
    expect(noteOf(found, "message_trimmed")).toMatchObject({ level: "information", count: 2 });
  });

  it("reads Overwrite as a new beginning", async () => {
    const fresh = extension(2, "langgraph.types", "Overwrite", { value: [human("n", "Anew.")], type: "__overwrite__" });
    const found = await readRows(
      [state("1", 0, human("h", "Ask."), ai("a", "Old."))],
      [{ after: "1", task: "t", channel: "messages", value: fresh }],
    );
    expect(said(found)).toEqual(["[removed] Old."]);
    expect(found.entries.map((entry) => (entry.kind === "context" ? entry.text : "")).join()).toContain("Anew.");
  });

  it("ends with parents that lead in circles, and with parents that are not there", async () => {
    const circle = [
      { ...state("1", 0, ai("a", "One.")), parent: "2" },
      { ...state("2", 1, ai("b", "Two.")), parent: "1" },
      { ...state("3", 2, ai("c", "Three.")), parent: "missing" },
    ];
    const shown = said(await readRows(circle)).map((text) => text.replace(/^\[.*\] /, ""));
    expect(shown.toSorted()).toEqual(["One.", "Three.", "Two."]);
  });

  it("links a sub-agent to the call that started it, by its task or by its words", async () => {
    const inner = (namespace: string): CheckpointRow => ({
      namespace,
      id: "5",
      step: 0,
      values: { messages: [human("s", "Look."), ai("t", "Seen.")] },
    });
    const asked = ai("a", "", { tool_calls: [call("c", "task", { description: "Look.", subagent_type: "looker" })] });
    const outer = state("1", 0, human("h", "Ask."), asked);
    const answer = message("tool", { tool_call_id: "c", content: "Seen.", id: "r" });
    const byTask = await readRows(
      [outer, { ...inner("tools:task-1"), values: { messages: [ai("t", "Seen.")] } }],
      [{ after: "1", task: "task-1", channel: "messages", value: [answer] }],
    );
    const byWords = await readRows([outer, inner("tools:task-2")]);
    for (const found of [byTask, byWords]) {
      expect(found.agents).toMatchObject([{ id: "main" }, { name: "looker", startedByTurn: 0 }]);
      expect(turnsOf(found)[1]).toMatchObject({ parentTurn: 0, agent: found.agents[1]?.id });
    }
    const unknown = await readRows([state("1", 0, human("h", "Ask."), ai("a", "Alone.")), inner("node:task-3")]);
    expect(unknown.agents).toMatchObject([{}, { name: "node", startedByTurn: null }]);
    expect(noteOf(unknown, "unlinked_agent")).toMatchObject({ count: 1 });
  });

  it("shows messages that a graph inside has from the one around it only once", async () => {
    const messages = [human("h", "Ask."), ai("a", "Said.")];
    const found = await readRows([
      { id: "1", step: 0, values: { messages } },
      { namespace: "agent:t", id: "2", step: 0, values: { messages } },
    ]);
    expect(said(found)).toEqual(["Said."]);
    expect(found.agents).toHaveLength(1);
  });
});

describe("gotcha 3: objects as arguments, missing ids, and values that are not executed", () => {
  it("takes arguments as objects, or as the text that was no JSON", async () => {
    const items = turnsOf(await fixture("deepagents/checkpoints.db")).flatMap(({ items: all }) => all);
    expect(items.find((item) => item.kind === "call" && item.callId === "c5")).toMatchObject({
      arguments: null,
      text: "{not json",
    });
  });

  it("tells messages without ids apart that say the same", () => {
    const { trajectory } = readJson([
      { type: "human", content: "Again." },
      { type: "ai", content: "Yes." },
      { type: "human", content: "Again." },
      { type: "ai", content: "Yes." },
    ]);
    expect(
      trajectory.entries.filter((entry) => entry.kind === "turn" || entry.contextKind !== "metadata"),
    ).toHaveLength(4);
  });

  it("describes constructors of any extension and calls none", () => {
    const value = [
      extension(0, "builtins", "set", [1, 2]),
      extension(1, "os", "system", ["rm -rf /"]),
      extension(3, "datetime", "datetime", "2026-01-01", "fromisoformat"),
      new ExtData(42, Uint8Array.of(1)),
      2n ** 60n,
      Uint8Array.of(104, 105),
    ];
    expect(readSerialised("msgpack", encode(value, { useBigInt64: true }))).toEqual({
      ok: true,
      value: [
        { lc: 2, type: "constructor", id: ["builtins", "set"], args: [[1, 2]] },
        { lc: 2, type: "constructor", id: ["os", "system"], args: ["rm -rf /"] },
        { lc: 2, type: "constructor", id: ["datetime", "datetime"], method: "fromisoformat", args: ["2026-01-01"] },
        { type: "bytes", code: 42, base64: "AQ==" },
        "1152921504606846976",
        { type: "bytes", base64: "aGk=" },
      ],
    });
  });

  it.each([
    ["a pickle", "pickle", Uint8Array.of(0x80, 4, 0x2e), /pickle/],
    ["encryption", "msgpack+aes", Uint8Array.of(1), /encrypted/],
    ["an unknown type", "yaml", Uint8Array.of(1), /type yaml/],
    ["damage", "msgpack", Uint8Array.of(0x92, 1), /msgpack/],
    ["an array longer than its bytes", "msgpack", Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff), /length/],
    ["depth", "msgpack", Uint8Array.from({ length: 5_000 }, (_, n) => (n === 4_999 ? 0xc0 : 0x91)), /deeper/],
  ])("says why it does not read %s", (_, type, bytes, why) => {
    expect(readSerialised(type, bytes)).toEqual({ ok: false, why: expect.stringMatching(why) });
  });

  it("ends with extensions inside of extensions", () => {
    let value: unknown = 1;
    for (let n = 0; n < 100; n++) value = extension(0, "a", "b", value);
    expect(readSerialised("msgpack", encode(value))).toMatchObject({ ok: false, why: expect.stringMatching(/nested/) });
  });

  it("notes rows that cannot be read, and reads the rest", async () => {
    const found = await fixture("older/json.db");
    expect(said(found)).toEqual(["bash | a.py\nb.py", "Two files."]);
    expect(noteOf(found, "value_not_read")).toMatchObject({ level: "not_understood", count: 2 });
    expect(found.totals).toMatchObject({ inputTokens: 30, outputTokens: 5 });
  });
});

describe("a database", () => {
  it("with several threads is several trajectories, each read by its key", async () => {
    const row = (thread: string): CheckpointRow => ({
      thread,
      id: "1",
      step: 0,
      values: { messages: [ai("a", thread)] },
    });
    const bytes = await checkpointDatabase([row("one"), row("two")]);
    const opened = openUpload(await prepareSource({ name: "x", bytes }));
    if (opened.kind !== "several") throw new Error("one trajectory");
    expect(opened.parts.map(({ key, range }) => ({ key, range }))).toEqual([
      { key: "one", range: null },
      { key: "two", range: null },
    ]);
    for (const part of opened.parts) {
      const { trajectory } = ingest(await prepareSource({ name: "x", bytes, part }));
      expect(said(trajectory)).toEqual([part.key]);
      expect(trajectory.notes).toEqual([]);
    }
  });

  it("says that a log stood beside it, and counts rows of other tables", async () => {
    const found = await fixture("deepagents/checkpoints.db");
    expect(noteOf(found, "write_ahead_log")).toMatchObject({ count: 1 });
    expect(noteOf(found, "table_not_read")).toMatchObject({ count: 2, positions: [{ file: "store" }] });
  });
});

describe("the virtual files of Deep Agents", () => {
  it("are recorded with the calls that wrote them, and replay agrees", async () => {
    const found = await fixture("deepagents/checkpoints.db");
    const history = buildHistory(found, null);
    const last = (path: string) => history.files.get(path)?.versions.at(-1);
    expect(last("/counter.py")).toMatchObject({
      certainty: "recorded",
      content: { kind: "whole", text: "def count(words):\n    return len(set(words))\n" },
    });
    expect(last("/review.md")).toMatchObject({ certainty: "recorded" });
    expect(history.conflicts).toEqual([]);
    expect(history.writes.map(({ path, status }) => `${path} ${status}`)).toEqual([
      "/counter.py applied",
      "/counter.py applied",
      "/missing.py refused",
      "/review.md applied",
    ]);
  });

  it("of a single state are what the last write left", async () => {
    const history = buildHistory(await fixture("state/state.json"), null);
    expect(history.files.get("/notes.md")?.versions.at(-1)).toMatchObject({
      content: { kind: "whole", text: "# Notes\n\nParis is mild.\nRome is warm.\n" },
    });
    expect(history.conflicts).toEqual([]);
  });
});

describe("states as JSON", () => {
  it("in lines that begin with other words are trajectories of their own", () => {
    const line = (words: string): string =>
      JSON.stringify({
        messages: [
          { type: "human", content: words },
          { type: "ai", content: `${words}!` },
        ],
      });
    const bytes = new TextEncoder().encode(`${line("One")}\n${line("Two")}\n`);
    const opened = openUpload({ name: "x", bytes });
    expect(opened.kind === "several" && opened.parts.map(({ name }) => name)).toEqual(["One", "Two"]);
  });

  it("leave messages with roles to others", () => {
    const { detection } = readJson({
      messages: [
        { role: "user", content: "a" },
        { role: "assistant", content: "b" },
      ],
    });
    expect(detection.format).not.toBe("langgraph");
  });
});
