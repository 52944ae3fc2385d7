import { describe, expect, it } from "vitest";
import { z } from "zod";
import { askForm, askTyped } from "./answer";
import { JudgeError, type JudgeReply, type JudgeRequest } from "./port";
import { callOf, PreparedJudge, replyWith } from "./test-support";

const view = { name: "view", description: "Shows a turn", parameters: z.object({ turn: z.number().int().min(0) }) };
const submit = {
  name: "submit",
  description: "Says the turn",
  parameters: z.object({ turn: z.number().int(), why: z.string().min(1) }),
};
const request: JudgeRequest = {
  purpose: "investigation",
  messages: [
    { role: "system", text: "rules" },
    { role: "user", text: "question" },
  ],
  tools: [view, submit],
  mustCall: null,
  temperature: 0,
  maxOutputTokens: 500,
};
const good = replyWith({ calls: [callOf("view", { turn: 3 })] });

async function failure(asked: Promise<unknown>): Promise<JudgeError> {
  const error: unknown = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof JudgeError)) throw new Error(`no JudgeError: ${String(error)}`);
  return error;
}

describe("askTyped", () => {
  it("gives the calls with their arguments read", async () => {
    const judge = new PreparedJudge([good]);
    const answer = await askTyped(judge, request);
    expect(answer).toEqual({ reply: good, calls: [{ id: "call_1", tool: "view", value: { turn: 3 } }], refused: [] });
    expect(judge.asked).toEqual([request]);
  });

  it("takes an answer in words where the model may choose, and refuses it where a tool has to be called", async () => {
    const words = replyWith({ text: "I am done" });
    expect((await askTyped(new PreparedJudge([words]), request)).calls).toEqual([]);
    const judge = new PreparedJudge([words, replyWith({ calls: [callOf("submit", { turn: 1, why: "x" })] })]);
    const answer = await askTyped(judge, { ...request, mustCall: "submit" });
    expect(answer.refused).toEqual(["the answer has to be a call of submit"]);
    expect(answer.calls).toEqual([{ id: "call_1", tool: "submit", value: { turn: 1, why: "x" } }]);
  });

  it.each<[string, JudgeReply, RegExp]>([
    [
      "a tool that there is not",
      replyWith({ calls: [callOf("../../etc/passwd", {})] }),
      /etc\?passwd: there is no such tool/,
    ],
    ["broken JSON", replyWith({ calls: [callOf("view", '{"turn": 3')] }), /view: the arguments are not JSON/],
    ["the wrong shape", replyWith({ calls: [callOf("view", { turn: "3" })] }), /view: turn: .*expected number/],
    ["a value out of range", replyWith({ calls: [callOf("view", { turn: -1 })] }), /view: turn: /],
    ["arguments that are too long", replyWith({ calls: [callOf("view", " ".repeat(100_001))] }), /100001 characters/],
    [
      "arguments that are nested too deeply",
      replyWith({ calls: [callOf("view", `${"[".repeat(200_000).slice(0, 90_000)}`)] }),
      /nested deeper than 32/,
    ],
    [
      "too many calls",
      replyWith({ calls: Array.from({ length: 10_000 }, (_, n) => callOf("view", { turn: n }, `c${n}`)) }),
      /10000 calls at once; at most 16/,
    ],
    ["a cut answer", replyWith({ calls: [callOf("view", "{")], finish: "length" }), /cut at 500 tokens/],
  ])("asks again for %s, and says what was wrong", async (_, bad, why) => {
    const judge = new PreparedJudge([bad, good]);
    const answer = await askTyped(judge, request);
    expect(answer.calls).toHaveLength(1);
    expect(answer.refused).toEqual([expect.stringMatching(why)]);
    const [, again] = judge.asked;
    expect(again?.temperature).toBe(0.1);
    expect(again?.messages.slice(0, 2)).toEqual(request.messages);
    expect(again?.messages.at(-1)?.text).toMatch(why);
    expect(JSON.stringify(again).length).toBeLessThan(20_000);
  });

  it("repeats to the endpoint only calls of known tools with arguments that are JSON, each with its answer", async () => {
    const bad = replyWith({
      calls: [callOf("view", { turn: 1 }, "a"), callOf("view", "{broken", "b"), callOf("nothing", {}, "c")],
    });
    const judge = new PreparedJudge([bad, good]);
    await askTyped(judge, request);
    const [assistant, first, second, last] = judge.asked[1]?.messages.slice(2) ?? [];
    expect(assistant).toMatchObject({ role: "assistant", calls: [{ id: "a" }, { id: "b" }] });
    if (assistant?.role !== "assistant") throw new Error("no answer was repeated");
    for (const call of assistant.calls) expect(() => JSON.parse(call.arguments)).not.toThrow();
    expect(first).toMatchObject({ role: "tool", callId: "a", text: expect.stringContaining("Not carried out") });
    expect(second).toMatchObject({ role: "tool", callId: "b", text: expect.stringContaining("not JSON") });
    expect(last).toMatchObject({ role: "user", text: expect.stringContaining("nothing: there is no such tool") });
  });

  it("asks again for what the caller refuses", async () => {
    const judge = new PreparedJudge([good, replyWith({ calls: [callOf("view", { turn: 4 })] })]);
    const answer = await askTyped(judge, request, ({ value }) =>
      JSON.stringify(value) === '{"turn":3}' ? "there is no turn 3" : null,
    );
    expect(answer.refused).toEqual(["view: there is no turn 3"]);
    expect(answer.calls[0]?.value).toEqual({ turn: 4 });
  });

  it("gives up as malformed after two more times, without words of the answer", async () => {
    const bad = replyWith({ calls: [callOf("view", "{secret words")] });
    const judge = new PreparedJudge([bad, bad, bad, good]);
    const error = await failure(askTyped(judge, request));
    expect(error.code).toBe("malformed");
    expect(error.message).not.toContain("secret words");
    expect(judge.asked).toHaveLength(3);
  });

  it("does not ask again when the answer was filtered, or when asking fails", async () => {
    const filtered = new PreparedJudge([replyWith({ finish: "filtered" }), good]);
    expect((await failure(askTyped(filtered, request))).code).toBe("refused");
    const over = new PreparedJudge([new JudgeError("context_overflow", "too long"), good]);
    expect((await failure(askTyped(over, request))).code).toBe("context_overflow");
    expect([filtered.asked.length, over.asked.length]).toEqual([1, 1]);
  });

  it("makes arguments storable, and nothing of them a prototype", async () => {
    const text = '{"turn":1,"why":"a\\u0000b\\ud800c","__proto__":{"isAdmin":true}}';
    const answer = await askTyped(new PreparedJudge([replyWith({ calls: [callOf("submit", text)] })]), request);
    expect(answer.calls[0]?.value).toEqual({ turn: 1, why: "a\ufffdb\ufffdc" });
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

describe("askForm", () => {
  const question = { purpose: "prior" as const, messages: request.messages, maxOutputTokens: 500, form: submit };

  it("asks for the form alone and gives it typed", async () => {
    const judge = new PreparedJudge([replyWith({ calls: [callOf("submit", { turn: 2, why: "because" })] })]);
    const { value } = await askForm(judge, question);
    expect(value.why).toBe("because");
    expect(judge.asked[0]).toMatchObject({ mustCall: "submit", tools: [submit], temperature: 0 });
  });

  it("asks again for a value that the caller refuses; of several forms the first counts", async () => {
    const judge = new PreparedJudge([
      replyWith({ calls: [callOf("submit", { turn: 10 ** 9, why: "x" })] }),
      replyWith({
        calls: [callOf("submit", { turn: 1, why: "first" }), callOf("submit", { turn: 2, why: "second" }, "b")],
      }),
    ]);
    const { value, answer } = await askForm(judge, question, ({ turn }) => (turn > 9 ? "turn is out of range" : null));
    expect(value).toEqual({ turn: 1, why: "first" });
    expect(answer.refused).toEqual(["submit: turn is out of range"]);
  });
});
