import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { processorMs } from "@/lib/test-support/processor-time";
import {
  type CallItem,
  type ContextItem,
  type Item,
  type ResultItem,
  type TextItem,
  turnsOf,
} from "@/lib/trajectory/schema";
import { type Ingested, ingest } from "../../ingest";
import { fixturesOf, readFixture } from "../../test-support/fixtures";

const readText = (text: string): Ingested => ingest({ name: "x", bytes: new TextEncoder().encode(text) });

function fixture(name: string): Ingested {
  const file = fixturesOf("autogen").find((path) => path.endsWith(`0.4/${name}`));
  if (file === undefined) throw new Error(`no fixture ${name}`);
  return ingest({ name, bytes: readFixture(file) });
}

const contextsOf = ({ trajectory }: Ingested, kind: ContextItem["contextKind"]): string[] =>
  trajectory.entries.flatMap((entry) => (entry.kind === "context" && entry.contextKind === kind ? entry.text : []));
const kindsOf = ({ trajectory }: Ingested): [string, string[]][] =>
  turnsOf(trajectory).map(({ agent, items }) => [agent, items.map(({ kind }) => kind)]);
const itemsOf = ({ trajectory }: Ingested): Item[] => turnsOf(trajectory).flatMap(({ items }) => items);
const callsOf = (found: Ingested): CallItem[] => itemsOf(found).filter((item) => item.kind === "call");
const resultsOf = (found: Ingested): ResultItem[] => itemsOf(found).filter((item) => item.kind === "result");
const saidIn = (found: Ingested, kind: "thought" | "message"): TextItem[] =>
  itemsOf(found).flatMap((item) => (item.kind === kind ? item : []));
const header = (type: string, source: string): string => `---------- ${type} (${source}) ----------`;
const asked = `${header("TextMessage", "user")}\nDo it.\n`;

describe("what the console of AutoGen 0.4 printed", () => {
  const found = fixture("console.txt");

  it("is claimed by its headers, and by nobody else's", () => {
    expect(found.detection).toMatchObject({ format: "autogen", variant: "0.4 console log", score: 0.9 });
    expect(() => readText("---------- Summary ----------\nNumber of messages: 3\n")).toThrow(/nothing in this file/);
    expect(() => readText("# Notes\n---------- part one ----------\ntext\n---------- part two ----------\n")).toThrow();
  });

  it("becomes one turn an answer of the model: its words, its calls with all their answers, the handoff", () => {
    expect(kindsOf(found)).toEqual([
      ["keeper", ["thought", "call", "result", "call", "result"]],
      ["keeper", ["thought", "call", "result", "handoff"]],
      ["writer", ["message", "call", "result"]],
      ["writer", ["message"]],
      ["writer", ["message"]],
    ]);
    expect(contextsOf(found, "person")).toEqual(["Yes, thank you."]);
    expect(contextsOf(found, "injected")).toEqual([expect.stringMatching(/^\[MemoryContent\(/)]);
  });

  it("reads calls and answers out of Python's lists, with what failed", () => {
    expect(callsOf(found).map(({ tool, callId, arguments: given }) => [tool, callId, given])).toEqual([
      ["count_stock", "c1", { item: "lamp", note: `it's "lit"` }],
      ["bash", "c2", { command: "cat lamps.txt" }],
      ["transfer_to_writer", "c3", {}],
      ["python", null, { code: expect.stringContaining("lamps.txt") }],
    ]);
    expect(resultsOf(found).map(({ isError, text }) => [isError, text])).toEqual([
      [false, "4 lamps"],
      [true, "cat: lamps.txt: No such file or directory\nIt's not there"],
      [false, "Handed to the writer."],
      [null, ""],
    ]);
  });

  it("keeps a line in a message that looks like a header without a type", () => {
    expect(saidIn(found, "thought")[0]?.text).toContain("---------- not a header ----------\ncount first.");
  });

  it("takes tokens from the lines behind the messages, and totals, reason and time from the summary", () => {
    const usages = turnsOf(found.trajectory).map(({ usage }) => [usage?.inputTokens, usage?.outputTokens]);
    expect(usages).toEqual([
      [210, 41],
      [260, 12],
      [300, 44],
      [340, 9],
      [360, 2],
    ]);
    const { totals, exitStatus } = found.trajectory;
    expect(totals).toMatchObject({ inputTokens: 1_470, outputTokens: 108, durationMs: 12_340 });
    expect(exitStatus).toBe("Text 'DONE' mentioned");
    expect(JSON.stringify(found.trajectory.entries.filter(({ kind }) => kind === "turn"))).not.toContain(
      "Prompt tokens",
    );
  });

  it("keeps what others printed, before, between and on the line of a header, apart from what was said", () => {
    expect(contextsOf(found, "metadata").slice(0, 3)).toEqual([
      "Loading the tools of the shop",
      "WARNING: the stock service is slow",
      "Enter your response:",
    ]);
  });

  it("knows the file that a saved block of code is", () => {
    expect(buildHistory(found.trajectory, null).writes.map(({ path }) => path)).toContain("make.py");
  });
});

describe("what the console of the first versions printed, without types", () => {
  const found = fixture("early-console.log");

  it("is told by what is printed: calls, answers, what repeats them, handoffs", () => {
    expect(found.detection.variant).toBe("0.4 console log");
    expect(kindsOf(found)).toEqual([
      ["planner", ["call", "result"]],
      ["planner", ["call", "result", "handoff"]],
      ["harbour", ["message"]],
    ]);
    expect(resultsOf(found)[0]?.raw.map(({ line }) => line)).toEqual([6, 8]);
  });

  it("holds a streamed final answer twice, the second right behind the first: it is one item with both places", () => {
    expect(saidIn(found, "message").map(({ text, raw }) => [text, raw.map(({ line }) => line)])).toEqual([
      ["Boat 7 is yours.", [17, 18]],
    ]);
    expect(turnsOf(found.trajectory).at(-1)?.usage?.inputTokens).toBe(120);
  });

  it("needs a person first, and calls, tokens or a summary", () => {
    const two = (first: string, said: string): string =>
      `---------- ${first} ----------\nDo it.\n---------- helper ----------\n${said}\n`;
    expect(() => readText(two("user", "Done."))).toThrow();
    expect(() => readText(two("chapter", "[Prompt tokens: 1, Completion tokens: 2]"))).toThrow();
    expect(kindsOf(readText(two("user", "Done.\n[Prompt tokens: 1, Completion tokens: 2]")))).toEqual([
      ["helper", ["message"]],
    ]);
  });
});

describe("what is odd in a printed run", () => {
  it("a list that is cut off or is none is kept and noted", () => {
    const found = readText(`${asked}${header("ToolCallRequestEvent", "a")}\n[FunctionCall(id='c1', argum\n`);
    expect(contextsOf(found, "opaque")).toEqual([expect.stringContaining("[FunctionCall(id='c1', argum")]);
    expect(found.trajectory.notes.map(({ code }) => code)).toContain("event_not_understood");
  });

  it("pieces that no call follows, or that have their own tokens, are a message", () => {
    const call = `${header("ToolCallRequestEvent", "a")}\n[FunctionCall(id='c', arguments='{}', name='f')]\n`;
    const chunk = `${header("ModelClientStreamingChunkEvent", "a")}\nIt is done.\n`;
    const tokens = "[Prompt tokens: 3, Completion tokens: 4]\n";
    expect(kindsOf(readText(asked + chunk))).toEqual([["a", ["message"]]]);
    expect(kindsOf(readText(asked + chunk + call))).toEqual([["a", ["thought", "call"]]]);
    expect(kindsOf(readText(asked + chunk + tokens + call))).toEqual([
      ["a", ["message"]],
      ["a", ["call"]],
    ]);
  });

  it("the answer of one agent alone is printed without a type, and what was streamed of it is not said twice", () => {
    const answer = "---------- a ----------\nIt is done.\n";
    const chunk = `${header("ModelClientStreamingChunkEvent", "a")}\nIt is done.`;
    expect(kindsOf(readText(asked + chunk + answer))).toEqual([["a", ["message"]]]);
  });

  it("what a person is asked with is no word of who spoke before", () => {
    const said = `${header("TextMessage", "a")}\nIs it right?\n`;
    const found = readText(`${asked}${said}Enter your response: ${header("TextMessage", "user_proxy")}\nYes.\n`);
    expect(saidIn(found, "message").map(({ text }) => text)).toEqual(["Is it right?"]);
    expect(contextsOf(found, "metadata")).toEqual(["Enter your response:"]);
  });

  it("line ends of another system and the colours of a terminal change nothing", () => {
    const text = `${asked}${header("TextMessage", "a")}\nDone.\n[Prompt tokens: 1, Completion tokens: 2]\n`;
    const coloured = text.replaceAll("\n", "\r\n").replaceAll("----------", "\u001b[32m----------\u001b[0m");
    expect(kindsOf(readText(coloured))).toEqual([["a", ["message"]]]);
    expect(turnsOf(readText(coloured).trajectory)[0]?.usage?.outputTokens).toBe(2);
  });

  it("several runs of one program are added up", () => {
    const summary = (tokens: number): string =>
      `---------- Summary ----------\nNumber of messages: 2\nFinish reason: None\nTotal prompt tokens: ${tokens}\nTotal completion tokens: 1\nDuration: 0.50 seconds\n`;
    const run = `${asked}${header("TextMessage", "a")}\nDone.\n`;
    const { trajectory } = readText(run + summary(10) + run + summary(5));
    expect(trajectory.totals).toMatchObject({ inputTokens: 15, outputTokens: 2, durationMs: 1_000 });
    expect(trajectory.exitStatus).toBeNull();
  });

  it("a chat of 0.2 that quotes such a header stays one", () => {
    const chat = `user (to coder):\n\nWhat is this?\n${header("TextMessage", "user")}\n\n${"-".repeat(80)}\n`;
    const reply = `coder (to user):\n\nA header.\n\n${"-".repeat(80)}\n`;
    expect(readText(chat + reply).detection.variant).toBe("0.2 console log");
    expect(readText(asked + chat + reply).detection.variant).toBe("0.4 console log");
  });

  it("rulers and headers without end are read in no long time", () => {
    const lines = `${"-".repeat(2_000)} ----------\n${"---------- x ".repeat(200)}----------\n`.repeat(300);
    expect(processorMs(() => readText(asked + lines))).toBeLessThan(3_000);
  });
});
