import type { JudgeAdjustment, JudgeRequest } from "@/lib/judge/port";
import type { EndpointFailure } from "./failures";

/** How an endpoint has to be asked. */
export interface Manner {
  /** Tool calls, a JSON object (`response_format`), or a JSON block in plain text. */
  mode: "tools" | "json" | "text";
  /** How the one tool that has to be called is asked for: by name, as any tool, or in words only. */
  forcing: "named" | "required" | "none";
  sendsTemperature: boolean;
  /** Reasoning models of OpenAI refuse the older name; other endpoints know only that. */
  lengthParameter: "max_tokens" | "max_completion_tokens";
}

/** What OpenAI's documentation describes; other endpoints are found out. */
export const FIRST_MANNER: Manner = {
  mode: "tools",
  forcing: "named",
  sendsTemperature: true,
  lengthParameter: "max_tokens",
};

/** Statuses that refuse a question for its form; llama.cpp says with 500 that "tools param requires --jinja flag". */
const REFUSING = new Set([400, 404, 422, 500, 501]);

/**
 * The manner to ask in after an endpoint refused a question for how it was asked, one step nearer to what every endpoint
 * takes. The step is told by the parameter that the refusal names, else by its words (OpenAI and Azure:
 * `unsupported_parameter`, `unsupported_value`; Ollama: "does not support tools"; OpenRouter: 404, "no endpoints found
 * that support tool use"; vLLM: "auto tool choice requires --enable-auto-tool-choice").
 * @returns null when the refusal is about something else.
 */
export function softerManner(manner: Manner, request: JudgeRequest, failure: EndpointFailure): Manner | null {
  const { status, parameter, words } = failure;
  if (status === null || !REFUSING.has(status)) return null;
  if (status >= 500 && !/requires|support|implement/i.test(words)) return null;
  const isAbout = (name: string, pattern: RegExp): boolean => parameter === name || pattern.test(words);
  if (manner.lengthParameter === "max_tokens" && isAbout("max_tokens", /max_completion_tokens/i)) {
    return { ...manner, lengthParameter: "max_completion_tokens" };
  }
  if (
    manner.lengthParameter === "max_completion_tokens" &&
    isAbout("max_completion_tokens", /max_completion_tokens/i)
  ) {
    return { ...manner, lengthParameter: "max_tokens" };
  }
  if (manner.sendsTemperature && isAbout("temperature", /temperature/i)) return { ...manner, sendsTemperature: false };
  if (manner.mode === "tools" && request.tools.length > 0) {
    const isForced = request.mustCall !== null && manner.forcing !== "none";
    if (isForced && isAbout("tool_choice", /tool[_ ]?choice|function_call/i)) {
      return { ...manner, forcing: manner.forcing === "named" ? "required" : "none" };
    }
    if (isAbout("tools", /\btools?\b|tool[_ ](use|call|choice)|function[_ ]?call/i)) return { ...manner, mode: "json" };
  }
  if (manner.mode === "json" && isAbout("response_format", /response_format|json[_ ]?(object|mode|schema)/i)) {
    return { ...manner, mode: "text" };
  }
  return null;
}

/** How a question that was asked in this manner differs from what was wanted. */
export function adjustmentsOf(manner: Manner, request: JudgeRequest): JudgeAdjustment[] {
  const found: JudgeAdjustment[] = [];
  if (!manner.sendsTemperature) found.push("no_temperature");
  if (request.tools.length === 0) return found;
  if (manner.mode === "json") found.push("json_mode");
  else if (manner.mode === "text") found.push("text_mode");
  else if (request.mustCall !== null && manner.forcing === "none") found.push("not_forced");
  return found;
}
