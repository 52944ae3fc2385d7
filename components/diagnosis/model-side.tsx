"use client";

import type { ReactNode } from "react";
import { SaidBy } from "@/components/marks/source";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { Tag } from "@/components/ui/chip";
import type { Diagnosis, Investigation } from "@/lib/views/investigation";
import { voteWords } from "./diagnosis-words";
import { FusionLine } from "./finding-details";
import { RELIABILITY } from "./verdict-panel";

/** Who says the model's verdict, how it compares, and how sure that is. */
export function ModelSide({
  shown,
  diagnosis,
  choice,
  review,
}: {
  shown: Investigation;
  diagnosis: Diagnosis;
  /** Whose verdict is shown. */
  choice: ReactNode;
  /** What a person said about it. */
  review: ReactNode;
}): ReactNode {
  const { finding, fusion, harnessFault, verdict, hadFailingReport, limitReached } = diagnosis;
  const version = shown.version === "" ? verdict.engineVersion : shown.version;
  const votes = voteWords(diagnosis);
  const remarks = [
    ...(finding === null ? [] : [`Confidence in the model’s own word: ${finding.confidence}`]),
    ...(votes === null ? [] : [votes]),
    ...(harnessFault === null ? [] : ["Told by a rule before a model is asked, and none was"]),
    ...(hadFailingReport || harnessFault !== null ? [] : ["It had no failing report"]),
    ...(limitReached === null ? [] : ["A limit ended it early"]),
    ...(shown.isOfOlderImport ? ["The upload was read again since"] : []),
  ];
  return (
    <div className="flex min-w-0 flex-col gap-1 border-l border-line px-4 py-2 narrow:border-t narrow:border-l-0">
      <div className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
        {choice}
        {harnessFault === null ? (
          <SaidBy kind="judge" className="min-w-0 leading-5">
            <span className="max-w-80 truncate" title={diagnosis.model}>
              <UntrustedText text={diagnosis.model} />, {version}
            </span>
          </SaidBy>
        ) : (
          <SaidBy kind="rule" className="leading-5">
            rule of {version}
          </SaidBy>
        )}
        {finding !== null && <Tag>{RELIABILITY[verdict.reliability.class]}</Tag>}
      </div>
      {(harnessFault === null || fusion.structuralTurn !== null) && (
        <p className="text-12 leading-6 text-fg-2">
          <FusionLine diagnosis={diagnosis} />
        </p>
      )}
      {remarks.length > 0 && <p className="text-12 leading-5 text-fg-2">{remarks.join(". ")}</p>}
      {review}
    </div>
  );
}
