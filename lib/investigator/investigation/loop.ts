import { askTyped, type CheckedCall, type TypedAnswer } from "@/lib/judge/answer";
import { type Judge, JudgeError } from "@/lib/judge/port";
import type { TrailStep } from "../diagnosis";
import type { Conversation } from "./conversation";
import { judgeSubmission, SUBMIT_TOOL, type SubmissionFacts, type Submitted } from "./submission";
import { LOOK_UP_TOOLS, type LookUpSources, lookUp } from "./tools";

const OUTPUT_TOKENS = 4_000;
/** Diagnoses that may be refused before the investigation ends without one. */
const REFUSED_MAX = 3;
/** Answers without a call that are answered with a reminder. */
const IDLE_MAX = 2;

/** How an investigation ended. `limit`: what ended it before the model was through, in words. */
export interface Investigated {
  submitted: Submitted;
  limit: string | null;
}

/** What an investigation works with. */
export interface InvestigationWork extends SubmissionFacts, LookUpSources {
  conversation: Conversation;
  /** Questions that it may ask; the last of them demands the diagnosis. */
  calls: number;
  /** True when so little of the limits is left that the next answer has to be the diagnosis. */
  isNearlySpent: () => boolean;
  temperature: number;
}

/**
 * The investigator's loop (TrajAudit 4.3): the model reads, looks up, and submits. A diagnosis that does not hold is refused
 * with what is wrong with it. The end of a limit is no failure: what the model says when it is asked for its diagnosis then
 * counts, and else the result is undetermined.
 * @param trail takes each step as it is made.
 * @throws JudgeError for what is neither a limit nor a question that is too long.
 */
export async function investigateOnce(
  judge: Judge,
  work: InvestigationWork,
  trail: (step: TrailStep) => void,
): Promise<Investigated> {
  const { conversation } = work;
  const counts = { refused: 0, idle: 0 };
  for (let asked = 0; asked < work.calls; asked += 1) {
    const isLast = asked === work.calls - 1 || work.isNearlySpent();
    if (isLast && asked > 0)
      conversation.remind("This is the last answer: submit the diagnosis that the evidence allows.");
    const answer = await ask(judge, work, isLast, trail);
    if ("limit" in answer) return without(answer.limit, answer.limit);
    for (const why of answer.refused) trail({ kind: "refused", why });
    if (answer.calls.length === 0) {
      counts.idle += 1;
      if (counts.idle > IDLE_MAX) return without("The model stopped calling its tools.", null);
      conversation.add(answer.reply.text, [], []);
      conversation.remind("Answer with a call: look something up, or end with submit_diagnosis.");
      continue;
    }
    const submitted = carryOut(answer, work, trail, counts);
    if (submitted !== null) return { submitted, limit: null };
    if (isLast) return without("The limits were reached before a diagnosis held.", "the limits of this analysis");
    if (counts.refused >= REFUSED_MAX)
      return without(`The model's diagnoses did not hold: ${counts.refused} were refused.`, null);
  }
  return without("The limits left no room to ask.", "the limits of this analysis");
}

function without(reason: string, limit: string | null): Investigated {
  return { submitted: { finding: null, alternative: null, reason }, limit };
}

/** Asks, and shrinks the question until the model takes it. */
async function ask(
  judge: Judge,
  { conversation, temperature }: InvestigationWork,
  mustSubmit: boolean,
  trail: (step: TrailStep) => void,
): Promise<TypedAnswer | { limit: string }> {
  for (;;) {
    const messages = conversation.messages();
    try {
      return await askTyped(judge, {
        purpose: "investigation",
        messages,
        tools: mustSubmit ? [SUBMIT_TOOL] : [...LOOK_UP_TOOLS, SUBMIT_TOOL],
        mustCall: mustSubmit ? SUBMIT_TOOL.name : null,
        temperature,
        maxOutputTokens: OUTPUT_TOKENS,
      });
    } catch (error) {
      if (!(error instanceof JudgeError)) throw error;
      if (error.code === "budget") return { limit: error.message };
      if (error.code === "malformed" && mustSubmit)
        return { limit: "The limits were reached, and the model gave no diagnosis when it was asked for one." };
      if (error.code !== "context_overflow") throw error;
      const reason = conversation.shrink();
      if (reason === null) return { limit: "The trajectory is longer than the model takes, also as a short outline." };
      const chars = conversation.messages().reduce((sum, { text }) => sum + text.length, 0);
      trail({ kind: "refolded", reason, chars });
    }
  }
}

/** Carries the calls of an answer out; the submission that held, null when the investigation goes on. */
function carryOut(
  { reply, calls }: TypedAnswer,
  work: InvestigationWork,
  trail: (step: TrailStep) => void,
  counts: { refused: number },
): Submitted | null {
  const answers: { callId: string; text: string; isTrace: boolean }[] = [];
  for (const call of calls) {
    if (call.tool !== SUBMIT_TOOL.name) {
      answers.push(answerLookUp(call, work, trail));
      continue;
    }
    const judged = judgeSubmission(call.value, work);
    if (judged.ok) return judged.submitted;
    counts.refused += 1;
    const why = judged.why.join("; ");
    trail({ kind: "refused", why });
    answers.push({ callId: call.id, text: `Refused: ${why}. Look again, then submit.`, isTrace: false });
  }
  work.conversation.add(reply.text, reply.calls, answers);
  return null;
}

function answerLookUp(
  call: CheckedCall,
  work: InvestigationWork,
  trail: (step: TrailStep) => void,
): { callId: string; text: string; isTrace: boolean } {
  const { answer, step } = lookUp(work, call.tool, call.value);
  if (step.kind === "note") work.conversation.note(step.note);
  trail(step);
  return { callId: call.id, text: answer, isTrace: step.kind === "tool" };
}
