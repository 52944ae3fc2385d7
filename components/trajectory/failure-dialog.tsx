"use client";

import type { ReactNode } from "react";
import { Mark } from "@/components/marks/mark";
import { Dialog } from "@/components/ui/dialog";
import { type FailureView, failureViewSchema } from "@/lib/views/failure";
import { useAnswer } from "./answers";
import { REPORT_NAMES } from "./failure-words";
import { useForensics } from "./forensics-context";
import { formatCount, formatPlural } from "./numbers";
import { ScrollBox } from "./scroll-box";
import { TurnChip } from "./turn-link";
import { UntrustedText } from "./untrusted-text";

const OUTCOMES: Record<FailureView["outcome"], string> = {
  failed: "The run failed",
  resolved: "The task was resolved",
  unknown: "How the run ended is not known",
};

/** What is known of how the run ended, apart from its turns: checks, reports, and what others said about it. */
export function FailureDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}): ReactNode {
  const { answers } = useForensics();
  const answer = useAnswer(answers, "failure", failureViewSchema);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      isText
      title="How the run ended"
      description="Kept apart from the turns: nothing of it was before the agent's eyes."
      className="w-[min(760px,calc(100vw-32px))]"
    >
      {answer.state === "waiting" && <p className="text-13 text-fg-2">Loading…</p>}
      {answer.state === "failed" && (
        <p role="alert" className="text-13">
          {answer.message}
        </p>
      )}
      {answer.state === "here" && <Report failure={answer.value} />}
    </Dialog>
  );
}

function Report({ failure }: { failure: FailureView }): ReactNode {
  const by = failure.source === "person" ? "a person said so" : "the trace says so";
  return (
    <div className="flex flex-col gap-4">
      <p className="text-13">
        {OUTCOMES[failure.outcome]}
        {failure.outcome !== "unknown" && `; ${by}`}.
      </p>
      {failure.labels.length > 0 && <Labels labels={failure.labels} />}
      {failure.checks.length > 0 && <Checks failure={failure} />}
      {failure.texts.map(({ what, text, omittedChars }) => (
        <section key={what}>
          <Heading>{REPORT_NAMES[what]}</Heading>
          <ScrollBox label={REPORT_NAMES[what]} className="mt-2 max-h-72 overflow-auto bg-bg-2 p-2">
            <pre className="mono text-12 whitespace-pre-wrap [overflow-wrap:anywhere]">
              <UntrustedText text={text} />
            </pre>
          </ScrollBox>
          {omittedChars > 0 && (
            <p className="mt-1 text-12 text-fg-2">{formatCount(omittedChars)} more characters are in the upload.</p>
          )}
        </section>
      ))}
      {failure.foundAt.length > 0 && (
        <section>
          <Heading>Where in the upload this stands</Heading>
          <ul className="mt-1 text-12 text-fg-2">
            {failure.foundAt.map(({ what, where }) => (
              <li key={`${what} ${where}`} className="[overflow-wrap:anywhere]">
                {what.replaceAll("_", " ")}:{" "}
                <code>
                  <UntrustedText text={where} />
                </code>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Heading({ children }: { children: ReactNode }): ReactNode {
  return <h3 className="border-b border-line pb-1 text-12 font-medium text-fg-3">{children}</h3>;
}

function Labels({ labels }: Pick<FailureView, "labels">): ReactNode {
  return (
    <section>
      <Heading>Where others say it went wrong</Heading>
      <ul>
        {labels.map(({ kind, step, convention, agent, reason, turns }) => (
          <li
            key={`${kind} ${convention} ${step} ${reason}`}
            className="border-b border-line py-2 text-13 last:border-b-0"
          >
            <p className="flex flex-wrap items-center gap-2">
              {turns.length === 0 ? (
                <span className="text-fg-2">on no turn</span>
              ) : (
                turns.map((turn) => <TurnChip key={turn} turn={turn} />)
              )}
              <span className="text-fg-2 [overflow-wrap:anywhere]">
                <UntrustedText text={`${kind}, ${convention} ${step}${agent === null ? "" : `, ${agent}`}`} />
              </span>
            </p>
            {reason !== null && (
              <p className="mt-1 [overflow-wrap:anywhere]">
                <UntrustedText text={reason} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Checks({ failure }: { failure: FailureView }): ReactNode {
  // What failed is what somebody looks for.
  const sorted = failure.checks.toSorted((a, b) => rank(a.passed) - rank(b.passed));
  return (
    <section>
      <Heading>Checks</Heading>
      <ul>
        {sorted.map(({ name, passed, detail }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and names may repeat
          <li key={n} className="flex items-baseline gap-2 border-b border-line py-1 text-13 last:border-b-0">
            <Mark
              kind={passed === false ? "failed" : passed === true ? "resolved" : "unknownOutcome"}
              label={passed === false ? "failed" : passed === true ? "passed" : "not said"}
            />
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <UntrustedText text={name} />
            </span>
            {detail !== null && (
              <span className="mono text-12 text-fg-2 [overflow-wrap:anywhere]">
                <UntrustedText text={detail} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {failure.omittedChecks > 0 && (
        <p className="mt-1 text-12 text-fg-2">{formatPlural(failure.omittedChecks, "more check")} in the upload.</p>
      )}
    </section>
  );
}

function rank(passed: boolean | null): number {
  if (passed === false) return 0;
  return passed === null ? 1 : 2;
}
