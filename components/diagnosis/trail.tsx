"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { formatCost, formatCount, formatPlural } from "@/components/trajectory/numbers";
import { TurnChip } from "@/components/trajectory/turn-link";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { LinkButton } from "@/components/ui/button";
import type { Investigation, TrailStep } from "@/lib/views/investigation";
import { adjustmentWords, failureWords, purposeWords, sentence, toolWords } from "./diagnosis-words";

const JudgeCallDialog = dynamic(() => import("./judge-call-dialog").then((found) => found.JudgeCallDialog));

const TURNS_SHOWN = 12;
const FIGURES = "text-right text-12 leading-5 text-fg-3 narrow:col-start-2 narrow:text-left";

/** How an investigation came to what it says: what was folded, each question, each look-up with its reason. */
export function Trail({ investigation }: { investigation: Investigation }): ReactNode {
  const [opened, setOpened] = useState<{ judge: number; call: number } | null>(null);
  const { trail, diagnosis, error } = investigation;
  return (
    <>
      {diagnosis !== null && diagnosis.shown.firstChars > 0 && (
        <p className="border-b border-line py-1.5 text-12 text-fg-2">
          Of {formatCount(diagnosis.shown.wholeChars)} characters {formatCount(diagnosis.shown.firstChars)} were shown
          at first; {formatPlural(diagnosis.shown.foldedObservations, "result")} with{" "}
          {formatCount(diagnosis.shown.foldedChars)} characters stood folded.
        </p>
      )}
      {trail.length === 0 ? (
        <p className="py-1.5 text-13 text-fg-2">{emptyWords(investigation)}</p>
      ) : (
        <ol aria-label="Steps of the investigation">
          {trail.map((step, i) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
              key={i}
              className="grid grid-cols-[28px_minmax(0,1fr)_auto] gap-x-2 border-b border-line py-1.5 text-13 last:border-b-0 narrow:grid-cols-[28px_minmax(0,1fr)]"
            >
              <span className="mono text-right text-12 leading-5 text-fg-3">{i + 1}</span>
              <Step step={step} onOpen={setOpened} />
            </li>
          ))}
        </ol>
      )}
      {error !== null && (
        <p className="border-t border-line py-1.5 pl-9 text-13 [overflow-wrap:anywhere]">
          <b className="font-medium">Failed:</b> <UntrustedText text={error.message} />{" "}
          <span className="mono text-12 text-fg-3">{error.code}</span>
        </p>
      )}
      {opened !== null && <JudgeCallDialog analysis={investigation.id} {...opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function Step({
  step,
  onOpen,
}: {
  step: TrailStep;
  onOpen: (call: { judge: number; call: number }) => void;
}): ReactNode {
  switch (step.kind) {
    case "asked":
      return (
        <>
          <p>
            {purposeWords(step.purpose)}
            {step.failed !== undefined && <b className="font-medium">: {failureWords(step.failed)}</b>}
            {step.judge > 0 && <span className="text-fg-3"> (second judge)</span>}{" "}
            <LinkButton onClick={() => onOpen(step)}>What the judge saw</LinkButton>
            {adjustmentWords(step.adjustments) !== "" && (
              <span className="block text-12 text-fg-2">{sentence(adjustmentWords(step.adjustments))}</span>
            )}
          </p>
          <p className={FIGURES}>{step.failed === undefined && tokenWords(step)}</p>
        </>
      );
    case "tool":
      return (
        <>
          <div className="min-w-0 [overflow-wrap:anywhere]">
            <p>
              {toolWords(step.tool)}
              {!isTurn(step) && (
                <>
                  : <UntrustedText text={step.asked} />
                </>
              )}
              <Turns turns={step.turns} />
            </p>
            {step.why !== null && (
              <p className="text-12 text-fg-2">
                Why, in its words: <UntrustedText text={step.why} />
              </p>
            )}
            {step.refused !== null && (
              <p className="text-12 font-medium">
                Refused: <UntrustedText text={step.refused} />
              </p>
            )}
          </div>
          <p className={FIGURES}>
            {formatPlural(step.chars, "character")}
            {step.unfoldedChars > 0 && <span className="block">{formatCount(step.unfoldedChars)} unfolded</span>}
          </p>
        </>
      );
    case "note":
      return (
        <p className="col-span-2 narrow:col-span-1 [overflow-wrap:anywhere]">
          Noted: <UntrustedText text={step.note} />
        </p>
      );
    case "refolded":
      return (
        <>
          <p>
            Folded more: <UntrustedText text={step.reason} />
          </p>
          <p className={FIGURES}>{formatPlural(step.chars, "character")} left</p>
        </>
      );
    case "refused":
      return (
        <p className="col-span-2 narrow:col-span-1 [overflow-wrap:anywhere]">
          <b className="font-medium">Refused:</b> <UntrustedText text={step.why} />
        </p>
      );
    case "vote":
      return (
        <p className="col-span-2 font-medium narrow:col-span-1">
          Vote {step.vote + 1}, <UntrustedText text={step.model} />
        </p>
      );
  }
}

/** Why there is no step. */
function emptyWords({ status, diagnosis }: Investigation): string {
  if (status === "queued" || status === "running") return "Nothing was asked yet.";
  return diagnosis?.harnessFault ? "Nobody was asked: a rule told it before." : "No question was answered.";
}

/** What was asked for is one turn, which stands beside it as a link anyway. */
function isTurn({ asked, turns }: Extract<TrailStep, { kind: "tool" }>): boolean {
  return turns.length === 1 && asked === `#${(turns[0] ?? 0) + 1}`;
}

function Turns({ turns }: { turns: readonly number[] }): ReactNode {
  const hidden = turns.length - TURNS_SHOWN;
  return (
    <>
      {turns.slice(0, TURNS_SHOWN).map((turn) => (
        <span key={turn}>
          {" "}
          <TurnChip turn={turn} />
        </span>
      ))}
      {hidden > 0 && ` and ${formatPlural(hidden, "more turn")}`}
    </>
  );
}

function tokenWords(step: Extract<TrailStep, { kind: "asked" }>): string {
  if (step.inputTokens === null && step.outputTokens === null) return "tokens not counted";
  const cached = step.cachedTokens ? ` (${formatCount(step.cachedTokens)} cached)` : "";
  const tokens = `${formatCount(step.inputTokens ?? 0)}${cached} in, ${formatCount(step.outputTokens ?? 0)} out`;
  return step.costUsd === null ? tokens : `${tokens}, ${formatCost(step.costUsd)}`;
}
