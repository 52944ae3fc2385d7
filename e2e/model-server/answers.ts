import { STANDARD, type Style } from "./styles";

/** A call as a script writes it; arguments that are text are sent as they are, broken or not. */
export interface ScriptedCall {
  name: string;
  arguments: unknown;
  id?: string;
}

/** Tokens as the answer counts them; `none`: it says nothing about them. */
export type ScriptedUsage = { input: number; cached?: number; output: number } | "none";

/** What the server sends for one question. */
export type Answer =
  | { calls: ScriptedCall[]; text?: string; usage?: ScriptedUsage; finish?: string }
  | { text: string; usage?: ScriptedUsage; finish?: string }
  /** A failure that the endpoint states. `error` is the body's `error`, or its text when it is a string. */
  | { status: number; error?: object | string; headers?: Record<string, string> }
  /** Status 200 and any body. */
  | { body: string; contentType?: string }
  /** Never answers; breaks the connection; announces more than it sends; leads elsewhere. */
  | { fault: "hang" | "reset" | "cut" }
  | { redirect: string };

/** What servers say when the question is longer than the model takes. */
export const OVERFLOW = {
  openai: {
    status: 400,
    error: {
      message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded",
    },
  },
  llamaCpp: {
    status: 500,
    error: {
      code: 500,
      message: "the request exceeds the available context size. try increasing the context size",
      type: "exceed_context_size_error",
    },
  },
} as const satisfies Record<string, Answer>;

/** The answer's calls or text as the body of a chat completion in the style of the server. */
export function completionOf(
  answer: Extract<Answer, { calls: unknown } | { text: string }>,
  about: { n: number; model: string; usesTools: boolean; isJson: boolean },
  style: Style = STANDARD,
): object {
  const calls = "calls" in answer ? answer.calls : [];
  const written = calls.length > 0 && !about.usesTools ? inWords(calls, about.isJson) : null;
  const text = written ?? answer.text ?? "";
  const hasCalls = calls.length > 0 && written === null;
  return {
    id: `chatcmpl-${about.n}`,
    object: "chat.completion",
    created: 0,
    model: about.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: style.content === "parts" ? [{ type: "text", text }] : hasCalls && text === "" ? null : text,
          ...(style.reasoning ? { reasoning_content: "thinking about it" } : {}),
          ...(hasCalls ? toolCalls(calls, about.n, style) : {}),
        },
        finish_reason: answer.finish ?? (hasCalls ? style.finish : "stop"),
      },
    ],
    ...usageOf(answer.usage, style),
  };
}

function toolCalls(calls: ScriptedCall[], n: number, style: Style): object {
  const functions = calls.map((call) => ({
    name: call.name,
    arguments: style.calls === "object arguments" ? call.arguments : argumentsText(call.arguments),
  }));
  if (style.calls === "function_call") return { function_call: functions[0] };
  return {
    tool_calls: functions.map((one, at) => ({
      ...(style.calls === "no ids" ? {} : { id: calls[at]?.id ?? `call_${n}_${at}`, type: "function" }),
      function: one,
    })),
  };
}

function argumentsText(given: unknown): string {
  return typeof given === "string" ? given : JSON.stringify(given);
}

/** As a model without tools answers when it was told how. */
function inWords(calls: ScriptedCall[], isJson: boolean): string {
  const json = `{"calls":[${calls
    .map((call) => `{"tool":${JSON.stringify(call.name)},"arguments":${argumentsText(call.arguments)}}`)
    .join(",")}]}`;
  return isJson ? json : `Here is my answer.\n\n\`\`\`json\n${json}\n\`\`\`\n`;
}

function usageOf(usage: ScriptedUsage | undefined, style: Style): object {
  if (usage === "none" || (usage === undefined && !style.usage)) return {};
  const { input, cached = 0, output } = usage ?? { input: 100, output: 20 };
  return {
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
    },
  };
}
