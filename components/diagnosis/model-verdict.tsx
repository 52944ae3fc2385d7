"use client";

import type { ReactNode } from "react";
import { Mark } from "@/components/marks/mark";
import { TurnChip } from "@/components/trajectory/turn-link";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import type { Diagnosis, Evidence } from "@/lib/views/investigation";
import { kindName, phaseName } from "./diagnosis-words";
import { EvidenceLine, type OpenFailure } from "./quotation-line";

const SENTENCE = "line-clamp-3 max-w-[76ch] text-14 leading-6 text-pretty [overflow-wrap:anywhere] narrow:line-clamp-4";

/** What the model found, in short: where, which kind, why, and a quotation of each side. */
export function ModelVerdict({
  diagnosis,
  onOpenFailure,
}: {
  diagnosis: Diagnosis;
  onOpenFailure: OpenFailure;
}): ReactNode {
  const { finding, harnessFault, verdict } = diagnosis;
  if (finding === null) {
    const candidate = verdict.candidates[0];
    return (
      <>
        <div className="flex items-start gap-2">
          <Mark kind="undetermined" label={null} className="mt-1.5" />
          <p className={SENTENCE}>
            {harnessFault === null ? "Undetermined by the model. " : "Not the agent’s fault. "}
            <UntrustedText text={verdict.undeterminedReason ?? ""} />
            {candidate && harnessFault === null && (
              <>
                {" "}
                Worth a look: <TurnChip turn={candidate.turn} />
              </>
            )}
          </p>
        </div>
        {harnessFault?.quotations.slice(0, 2).map((quotation) => (
          <EvidenceLine
            key={`${quotation.item} ${quotation.start}`}
            evidence={{ from: "trace", quotation }}
            onOpenFailure={onOpenFailure}
          />
        ))}
      </>
    );
  }
  return (
    <>
      <p className={SENTENCE}>
        By the model, the run went wrong for good at <TurnChip turn={finding.turn} />:{" "}
        <b className="font-medium">{kindName(finding.kind).toLowerCase()}</b>, in{" "}
        {phaseName(finding.phase).toLowerCase()}. <UntrustedText text={finding.justification} />
      </p>
      <Side name="Committed" evidence={finding.committed[0]} onOpenFailure={onOpenFailure} />
      <Side name="Violates" evidence={finding.violated[0]} onOpenFailure={onOpenFailure} />
    </>
  );
}

function Side({
  name,
  evidence,
  onOpenFailure,
}: {
  name: string;
  evidence: Evidence | undefined;
  onOpenFailure: OpenFailure;
}): ReactNode {
  if (evidence === undefined) return null;
  return (
    <div className="flex min-w-0 items-center gap-2">
      <span className="w-16 shrink-0 text-12 text-fg-3">{name}</span>
      <div className="min-w-0">
        <EvidenceLine evidence={evidence} onOpenFailure={onOpenFailure} />
      </div>
    </div>
  );
}
