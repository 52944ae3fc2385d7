"use client";

import type { ReactNode } from "react";
import { DialogAnswer } from "@/components/trajectory/answer-states";
import { useAnswer } from "@/components/trajectory/answers";
import { useForensics } from "@/components/trajectory/forensics-context";
import { formatCost, formatCount, formatDuration, formatPlural } from "@/components/trajectory/numbers";
import { ScrollBox } from "@/components/trajectory/scroll-box";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { Dialog } from "@/components/ui/dialog";
import { type JudgeCallView, judgeCallSchema } from "@/lib/views/investigation";
import { adjustmentWords, sentence } from "./diagnosis-words";
import { investigationPath } from "./shown-verdict";

/** One question to a model in the words in which it went over the wire, and what came back. */
export function JudgeCallDialog({
  analysis,
  judge,
  call,
  onClose,
}: {
  analysis: string;
  judge: number;
  /** The place in the log of calls to that judge. */
  call: number;
  onClose: () => void;
}): ReactNode {
  const { answers } = useForensics();
  const path = `${investigationPath(analysis)}/calls/${judge}/${call}`;
  const answer = useAnswer(answers, path, judgeCallSchema);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      isText
      title="What the judge saw"
      description="The question as it was sent, secrets masked, and the answer as it came."
      className="w-[min(860px,calc(100vw-32px))]"
    >
      <DialogAnswer answer={answer} onRetry={() => answers.retry(path, judgeCallSchema)}>
        {(view) => <JudgeCall view={view} />}
      </DialogAnswer>
    </Dialog>
  );
}

function JudgeCall({ view }: { view: JudgeCallView }): ReactNode {
  const isWarm = !view.adjustments.includes("no_temperature");
  const adjusted = adjustmentWords(view.adjustments);
  return (
    <div className="grid gap-3 text-13">
      <p className="text-12 text-fg-2">
        Question {view.position + 1} to <UntrustedText text={view.model} />,{" "}
        {isWarm ? `temperature ${view.temperature}` : "no temperature"}, {usageWords(view)},{" "}
        {formatDuration(Date.parse(view.endedAt) - Date.parse(view.startedAt))}
        {adjusted !== "" && `. ${sentence(adjusted).slice(0, -1)}`}
        {view.tools.length > 0 && `. Tools offered: ${view.tools.join(", ")}`}
      </p>
      {view.messages.map((message, i) => {
        const { role, text, omittedChars, calls } = message;
        const name = `${i + 1}. ${role}`;
        return <Part key={name} name={name} text={text} omitted={omittedChars} calls={calls} />;
      })}
      {view.answer !== null && (
        <Part
          name={`answer, ended with ${view.answer.finish}`}
          text={view.answer.text}
          omitted={0}
          calls={view.answer.calls}
        />
      )}
      {view.failure !== null && (
        <p className="border-l-2 border-line-3 pl-3">
          No answer: <UntrustedText text={view.failure.message} />{" "}
          <span className="mono text-12 text-fg-3">{view.failure.code}</span>
        </p>
      )}
      {view.failedTries.length > 0 && (
        <section>
          <h3 className="border-b border-line pb-1 text-12 font-medium text-fg-3">
            {formatPlural(view.failedTries.length, "try that failed", "tries that failed")} before
          </h3>
          <ul>
            {view.failedTries.map((words, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: tries never move
              <li key={i} className="py-1 text-12 text-fg-2 [overflow-wrap:anywhere]">
                <UntrustedText text={words} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Part({
  name,
  text,
  omitted,
  calls,
}: {
  name: string;
  text: string;
  /** Characters that are not here. */
  omitted: number;
  calls: readonly { name: string; arguments: string }[];
}): ReactNode {
  return (
    <section>
      <h3 className="pb-1 text-12 font-medium text-fg-3">
        <UntrustedText text={name} />
      </h3>
      {text !== "" && (
        <ScrollBox label={name} className="max-h-72 overflow-y-auto rounded-6 border border-line bg-bg-2 px-3 py-2">
          <pre className="mono text-12 leading-[18px] whitespace-pre-wrap [overflow-wrap:anywhere]">
            <UntrustedText text={text} />
          </pre>
        </ScrollBox>
      )}
      {omitted > 0 && (
        <p className="pt-1 text-12 text-fg-3">{formatPlural(omitted, "more character")} were sent and are not shown.</p>
      )}
      {calls.map((call, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls never move
        <p key={i} className="mono pt-1 text-12 [overflow-wrap:anywhere]">
          <UntrustedText text={call.name} />(<UntrustedText text={call.arguments} />)
        </p>
      ))}
    </section>
  );
}

function usageWords({ inputTokens, cachedTokens, outputTokens, costUsd }: JudgeCallView): string {
  if (inputTokens === null && outputTokens === null) return "tokens not counted by the endpoint";
  const tokens = `${formatCount(inputTokens ?? 0)} tokens in, ${formatCount(cachedTokens ?? 0)} cached, ${formatCount(outputTokens ?? 0)} out`;
  return costUsd === null ? tokens : `${tokens}, ${formatCost(costUsd)}`;
}
