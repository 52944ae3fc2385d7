import type { z } from "zod";
import { readArguments } from "./arguments";
import { type Judge, JudgeError, type JudgeMessage, type JudgeReply, type JudgeRequest, type JudgeTool } from "./port";

/** Times that the same is asked again when an answer does not fit. */
export const ASKED_AGAIN_MAX = 2;
/** trajaudit.md, "Investigator": 0 at first, 0.1 on retries. */
const TEMPERATURE_AGAIN = 0.1;
/** Calls that one answer may hold. */
export const CALLS_MAX = 16;
/** Of what a model wrote wrongly, so much is said back to it. */
const SAID_BACK_CHARS = 300;

/** A call whose tool there is and whose arguments fit it. */
export interface CheckedCall {
  id: string;
  tool: string;
  value: unknown;
}

export interface TypedAnswer {
  /** The reply that was accepted. */
  reply: JudgeReply;
  /** Its calls; none only when the model may answer in words. */
  calls: CheckedCall[];
  /** What was wrong with each answer before it, in words. */
  refused: string[];
}

/** Says what is wrong with a call that fits its tool, for the model; null when nothing is. */
export type CallCheck = (call: CheckedCall) => string | null;

/**
 * Asks until the answer fits: known tools only, arguments that their schemas take, the tool that has to be called, and
 * what `check` demands besides. An answer that does not fit is asked again with what was wrong with it.
 * @throws JudgeError as the judge does; `malformed` when nothing fits after ASKED_AGAIN_MAX more times; `refused` when
 * the endpoint filtered the answer.
 */
export async function askTyped(
  judge: Judge,
  request: JudgeRequest,
  check: CallCheck = () => null,
): Promise<TypedAnswer> {
  const refused: string[] = [];
  let asked = request;
  for (;;) {
    const reply = await judge.ask(asked);
    if (reply.finish === "filtered" && reply.calls.length === 0) {
      throw new JudgeError("refused", "The endpoint's filter kept the answer back.");
    }
    const verdict = judgeReply(reply, request, check);
    if (verdict.ok) return { reply, calls: verdict.calls, refused };
    refused.push(verdict.why);
    if (refused.length > ASKED_AGAIN_MAX) {
      throw new JudgeError(
        "malformed",
        `The model's answer did not fit, also after it was asked ${ASKED_AGAIN_MAX} more times.`,
      );
    }
    asked = {
      ...request,
      temperature: TEMPERATURE_AGAIN,
      messages: [...request.messages, ...verdict.saidBack],
    };
  }
}

/** A question that one tool answers. */
export interface FormQuestion<T> extends Omit<JudgeRequest, "tools" | "mustCall" | "temperature"> {
  form: { name: string; description: string; parameters: z.ZodType<T> };
}

/**
 * Asks for one filled form: a tool that has to be called, once.
 * @param check says what is wrong with a value that fits the schema; null when nothing is.
 * @throws JudgeError as askTyped.
 */
export async function askForm<T>(
  judge: Judge,
  { form, ...question }: FormQuestion<T>,
  check: (value: T) => string | null = () => null,
): Promise<{ value: T; answer: TypedAnswer }> {
  const request: JudgeRequest = { ...question, tools: [form], mustCall: form.name, temperature: 0 };
  const filled: T[] = [];
  const answer = await askTyped(judge, request, (call) => {
    if (filled.length > 0) return null; // a second form in the same answer is not looked at
    // Checked before with the same schema; read again for its type.
    const value = form.parameters.parse(call.value);
    const wrong = check(value);
    if (wrong === null) filled.push(value);
    return wrong;
  });
  const [value] = filled;
  if (value === undefined) throw new JudgeError("malformed", "The model's answer held no form.");
  return { value, answer };
}

type ReplyVerdict = { ok: true; calls: CheckedCall[] } | { ok: false; why: string; saidBack: JudgeMessage[] };

function judgeReply(reply: JudgeReply, request: JudgeRequest, check: CallCheck): ReplyVerdict {
  const tools = new Map(request.tools.map((tool) => [tool.name, tool]));
  const results = reply.calls
    .slice(0, CALLS_MAX)
    .map((call) => ({ call, ...readCall(call, tools.get(call.name), check) }));
  const wrong = results.flatMap((result) => (result.ok ? [] : [`${nameFor(result.call.name)}: ${result.reason}`]));
  if (reply.calls.length > CALLS_MAX) wrong.push(`${reply.calls.length} calls at once; at most ${CALLS_MAX}`);
  const calls = results.flatMap((result) => (result.ok ? [result.checked] : []));
  const missing = request.mustCall !== null && !calls.some(({ tool }) => tool === request.mustCall);
  if (wrong.length === 0 && !missing) return { ok: true, calls };

  const cut = reply.finish === "length" ? [`the answer was cut at ${request.maxOutputTokens} tokens; be shorter`] : [];
  const without = missing && wrong.length === 0 ? [`the answer has to be a call of ${request.mustCall}`] : [];
  const why = [...wrong, ...without, ...cut].join("; ");
  // Only calls of known tools can be repeated to the endpoint; their arguments have to be JSON for its templates.
  const repeated = results.filter(({ call }) => tools.has(call.name));
  const saidBack: JudgeMessage[] = [
    {
      role: "assistant",
      text: reply.text.slice(0, SAID_BACK_CHARS),
      calls: repeated.map(({ call, ...result }) => ({
        ...call,
        arguments: result.ok ? call.arguments : JSON.stringify({ refused: call.arguments.slice(0, SAID_BACK_CHARS) }),
      })),
    },
    ...repeated.map(
      ({ call, ...result }): JudgeMessage => ({
        role: "tool",
        callId: call.id,
        text: result.ok ? "Not carried out: another part of the same answer was wrong." : `Refused: ${result.reason}.`,
      }),
    ),
    {
      role: "user",
      text: `That answer cannot be used: ${why}. Answer again, with everything in it. Tools: ${[...tools.keys()].join(", ")}.`,
    },
  ];
  return { ok: false, why, saidBack };
}

function readCall(
  call: { id: string; name: string; arguments: string },
  tool: JudgeTool | undefined,
  check: CallCheck,
): { ok: true; checked: CheckedCall } | { ok: false; reason: string } {
  if (tool === undefined) return { ok: false, reason: "there is no such tool" };
  const read = readArguments(call.arguments, tool.parameters);
  if (!read.ok) return read;
  const checked = { id: call.id, tool: tool.name, value: read.value };
  const reason = check(checked);
  return reason === null ? { ok: true, checked } : { ok: false, reason };
}

/** A tool's name as a model wrote it, which may be anything. */
function nameFor(name: string): string {
  return name.replace(/[^\w.-]/g, "?").slice(0, 60);
}
