import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Answer, OVERFLOW } from "@/e2e/model-server/answers";
import { type ModelServer, startModelServer } from "@/e2e/model-server/server";
import type { Style } from "@/e2e/model-server/styles";
import { type Judge, JudgeError, type JudgeRequest } from "@/lib/judge/port";
import { FIRST_MANNER } from "./manner";
import { type DoorSettings, openaiJudge, TRIES_MAX } from "./openai-judge";
import { settingsFor, TEST_KEY } from "./test-support";

const KEY = TEST_KEY;
const MARK = "trace-one";

const view = {
  name: "view",
  description: "Shows a turn",
  parameters: z.object({ turn: z.number().int().min(0), why: z.string().optional() }),
};
const submit = { name: "submit", description: "Says the turn", parameters: z.object({ turn: z.number().int() }) };
const question: JudgeRequest = {
  purpose: "investigation",
  messages: [
    { role: "system", text: "The rules" },
    { role: "user", text: `The task of ${MARK}` },
  ],
  tools: [view, submit],
  mustCall: "submit",
  temperature: 0,
  maxOutputTokens: 300,
};
const good: Answer = { calls: [{ name: "submit", arguments: { turn: 4 } }] };

let server: ModelServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

interface Made {
  judge: Judge;
  server: ModelServer;
  waits: number[];
}

async function made(answers: Answer[], style: Partial<Style> = {}, more: Partial<DoorSettings> = {}): Promise<Made> {
  server = await startModelServer([{ name: "one", marker: MARK, answers }], { style });
  const waits: number[] = [];
  const judge = openaiJudge({ ...settingsFor(server.baseUrl, waits), ...more }, FIRST_MANNER);
  return { judge, server, waits };
}

async function failure(asked: Promise<unknown>): Promise<JudgeError> {
  const error: unknown = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof JudgeError)) throw new Error(`no JudgeError: ${String(error)}`);
  return error;
}

describe("a question over HTTP", () => {
  it("is a chat completion with tools, and comes back typed", async () => {
    const { judge, server } = await made(
      [
        {
          calls: [{ name: "submit", arguments: { turn: 4 }, id: "a" }],
          usage: { input: 1_000, cached: 400, output: 50 },
        },
      ],
      {},
      { prices: { input: 2, cached: 0.5, output: 10 } },
    );
    expect(await judge.ask(question)).toEqual({
      model: "some-model",
      text: "",
      calls: [{ id: "a", name: "submit", arguments: '{"turn":4}' }],
      finish: "calls",
      usage: { inputTokens: 1_000, cachedTokens: 400, outputTokens: 50, costUsd: 0.0019 },
    });
    const [asked] = server.asked;
    expect(asked?.path).toBe("/v1/chat/completions");
    expect(asked?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(asked?.body).toEqual({
      model: "some-model",
      messages: [
        { role: "system", content: "The rules" },
        { role: "user", content: `The task of ${MARK}` },
      ],
      tools: [
        {
          type: "function",
          function: {
            name: "view",
            description: "Shows a turn",
            parameters: {
              type: "object",
              properties: { turn: { type: "integer", minimum: 0 }, why: { type: "string" } },
              required: ["turn"],
            },
          },
        },
        expect.objectContaining({ type: "function" }),
      ],
      tool_choice: { type: "function", function: { name: "submit" } },
      temperature: 0,
      max_tokens: 300,
    });
  });

  it("carries calls and their answers back", async () => {
    const { judge, server } = await made([good]);
    await judge.ask({
      ...question,
      mustCall: null,
      messages: [
        ...question.messages,
        { role: "assistant", text: "", calls: [{ id: "c1", name: "view", arguments: '{"turn":1}' }] },
        { role: "tool", callId: "c1", text: "turn one" },
      ],
    });
    expect(server.asked[0]?.body).toMatchObject({
      tool_choice: "auto",
      messages: [
        {},
        {},
        { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: { name: "view" } }] },
        { role: "tool", tool_call_id: "c1", content: "turn one" },
      ],
    });
  });

  it("speaks to an Azure style address with its query and its header", async () => {
    server = await startModelServer([{ name: "one", marker: MARK, answers: [good] }]);
    const base = server.baseUrl.replace("/v1", "/openai/deployments/mine?api-version=2024-10-21");
    await openaiJudge(settingsFor(base), FIRST_MANNER).ask(question);
    const [asked] = server.asked;
    expect(asked?.path).toBe("/openai/deployments/mine/chat/completions");
    expect(asked?.query).toEqual({ "api-version": "2024-10-21" });
    expect(asked?.headers["api-key"]).toBe(KEY);
    expect(asked?.headers.authorization).toBeUndefined();
  });
});

describe("endpoints that differ", () => {
  const submitted = [{ name: "submit", arguments: '{"turn":4}' }];

  it.each<[string, Partial<Style>, string[] | undefined, number]>([
    ["calls without ids", { calls: "no ids" }, undefined, 1],
    ["arguments as an object (Ollama)", { calls: "object arguments" }, undefined, 1],
    ["the older function_call", { calls: "function_call" }, undefined, 1],
    ["content in parts, with reasoning beside it", { content: "parts", reasoning: true }, undefined, 1],
    ["an odd finish reason", { finish: "eos_token" }, undefined, 1],
    ["stop as the finish reason of calls", { finish: "stop" }, undefined, 1],
    ["max_completion_tokens only", { lengthParameter: "max_completion_tokens" }, undefined, 1],
    ["no temperature", { temperature: "refused" }, ["no_temperature"], 1],
    [
      "both (reasoning models)",
      { temperature: "refused", lengthParameter: "max_completion_tokens" },
      ["no_temperature"],
      1,
    ],
    ["no named tool", { forcing: "refused" }, undefined, 1],
    ["no forced tool at all", { forcing: "only auto" }, ["not_forced"], 1],
    ["no tools", { tools: "refused" }, ["json_mode"], 1],
    ["neither tools nor JSON mode", { tools: "refused", jsonMode: "refused" }, ["text_mode"], 1],
  ])("answers with %s", async (_, style, adjustments, answers) => {
    const { judge, server, waits } = await made([good, good], style);
    const reply = await judge.ask(question);
    expect(reply.calls.map(({ name, arguments: args }) => ({ name, arguments: args }))).toEqual(submitted);
    expect(reply.adjustments).toEqual(adjustments);
    expect(reply.failedTries).toBeUndefined();
    expect(reply.calls[0]?.id).toMatch(/./);
    // The second question goes in the manner that was learned, at once.
    await judge.ask(question);
    expect(server.asked).toHaveLength(answers + 1);
    expect(waits).toEqual([]);
    expect(server.violations).toEqual([]);
  });

  it("describes tools in words where there are none, in one system message, person and model by turns", async () => {
    const { judge, server } = await made([good], { tools: "refused" });
    await judge.ask({
      ...question,
      messages: [
        ...question.messages,
        { role: "assistant", text: "", calls: [{ id: "c1", name: "view", arguments: '{"turn":1}' }] },
        { role: "tool", callId: "c1", text: "turn one" },
        { role: "user", text: "go on" },
      ],
    });
    const [asked] = server.asked;
    expect(asked?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(asked?.messages[0]?.text).toMatch(/^The rules\n\nAnswer with one JSON object.*- view: Shows a turn/s);
    expect(asked?.messages[0]?.text).toContain("The answer has to call submit");
    expect(asked?.messages[3]?.text).toBe("Answer to the call c1:\nturn one\n\ngo on");
    expect(asked?.body.response_format).toEqual({ type: "json_object" });
  });

  it.each<[string, string]>([
    ["bare", '{"name":"submit","arguments":{"turn":4}}'],
    ["parameters, as Llama writes them", '{"name":"submit","parameters":{"turn":4}}'],
    [
      "in a fence behind thoughts",
      '<think>{"name":"view"}</think>So:\n```json\n{"tool":"submit","arguments":{"turn":4}}\n```',
    ],
    ["in the last of several fences", '```json\n{"a":1}\n```\nno:\n```\n{"tool":"submit","arguments":{"turn":4}}\n```'],
    [
      "in tags, as Hermes and Qwen write them",
      '<tool_call>\n{"name": "submit", "arguments": {"turn":4}}\n</tool_call>',
    ],
    ["as arguments alone", '```json\n{"turn":4}\n```'],
    ["with words around", 'I call {"function":{"name":"submit","arguments":"{\\"turn\\":4}"}} now'],
  ])("reads a call that a model wrote into its text: %s", async (_, text) => {
    const { judge } = await made([{ text }]);
    expect((await judge.ask(question)).calls).toEqual([{ id: "call_0", name: "submit", arguments: '{"turn":4}' }]);
  });

  it("makes no call of words where the model may choose", async () => {
    const { judge } = await made([{ text: 'The trace says {"name":"submit","arguments":{"turn":4}}' }]);
    const reply = await judge.ask({ ...question, mustCall: null });
    expect(reply.calls).toEqual([]);
    expect(reply.finish).toBe("stop");
  });

  it("says null for what the endpoint does not count, and takes its own price when none is set", async () => {
    const { judge } = await made([{ ...good, usage: "none" }]);
    expect((await judge.ask(question)).usage).toEqual({
      inputTokens: null,
      cachedTokens: null,
      outputTokens: null,
      costUsd: null,
    });
    const priced = {
      choices: [{ message: { content: "x" } }],
      usage: { prompt_tokens: 5, completion_tokens: 1, cost: 0.25 },
    };
    await server?.close();
    const second = await made([{ body: JSON.stringify(priced) }]);
    expect((await second.judge.ask(question)).usage).toMatchObject({ inputTokens: 5, costUsd: 0.25 });
  });

  it.each<[string, Answer, string]>([
    ["cut", { text: "half an ans", finish: "length" }, "length"],
    ["filtered", { text: "", finish: "content_filter" }, "filtered"],
    ["refused", { body: '{"choices":[{"message":{"content":null,"refusal":"I cannot"}}]}' }, "filtered"],
  ])("says that an answer was %s", async (_, answer, finish) => {
    const { judge } = await made([answer]);
    expect((await judge.ask({ ...question, mustCall: null })).finish).toBe(finish);
  });

  it("gives nothing out that a database does not take", async () => {
    const body = '{"model":"m\\u0000","choices":[{"message":{"content":"a\\u0000b\\ud800"}}]}';
    const { judge } = await made([{ body }]);
    expect(await judge.ask({ ...question, mustCall: null })).toMatchObject({
      model: "m\ufffd",
      text: "a\ufffdb\ufffd",
    });
  });
});

describe("failures", () => {
  it.each<[string, Answer, string]>([
    ["429", { status: 429, error: { message: "slow down" } }, "rate_limited"],
    ["500", { status: 500 }, "unavailable"],
    ["503 with words", { status: 503, error: "overloaded" }, "unavailable"],
    ["529", { status: 529 }, "unavailable"],
    ["a broken connection", { fault: "reset" }, "unavailable"],
    ["a body that is cut", { fault: "cut" }, "unavailable"],
    ["broken JSON", { body: '{"choices":[{"message":' }, "malformed"],
    ["no chat completion", { body: '{"ok":true}' }, "malformed"],
    ["an empty body", { body: "" }, "malformed"],
    [
      "more than any answer is long",
      { body: `{"choices":[{"message":{"content":"${"x".repeat(9_000_000)}"}}]}` },
      "malformed",
    ],
    ["a page of HTML", { body: "<html>Bad gateway</html>", contentType: "text/html" }, "malformed"],
    [
      "JSON nested without end",
      {
        body: `{"choices":[{"message":{"tool_calls":[{"function":{"name":"a","arguments":${"[".repeat(50_000)}${"]".repeat(50_000)}}}]}}]}`,
      },
      "malformed",
    ],
    ["a failure inside an answer", { body: '{"error":{"code":502,"message":"the provider is down"}}' }, "unavailable"],
    [
      "a failure inside a choice",
      { body: '{"choices":[{"error":{"code":429,"message":"slow"},"message":{"content":""}}]}' },
      "rate_limited",
    ],
  ])("passes over %s and asks again", async (_, bad, code) => {
    const { judge, server, waits } = await made([bad, bad, good]);
    const reply = await judge.ask(question);
    expect(reply.calls).toHaveLength(1);
    expect(reply.failedTries).toEqual([code, code]);
    // Full jitter: half of 1,000 and of 2,000 with this chance.
    expect(waits).toEqual([500, 1_000]);
    expect(server.asked).toHaveLength(3);
  });

  it("gives up after five tries, and says each of them", async () => {
    const { judge, server, waits } = await made(Array.from({ length: 9 }, () => ({ status: 500 })));
    const error = await failure(judge.ask(question));
    expect(error.code).toBe("unavailable");
    expect(error.failedTries).toHaveLength(TRIES_MAX);
    expect(server.asked).toHaveLength(TRIES_MAX);
    expect(waits).toEqual([500, 1_000, 2_000, 4_000]);
  });

  it.each<[string, Answer, number | null]>([
    ["seconds", { status: 429, headers: { "retry-after": "7" } }, 7_500],
    ["milliseconds", { status: 429, headers: { "retry-after-ms": "250", "retry-after": "9" } }, 750],
    ["a date", { status: 503, headers: { "retry-after": "Thu, 01 Jan 2026 00:00:10 GMT" } }, 10_500],
    ["a date that has passed", { status: 503, headers: { "retry-after": "Thu, 01 Jan 2015 00:00:10 GMT" } }, 500],
    ["nonsense", { status: 429, headers: { "retry-after": "soon" } }, 500],
    ["more than a job waits", { status: 429, headers: { "retry-after": "3600" } }, null],
  ])("honours Retry-After: %s", async (_, bad, wait) => {
    const { judge, waits, server } = await made([bad, good]);
    if (wait === null) {
      expect((await failure(judge.ask(question))).code).toBe("rate_limited");
      expect(server.asked).toHaveLength(1);
    } else {
      await judge.ask(question);
      expect(waits).toEqual([wait]);
    }
  });

  it.each<[string, Answer, string]>([
    ["400", { status: 400, error: { message: "bad", code: "invalid_value" } }, "refused"],
    [
      "401",
      { status: 401, error: { message: `Incorrect API key provided: ${KEY}`, code: "invalid_api_key" } },
      "refused",
    ],
    ["403", { status: 403 }, "refused"],
    ["404", { status: 404, error: { message: "The model does not exist", code: "model_not_found" } }, "refused"],
    ["422", { status: 422 }, "refused"],
    [
      "a used-up quota",
      { status: 429, error: { message: "You exceeded your quota", code: "insufficient_quota" } },
      "refused",
    ],
    ["402", { status: 402 }, "refused"],
  ])("does not ask again after %s", async (_, bad, code) => {
    const { judge, server, waits } = await made([bad, good]);
    expect((await failure(judge.ask(question))).code).toBe(code);
    expect(server.asked).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  it("O3: does not follow a redirect, and says so", async () => {
    const elsewhere = await startModelServer([]);
    const { judge } = await made([{ redirect: `${elsewhere.baseUrl}/chat/completions` }, good]);
    const error = await failure(judge.ask(question));
    expect(error).toMatchObject({ code: "refused", message: expect.stringContaining("not followed") });
    expect([...elsewhere.asked, ...elsewhere.probes, ...elsewhere.violations]).toEqual([]);
    await elsewhere.close();
  });

  it.each<[string, Answer]>([
    ["OpenAI, Azure", OVERFLOW.openai],
    ["llama.cpp", OVERFLOW.llamaCpp],
    ["413", { status: 413 }],
    [
      "vLLM",
      {
        status: 400,
        error: {
          message: "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens",
          code: 400,
        },
      },
    ],
    [
      "Anthropic behind a gateway",
      { status: 400, error: { message: "prompt is too long: 210000 tokens > 200000 maximum" } },
    ],
    [
      "Gemini",
      {
        status: 400,
        error: { message: "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576)." },
      },
    ],
    ["Ollama", { status: 400, error: "the input length exceeds the context length" }],
    ["TGI", { status: 422, error: "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096" }],
    [
      "SGLang",
      {
        status: 400,
        error: { message: "The input (9000 tokens) is longer than the model's context length (8192 tokens)." },
      },
    ],
    [
      "OpenRouter, inside an answer",
      { body: '{"error":{"code":400,"message":"This endpoint\'s maximum context length is 8192 tokens."}}' },
    ],
  ])("recognises that the question is too long: %s", async (_, bad) => {
    const { judge, server } = await made([bad, good]);
    expect((await failure(judge.ask(question))).code).toBe("context_overflow");
    expect(server.asked).toHaveLength(1);
  });

  it("says nothing of the key, the address or the trace, whatever the endpoint says", async () => {
    const words = `key ${KEY} at http://127.0.0.1/v1 for: The task of ${MARK}`;
    for (const status of [400, 401, 403, 404, 408, 422, 429, 500, 503]) {
      const { judge } = await made(
        Array.from({ length: 5 }, () => ({ status, error: { message: words, code: words, type: words } })),
      );
      const { message, stack } = await failure(judge.ask(question));
      for (const text of [message, stack ?? ""]) {
        expect(text).not.toContain(KEY);
        expect(text).not.toContain("127.0.0.1");
        expect(text).not.toContain(MARK);
      }
      await server?.close();
    }
  });

  it.each<[string, Answer]>([
    ["ours", { fault: "hang" }],
    ["the endpoint's own", { status: 408 }],
  ])("a time-out is one, and tried again: %s", async (_, bad) => {
    const { judge, server } = await made([bad, good], {}, { timeoutMs: 1_000 });
    const reply = await judge.ask(question);
    expect(reply.failedTries).toEqual(["timeout"]);
    expect(server.asked).toHaveLength(2);
  });

  it("gives up after two time-outs", async () => {
    const { judge, server } = await made([{ fault: "hang" }, { fault: "hang" }, good], {}, { timeoutMs: 300 });
    const error = await failure(judge.ask(question));
    expect([error.code, error.failedTries]).toEqual(["timeout", ["timeout", "timeout"]]);
    expect(server.asked).toHaveLength(2);
  });

  it("learns nothing from complaints that may quote the trace, unless another manner is answered", async () => {
    const quoting: Answer = { status: 422, error: { message: "bad input: the temperature of the tools, tool_choice" } };
    const { judge, server } = await made([quoting, quoting, quoting, quoting, quoting, good]);
    expect((await failure(judge.ask(question))).code).toBe("refused");
    expect((await judge.ask(question)).adjustments).toBeUndefined();
    expect(server.asked.at(-1)?.body).toMatchObject({ temperature: 0, tool_choice: { function: { name: "submit" } } });
  });

  it("does not take every failure that speaks of tools for a refusal of them", async () => {
    const broken: Answer = { status: 500, error: { message: "error parsing tool call" } };
    const { judge } = await made([broken, good]);
    expect(await judge.ask(question)).toMatchObject({ failedTries: ["unavailable"] });
    await server?.close();
    const jinja = await made([{ status: 500, error: { message: "tools param requires --jinja flag" } }, good]);
    expect(await jinja.judge.ask(question)).toMatchObject({ adjustments: ["json_mode"] });
  });

  it("a cancelled question ends at once: before it, while it is asked, and while it waits", async () => {
    const before = new AbortController();
    before.abort();
    const first = await made([good], {}, { signal: before.signal });
    expect((await failure(first.judge.ask(question))).code).toBe("cancelled");
    expect(first.server.asked).toHaveLength(0);
    await first.server.close();

    const during = new AbortController();
    const second = await made([{ fault: "hang" }], {}, { signal: during.signal });
    const asked = failure(second.judge.ask(question));
    await expect.poll(() => second.server.asked.length).toBe(1);
    during.abort();
    expect((await asked).code).toBe("cancelled");
    await second.server.close();

    const waiting = new AbortController();
    const third = await made(
      [{ status: 500 }, good],
      {},
      {
        signal: waiting.signal,
        wait: () => {
          waiting.abort();
          return Promise.reject(new Error("aborted"));
        },
      },
    );
    const error = await failure(third.judge.ask(question));
    expect(error.code).toBe("cancelled");
    expect(error.failedTries).toEqual(["unavailable", "cancelled"]);
    expect(third.server.asked).toHaveLength(1);
  });

  it("says that nothing answers at the address", async () => {
    const { server } = await made([]);
    const { baseUrl } = server;
    await server.close();
    const error = await failure(openaiJudge({ ...settingsFor(baseUrl), triesMax: 1 }, FIRST_MANNER).ask(question));
    expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining("refused") });
  });

  it("O2: does not ask a name that leads into the private network", async () => {
    const { server } = await made([good]);
    const settings = settingsFor(server.baseUrl.replace("127.0.0.1", "localhost"));
    const endpoint = { ...settings.endpoint, allowPrivate: false };
    expect((await failure(openaiJudge({ ...settings, endpoint }, FIRST_MANNER).ask(question))).code).toBe("refused");
    expect(server.asked).toHaveLength(0);
  });
});
