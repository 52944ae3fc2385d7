import { type Judge, JudgeError, type JudgeReply, type JudgeRequest } from "@/lib/judge/port";

/** A call that a script makes, or what it does instead. */
export type Scripted =
  | { tool: string; arguments: unknown }
  | { text: string }
  | { fails: JudgeError["code"] }
  | { calls: { tool: string; arguments: unknown }[] };

/** Answers a question by looking at it. */
export type Script = (request: JudgeRequest, n: number) => Scripted;

/** A judge that follows a script and keeps what it was asked. Each answer counts 100 tokens in, 20 of them cached, and 10 out. */
export class ScriptedJudge implements Judge {
  readonly model = "scripted";
  readonly asked: JudgeRequest[] = [];

  constructor(private readonly script: Script) {}

  async ask(request: JudgeRequest): Promise<JudgeReply> {
    this.asked.push(request);
    const n = this.asked.length - 1;
    const said = this.script(request, n);
    if ("fails" in said) throw new JudgeError(said.fails, `scripted ${said.fails}`);
    const calls = "calls" in said ? said.calls : "tool" in said ? [said] : [];
    return {
      model: "scripted-1",
      text: "text" in said ? said.text : "",
      calls: calls.map((call, i) => ({
        id: `call_${n}_${i}`,
        name: call.tool,
        arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
      })),
      finish: calls.length > 0 ? "calls" : "stop",
      usage: { inputTokens: 100, cachedTokens: 20, outputTokens: 10, costUsd: null },
    };
  }

  /** The questions of one purpose. */
  of(purpose: JudgeRequest["purpose"]): JudgeRequest[] {
    return this.asked.filter((request) => request.purpose === purpose);
  }
}

/** Everything that a question says, in one text. */
export function wordsOf(request: JudgeRequest): string {
  return request.messages.map(({ text }) => text).join("\n");
}
