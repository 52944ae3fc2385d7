import { describe, expect, it } from "vitest";
import { IngestError } from "@/lib/errors";
import { processorMs } from "@/lib/test-support/processor-time";
import { ingest } from "./ingest";

const MANY = 60_000;
/** Of processor time. Generous, because machines differ: each takes a second or two. */
const LIMIT_MS = 10_000;

function timed(value: unknown): void {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const tookMs = processorMs(() => {
    try {
      ingest({ name: "x", bytes: new TextEncoder().encode(text) });
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
    }
  });
  expect(tookMs).toBeLessThan(LIMIT_MS);
}

const step = (more: object): object => ({
  action: "ls",
  observation: "",
  response: "",
  thought: "",
  state: "{}",
  ...more,
});
const run = (more: object, first: object = {}): object => ({ trajectory: [step(first)], info: {}, ...more });
const user = (content: string): object => ({ role: "user", content, agent: "main", message_type: "observation" });
const lines = (count: number, line: (n: number) => object): string =>
  Array.from({ length: count }, (_, n) => JSON.stringify(line(n))).join("\n");
const base = { isSidechain: false, sessionId: "s" };

describe("sizes that take quadratic time when read carelessly", { timeout: 60_000 }, () => {
  it.each([
    ["line feeds before ISSUE", run({ history: [user("\n".repeat(1_000_000))] })],
    ["open tags that never close", run({ history: [user("<pr_description>".repeat(MANY))] })],
    [
      "open fences in a history alone",
      { history: [user("x"), { ...user("```a\n<command>".repeat(MANY)), role: "assistant" }] },
    ],
    [
      "a quote that never closes",
      run({}, { action: `str_replace_editor create /a --file_text "${"a\\".repeat(500_000)}` }),
    ],
    ["a very long command", run({}, { action: "sed cat > ".repeat(MANY) })],
    ["a very long response", run({}, { response: "<function=a>".repeat(MANY), thought: "\n".repeat(500_000) })],
    [
      "rows that look like a window",
      run({}, { observation: `[File: ${" (1 ".repeat(MANY)}\n${"1:a\n".repeat(MANY)}` }),
    ],
    [
      "steps and messages that do not fit",
      {
        trajectory: Array.from({ length: 20_000 }, (_, n) => step({ response: `r${n}` })),
        history: Array.from({ length: 20_000 }, (_, n) => ({ ...user(`m${n}`), role: n % 2 ? "user" : "assistant" })),
        info: {},
      },
    ],
    ["keys", run({ info: Object.fromEntries(Array.from({ length: MANY }, (_, n) => [`k${n}`, n])) })],
  ])("SWE-agent: %s", (_, value) => {
    timed(value);
  });

  it.each([
    [
      "one message of very many lines",
      lines(MANY, (n) => ({
        ...base,
        uuid: `${n}`,
        parentUuid: `${n - 1}`,
        type: "assistant",
        message: {
          id: "same",
          role: "assistant",
          content: [{ type: "tool_use", id: `t${n}`, name: "Bash", input: {} }],
        },
      })),
    ],
    [
      "calls and results of one identifier",
      lines(MANY, (n) => ({
        ...base,
        uuid: `${n}`,
        parentUuid: `${n - 1}`,
        type: n < MANY / 2 ? "assistant" : "user",
        message: {
          id: `m${n}`,
          content: [
            n < MANY / 2
              ? { type: "tool_use", id: "t", name: "Bash", input: { n } }
              : { type: "tool_result", tool_use_id: "t", content: "x" },
          ],
        },
      })),
    ],
    [
      "one line of very many results",
      JSON.stringify({
        ...base,
        uuid: "u",
        parentUuid: null,
        type: "user",
        message: {
          content: Array.from({ length: 4 * MANY }, (_, n) => ({
            type: "tool_result",
            tool_use_id: `t${n}`,
            content: "x",
          })),
        },
      }),
    ],
    [
      "very many sub-agents",
      lines(MANY, (n) => ({
        ...base,
        uuid: `${n}`,
        parentUuid: null,
        isSidechain: n > 0,
        agentId: `a${n}`,
        type: "user",
        message: { content: `p${n}` },
      })),
    ],
    [
      "a long branch that was left behind",
      lines(MANY, (n) => ({
        ...base,
        uuid: `${n}`,
        parentUuid: n === MANY - 1 ? "0" : `${n - 1}`,
        type: "assistant",
        message: { id: `m${n}`, role: "assistant", content: "x" },
      })),
    ],
    [
      "commands and notifications that never close",
      lines(4, () => ({
        ...base,
        uuid: "u",
        parentUuid: null,
        type: "user",
        message: { content: "<task-notification><tool-use-id><command-args>".repeat(MANY) },
      })),
    ],
  ])("Claude Code: %s", (_, text) => {
    timed(text);
  });

  it("U4: pollutes no prototype through any field", () => {
    const evil = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}';
    const text = `{"trajectory":[{"action":"ls","observation":"","state":${evil},"extra_info":${evil}}],"info":${evil},"history":[${evil}],"replay_config":${JSON.stringify(evil)},"__proto__":{"isAdmin":true}}`;
    const { trajectory } = ingest({ name: "x", bytes: new TextEncoder().encode(text) });
    expect(Reflect.get({}, "isAdmin")).toBeUndefined();
    expect(Reflect.get(trajectory, "isAdmin")).toBeUndefined();
  });
});
