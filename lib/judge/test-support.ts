import type { Judge, JudgeReply, JudgeRequest, JudgeToolCall } from "./port";

/** A reply with what a test says about it, and nothing remarkable besides. */
export function replyWith(more: Partial<JudgeReply> = {}): JudgeReply {
  return {
    model: "test-model",
    text: "",
    calls: [],
    finish: (more.calls ?? []).length > 0 ? "calls" : "stop",
    usage: { inputTokens: 100, cachedTokens: 0, outputTokens: 10, costUsd: null },
    ...more,
  };
}

/** A call as a model writes it: arguments that are no text are written as JSON. */
export function callOf(name: string, args: unknown, id = "call_1"): JudgeToolCall {
  return { id, name, arguments: typeof args === "string" ? args : JSON.stringify(args) };
}

/** A judge that gives prepared answers one after the other and keeps what it was asked. For tests of what asks it. */
export class PreparedJudge implements Judge {
  readonly model = "test-model";
  readonly asked: JudgeRequest[] = [];

  constructor(private readonly answers: (JudgeReply | Error)[]) {}

  ask(request: JudgeRequest): Promise<JudgeReply> {
    const answer = this.answers[this.asked.length];
    this.asked.push(request);
    if (answer === undefined) return Promise.reject(new Error("asked more often than the test prepared"));
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  }
}
