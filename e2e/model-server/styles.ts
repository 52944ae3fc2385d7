/** How a server deviates from OpenAI's own; every field is something that a known server does. */
export interface Style {
  /** `refused`: 400, as Ollama for a model without tools. `ignored`: the model answers in words. */
  tools: "taken" | "refused" | "ignored";
  /** `ignored`: as Ollama, `tool_choice` changes nothing. `refused`: 400 for a named tool. `only auto`: also for `required`. */
  forcing: "taken" | "ignored" | "refused" | "only auto";
  jsonMode: "taken" | "refused";
  /** `refused`: as OpenAI's reasoning models. */
  temperature: "taken" | "refused";
  /** The only name of the limit on output that is taken. */
  lengthParameter: "both" | "max_tokens" | "max_completion_tokens";
  calls: "standard" | "no ids" | "object arguments" | "function_call";
  content: "text" | "parts";
  reasoning: boolean;
  /** The finish reason of an answer with calls. */
  finish: string;
  usage: boolean;
}

export const STANDARD: Style = {
  tools: "taken",
  forcing: "taken",
  jsonMode: "taken",
  temperature: "taken",
  lengthParameter: "both",
  calls: "standard",
  content: "text",
  reasoning: false,
  finish: "tool_calls",
  usage: true,
};

/** The refusal of a request that the style does not take; null when it does. */
export function refusalOf(
  body: Record<string, unknown>,
  style: Style,
): { status: number; error: object | string } | null {
  const unsupported = (param: string, message: string) => ({
    status: 400,
    error: { message, type: "invalid_request_error", param, code: "unsupported_parameter" },
  });
  if (style.lengthParameter === "max_completion_tokens" && "max_tokens" in body) {
    return unsupported(
      "max_tokens",
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    );
  }
  if (style.lengthParameter === "max_tokens" && "max_completion_tokens" in body) {
    return { status: 422, error: { message: "Extra inputs are not permitted: max_completion_tokens" } };
  }
  if (style.temperature === "refused" && "temperature" in body) {
    return unsupported("temperature", "Unsupported value: 'temperature' does not support 0 with this model.");
  }
  if ("tools" in body && style.tools === "refused") {
    return { status: 400, error: "registry.example/library/small does not support tools" };
  }
  const choice = body.tool_choice;
  if (typeof choice === "object" && (style.forcing === "refused" || style.forcing === "only auto")) {
    return unsupported("tool_choice", "This model does not support this tool_choice.");
  }
  if (choice === "required" && style.forcing === "only auto") {
    return {
      status: 404,
      error: { message: "No endpoints found that support the provided 'tool_choice' value.", code: 404 },
    };
  }
  if ("response_format" in body && style.jsonMode === "refused") {
    return unsupported("response_format", "response_format is not supported");
  }
  return null;
}
