import { describe, expect, it } from "vitest";
import { z } from "zod";
import { JudgeError, type JudgeRequest } from "./port";
import { type CallLog, canonicalRequest, type LoggedCall, recordingJudge } from "./recording";
import { PreparedJudge, replyWith } from "./test-support";

class MemoryLog implements CallLog {
  readonly calls: LoggedCall[] = [];

  recall(position: number): Promise<LoggedCall | null> {
    return Promise.resolve(this.calls.findLast((call) => call.position === position) ?? null);
  }

  keep(call: LoggedCall): Promise<void> {
    // As a database gives it back.
    this.calls.push(JSON.parse(JSON.stringify(call)));
    return Promise.resolve();
  }
}

const question = (text: string): JudgeRequest => ({
  purpose: "investigation",
  messages: [{ role: "user", text }],
  tools: [{ name: "view", description: "Shows", parameters: z.object({ turn: z.number().int() }) }],
  mustCall: null,
  temperature: 0,
  maxOutputTokens: 100,
});
const ticking = (): (() => number) => {
  let at = 0;
  return () => {
    at += 10;
    return at;
  };
};

describe("recordingJudge", () => {
  it("keeps what a person needs to read", async () => {
    const log = new MemoryLog();
    const reply = replyWith({ text: "answer", failedTries: ["rate_limited", "timeout"] });
    await recordingJudge(new PreparedJudge([reply]), log, ticking()).ask(question("first"));
    expect(log.calls).toEqual([
      {
        position: 0,
        purpose: "investigation",
        model: "test-model",
        request: canonicalRequest("test-model", question("first")),
        outcome: { kind: "reply", reply },
        failedTries: ["rate_limited", "timeout"],
        startedAt: 10,
        endedAt: 20,
      },
    ]);
    expect(log.calls[0]?.request).toContain('"text":"first"');
  });

  it("asks nothing again that was answered, and goes on behind it", async () => {
    const log = new MemoryLog();
    const before = recordingJudge(
      new PreparedJudge([replyWith({ text: "one" }), replyWith({ text: "two" })]),
      log,
      ticking(),
    );
    await before.ask(question("a"));
    await before.ask(question("b"));
    const resumed = new PreparedJudge([replyWith({ text: "three" })]);
    const judge = recordingJudge(resumed, log, ticking());
    expect((await judge.ask(question("a"))).text).toBe("one");
    expect((await judge.ask(question("b"))).text).toBe("two");
    expect((await judge.ask(question("c"))).text).toBe("three");
    expect(resumed.asked.map(({ messages }) => messages[0]?.text)).toEqual(["c"]);
    expect(log.calls).toHaveLength(3);
  });

  it("asks a question that is another one than the log's", async () => {
    const log = new MemoryLog();
    await recordingJudge(new PreparedJudge([replyWith({ text: "one" })]), log, ticking()).ask(question("a"));
    const other = new PreparedJudge([replyWith({ text: "other" })]);
    expect((await recordingJudge(other, log, ticking()).ask(question("changed"))).text).toBe("other");
    expect(log.calls.map(({ position }) => position)).toEqual([0, 0]);
  });

  it("gives each question its place when several are asked side by side", async () => {
    const log = new MemoryLog();
    const judge = recordingJudge(
      new PreparedJudge([replyWith({ text: "one" }), replyWith({ text: "two" })]),
      log,
      ticking(),
    );
    await Promise.all([judge.ask(question("a")), judge.ask(question("b"))]);
    expect(log.calls.map(({ position, request }) => [position, request.includes('"text":"a"')])).toEqual([
      [0, true],
      [1, false],
    ]);
  });

  it("keeps a failure; asks again what may have passed, and not what is too long", async () => {
    const log = new MemoryLog();
    const failed = new JudgeError("unavailable", "no answer", ["timeout", "unavailable"]);
    const too = new JudgeError("context_overflow", "too long", ["context_overflow"]);
    const first = recordingJudge(new PreparedJudge([failed, too]), log, ticking());
    await expect(first.ask(question("a"))).rejects.toBe(failed);
    await expect(first.ask(question("b"))).rejects.toBe(too);
    expect(log.calls[0]).toMatchObject({
      outcome: { kind: "failure", code: "unavailable", message: "no answer" },
      failedTries: ["timeout", "unavailable"],
    });
    const resumed = new PreparedJudge([replyWith({ text: "now" })]);
    const judge = recordingJudge(resumed, log, ticking());
    expect((await judge.ask(question("a"))).text).toBe("now");
    await expect(judge.ask(question("b"))).rejects.toMatchObject({ code: "context_overflow", message: "too long" });
    expect(resumed.asked).toHaveLength(1);
  });

  it("keeps nothing of what is no answer of the judge, and lets it pass", async () => {
    const log = new MemoryLog();
    const broken = new TypeError("a defect");
    await expect(recordingJudge(new PreparedJudge([broken]), log, ticking()).ask(question("a"))).rejects.toBe(broken);
    expect(log.calls).toEqual([]);
  });
});

describe("canonicalRequest", () => {
  it("is equal for equal questions, whatever order their keys have", () => {
    const a = question("a");
    const { tools, ...rest } = a;
    expect(canonicalRequest("m", { tools, ...rest })).toBe(canonicalRequest("m", a));
  });

  it.each<[string, string, JudgeRequest]>([
    ["model", "other", question("a")],
    ["words", "m", question("b")],
    ["temperature", "m", { ...question("a"), temperature: 0.1 }],
    ["tool that has to be called", "m", { ...question("a"), mustCall: "view" }],
    ["tools", "m", { ...question("a"), tools: [] }],
    [
      "a tool's schema",
      "m",
      { ...question("a"), tools: [{ name: "view", description: "Shows", parameters: z.object({}) }] },
    ],
    ["tokens", "m", { ...question("a"), maxOutputTokens: 99 }],
  ])("differs with the %s", (_, model, request) => {
    expect(canonicalRequest(model, request)).not.toBe(canonicalRequest("m", question("a")));
  });

  it("shows a tool as the model sees it, without bounds that say nothing", () => {
    const { tools } = JSON.parse(canonicalRequest("m", question("a")));
    expect(tools[0].parameters).toEqual({
      type: "object",
      properties: { turn: { type: "integer" } },
      required: ["turn"],
    });
  });
});
