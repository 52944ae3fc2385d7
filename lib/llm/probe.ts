import { z } from "zod";
import {
  type Judge,
  type JudgeAdjustment,
  JudgeError,
  type JudgeFailure,
  type JudgeReply,
  type JudgeTool,
} from "@/lib/judge/port";
import { FIRST_MANNER, type Manner } from "./manner";
import { type DoorSettings, openaiJudge } from "./openai-judge";

/** What an endpoint can do, found by asking it. */
export type Probed =
  | {
      ok: true;
      /** How to ask it from now on. */
      manner: Manner;
      /** The model's own name. */
      answeredAs: string;
      /** `forced`: a tool is called when it has to be; `offered`: when the words ask for it; `none`: no tool calls. */
      toolCalls: "forced" | "offered" | "none";
      /** `json_mode` and `text` only where there are no tool calls. */
      adjustments: JudgeAdjustment[];
      countsTokens: boolean;
      questions: number;
    }
  | { ok: false; code: JudgeFailure; message: string; questions: number };

const PROBE: JudgeTool = {
  name: "misstep_probe",
  description: "Says that the model is ready",
  parameters: z.object({ word: z.string() }),
};

/** Room for a reasoning model to think before it answers. */
const OUTPUT_TOKENS = 2_000;

/**
 * Finds out in one to three small questions how an endpoint takes tools: forced against the words of the question, then
 * asked for in words, then as JSON. Nothing of a trace is in them.
 */
export async function probeEndpoint(settings: DoorSettings): Promise<Probed> {
  let manner: Manner = FIRST_MANNER;
  let questions = 0;
  const ask = async (words: string, first: Manner): Promise<JudgeReply> => {
    manner = first;
    questions += 1;
    const judge: Judge = openaiJudge(settings, first, (learned) => {
      manner = learned;
    });
    return judge.ask({
      purpose: "probe",
      messages: [{ role: "user", text: words }],
      tools: [PROBE],
      mustCall: PROBE.name,
      temperature: 0,
      maxOutputTokens: OUTPUT_TOKENS,
    });
  };
  const told = `Call ${PROBE.name} with the word "ready".`;
  const found = (reply: JudgeReply): Probed => ({
    ok: true,
    manner,
    answeredAs: reply.model,
    toolCalls: manner.mode !== "tools" ? "none" : manner.forcing === "none" ? "offered" : "forced",
    adjustments: reply.adjustments ?? [],
    countsTokens: reply.usage.inputTokens !== null && reply.usage.outputTokens !== null,
    questions,
  });
  try {
    const forced = await ask("Say hello.", FIRST_MANNER);
    if (isReady(forced)) return found(forced);
    if (manner.mode === "tools") {
      const offered = await ask(told, { ...manner, forcing: "none" });
      if (isReady(offered)) return found(offered);
    }
    const asJson = await ask(told, { ...manner, mode: manner.mode === "text" ? "text" : "json" });
    if (isReady(asJson)) return found(asJson);
    if (manner.mode === "json") {
      const asText = await ask(told, { ...manner, mode: "text" });
      if (isReady(asText)) return found(asText);
    }
    return {
      ok: false,
      code: "malformed",
      message: "The model answers, but neither with tool calls nor with the JSON that it is asked for.",
      questions,
    };
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
    return { ok: false, code: error.code, message: error.message, questions };
  }
}

function isReady(reply: JudgeReply): boolean {
  return reply.calls.some(({ name }) => name === PROBE.name);
}
