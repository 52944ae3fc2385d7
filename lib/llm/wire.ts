import type OpenAI from "openai";
import type { JudgeMessage, JudgeRequest } from "@/lib/judge/port";
import { parametersOf } from "@/lib/judge/tool-schema";
import type { Manner } from "./manner";

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

/** The body of a chat completion that asks the question in the endpoint's manner. */
export function bodyOf(request: JudgeRequest, manner: Manner, model: string): Body {
  const usesTools = manner.mode === "tools" && request.tools.length > 0;
  return {
    model,
    messages: manner.mode === "tools" ? request.messages.map(toolMessage) : plainMessages(request, manner),
    ...(usesTools ? { tools: toolsOf(request), tool_choice: toolChoice(request, manner) } : {}),
    ...(manner.mode === "json" && request.tools.length > 0
      ? { response_format: { type: "json_object" as const } }
      : {}),
    ...(manner.sendsTemperature ? { temperature: request.temperature } : {}),
    [manner.lengthParameter]: request.maxOutputTokens,
  };
}

function toolsOf(request: JudgeRequest): OpenAI.Chat.Completions.ChatCompletionFunctionTool[] {
  return request.tools.map((tool) => ({
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: parametersOf(tool) },
  }));
}

function toolChoice(request: JudgeRequest, manner: Manner): OpenAI.Chat.Completions.ChatCompletionToolChoiceOption {
  if (request.mustCall === null || manner.forcing === "none") return "auto";
  if (manner.forcing === "required") return "required";
  return { type: "function", function: { name: request.mustCall } };
}

function toolMessage(message: JudgeMessage): Message {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.text };
  if (message.role !== "assistant") return { role: message.role, content: message.text };
  if (message.calls.length === 0) return { role: "assistant", content: message.text };
  return {
    role: "assistant",
    content: message.text === "" ? null : message.text,
    tool_calls: message.calls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: call.arguments },
    })),
  };
}

/**
 * The messages for an endpoint without tools: one system message at the beginning, with the tools described in it, and
 * person and model by turns, because the templates of some models take nothing else.
 */
function plainMessages(request: JudgeRequest, manner: Manner): Message[] {
  const said: { role: "system" | "user" | "assistant"; text: string }[] = [];
  const add = (role: "system" | "user" | "assistant", text: string): void => {
    const last = said.at(-1);
    if (last?.role === role) last.text += `\n\n${text}`;
    else said.push({ role, text });
  };
  const rules = request.tools.length > 0 ? toolRules(request, manner) : "";
  let hasRules = rules === "";
  for (const message of request.messages) {
    const isLeading = message.role === "system" && said.every(({ role }) => role === "system");
    if (!isLeading && !hasRules) {
      add("system", rules);
      hasRules = true;
    }
    if (message.role === "tool") add("user", `Answer to the call ${message.callId}:\n${message.text}`);
    else if (message.role === "assistant") add("assistant", assistantText(message));
    else add(isLeading ? "system" : "user", message.text);
  }
  if (!hasRules) add("system", rules);
  return said.map(({ role, text }) => ({ role, content: text }));
}

function assistantText({ text, calls }: { text: string; calls: { name: string; arguments: string }[] }): string {
  if (calls.length === 0) return text;
  return JSON.stringify({ calls: calls.map((call) => ({ tool: call.name, arguments: jsonOr(call.arguments) })) });
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** How to answer without tool calls. The word JSON has to stand in it: some endpoints refuse JSON mode otherwise. */
function toolRules({ tools, mustCall }: JudgeRequest, manner: Manner): string {
  const form = '{"calls":[{"tool":"<name>","arguments":{...}}]}';
  const lines = tools.map(
    (tool) => `- ${tool.name}: ${tool.description}\n  arguments (JSON Schema): ${JSON.stringify(parametersOf(tool))}`,
  );
  return [
    manner.mode === "json"
      ? `Answer with one JSON object and nothing else, of the form ${form}.`
      : `Answer with one JSON object of the form ${form} in a block that begins with \`\`\`json and ends with \`\`\`, and nothing else.`,
    mustCall === null ? "Choose from these tools:" : `The answer has to call ${mustCall}. The tools:`,
    ...lines,
  ].join("\n");
}
