"use client";

import type { ReactNode } from "react";
import { formatCost, formatCount, formatPlural } from "@/components/trajectory/numbers";
import { TurnChip } from "@/components/trajectory/turn-link";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import type { Diagnosis, Investigation } from "@/lib/views/investigation";
import { adjustmentsOfAll, FATE_WORDS, fusionWords, kindName, phaseName, sentence, voteWords } from "./diagnosis-words";
import { Fact } from "./fact";
import { EvidenceLines, type OpenFailure } from "./quotation-line";

interface Props {
  diagnosis: Diagnosis;
  onOpenFailure: OpenFailure;
}

const LIST = "grid grid-cols-2 gap-x-8 narrow:grid-cols-1 [&>dl]:min-w-0";

/** Everything that an investigation says, with both sides of its evidence. */
export function FindingDetails({
  investigation,
  diagnosis,
  onOpenFailure,
}: Props & { investigation: Investigation }): ReactNode {
  const props = { diagnosis, onOpenFailure };
  return (
    <div className={LIST}>
      <dl>
        {diagnosis.finding === null ? <Nothing {...props} /> : <Found {...props} finding={diagnosis.finding} />}
        {diagnosis.alternative !== null && (
          <Fact name="Alternative">
            <TurnChip turn={diagnosis.alternative.turn} /> <UntrustedText text={diagnosis.alternative.reason} />
            <EvidenceLines all={diagnosis.alternative.committed} onOpenFailure={onOpenFailure} />
          </Fact>
        )}
      </dl>
      <dl>
        <Comparison diagnosis={diagnosis} />
        <Before {...props} />
        <Cost diagnosis={diagnosis} investigation={investigation} />
      </dl>
    </div>
  );
}

function Nothing({ diagnosis, onOpenFailure }: Props): ReactNode {
  const { harnessFault, verdict } = diagnosis;
  return (
    <>
      <Fact name={harnessFault === null ? "Undetermined" : "Harness fault"}>
        <UntrustedText text={harnessFault?.reason ?? verdict.undeterminedReason ?? ""} />
      </Fact>
      {harnessFault !== null && (
        <Fact name="Shown by">
          {harnessFault.turns.map((turn) => (
            <TurnChip key={turn} turn={turn} />
          ))}
          <EvidenceLines
            all={harnessFault.quotations.map((quotation) => ({ from: "trace" as const, quotation }))}
            onOpenFailure={onOpenFailure}
          />
        </Fact>
      )}
    </>
  );
}

function Found({
  finding,
  diagnosis,
  onOpenFailure,
}: Props & { finding: NonNullable<Diagnosis["finding"]> }): ReactNode {
  const requirement = diagnosis.requirements.find(({ id }) => id === finding.requirement);
  return (
    <>
      <Fact name="Turn">
        <TurnChip turn={finding.turn} /> <b className="font-medium">{kindName(finding.kind)}</b>
        <span className="text-fg-2">, in {phaseName(finding.phase).toLowerCase()}</span>
      </Fact>
      <Fact name="Why">
        <UntrustedText text={finding.justification} />
      </Fact>
      <Fact name="Committed">
        <EvidenceLines all={finding.committed} onOpenFailure={onOpenFailure} />
      </Fact>
      <Fact name="Violates">
        <EvidenceLines all={finding.violated} onOpenFailure={onOpenFailure} />
        {requirement && (
          <p>
            <span className="mono text-12 text-fg-3">{requirement.id}</span> <UntrustedText text={requirement.text} />
          </p>
        )}
      </Fact>
      <Fact name="Its fate">{FATE_WORDS[finding.fate]}</Fact>
      <Fact name="Correct step">
        <UntrustedText text={finding.correctStep} />
      </Fact>
      <Fact name="Confidence">
        {finding.confidence} <span className="text-fg-3">in the model’s own word, no probability</span>
      </Fact>
    </>
  );
}

function Comparison({ diagnosis }: { diagnosis: Diagnosis }): ReactNode {
  const { fusion, votes } = diagnosis;
  return (
    <>
      <Fact name="Beside the rule">
        <FusionLine diagnosis={diagnosis} />
        {fusion.agreement === "different" && (
          <p className="text-12 leading-5 text-fg-3">
            Read both turns: where they differ, neither is more than a proposal.
          </p>
        )}
      </Fact>
      {votes.length > 1 && (
        <Fact name="Votes">
          {voteWords(diagnosis)}
          <ul>
            {votes.map((vote, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: votes never move
              <li key={i} className="text-12 leading-6 text-fg-2">
                {vote.turn === null ? "undetermined" : <TurnChip turn={vote.turn} />}
                {vote.kind !== null && ` ${kindName(vote.kind).toLowerCase()}`}, <UntrustedText text={vote.model} />
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </>
  );
}

/** How the structural rule's turn compares, with both turns. */
export function FusionLine({ diagnosis }: { diagnosis: Diagnosis }): ReactNode {
  const { fusion, finding } = diagnosis;
  return (
    <>
      {fusionWords(fusion, finding !== null)}
      {fusion.structuralTurn !== null && (
        <>
          : <TurnChip turn={fusion.structuralTurn} />
          {finding !== null && finding.turn !== fusion.structuralTurn && (
            <>
              , not <TurnChip turn={finding.turn} />
            </>
          )}
        </>
      )}
    </>
  );
}

function Before({ diagnosis, onOpenFailure }: Props): ReactNode {
  const { requirements, prior, hadFailingReport, withReference } = diagnosis;
  return (
    <>
      {requirements.length > 0 && (
        <Fact name="Must hold">
          <ul>
            {requirements.map((requirement) => (
              <li key={requirement.id} className="pb-1">
                <span className="mono text-12 text-fg-3">{requirement.id}</span>{" "}
                <UntrustedText text={requirement.text} />
                <EvidenceLines all={[requirement.evidence]} onOpenFailure={onOpenFailure} />
              </li>
            ))}
          </ul>
        </Fact>
      )}
      {prior !== null && (
        <Fact name="Before reading">
          {kindName(prior.kind)}, in {phaseName(prior.phase).toLowerCase()}: <UntrustedText text={prior.rationale} />
        </Fact>
      )}
      <Fact name="Failing report">
        {hadFailingReport ? (
          "It had one."
        ) : (
          <>
            It had no error report and no failing test.{" "}
            <button
              type="button"
              onClick={() => onOpenFailure(null)}
              className="font-medium text-accent hover:underline"
            >
              Add one
            </button>
          </>
        )}
        {withReference && " It was shown the reference patch."}
      </Fact>
    </>
  );
}

function Cost({ diagnosis, investigation }: { diagnosis: Diagnosis; investigation: Investigation }): ReactNode {
  const { usage, limitReached } = diagnosis;
  const adjusted = adjustmentsOfAll(diagnosis.trail);
  const version = investigation.version === "" ? diagnosis.verdict.engineVersion : investigation.version;
  if (diagnosis.harnessFault !== null) {
    return <Fact name="Told by">A rule of {version}, before a model is asked: there was no question.</Fact>;
  }
  return (
    <>
      {limitReached !== null && (
        <Fact name="Limit reached">
          <UntrustedText text={limitReached} /> What is said is the best so far.
        </Fact>
      )}
      <Fact name="Spent">
        {formatPlural(usage.calls, "question")}, {formatCount(usage.inputTokens)} tokens in (
        {formatCount(usage.cachedTokens)} cached), {formatCount(usage.outputTokens)} out,{" "}
        {usage.costUsd === null ? "cost not known" : formatCost(usage.costUsd)}
      </Fact>
      {adjusted.length > 0 && (
        <Fact name="Asked otherwise">
          <ul>
            {adjusted.map(({ words, questions, of }) => (
              <li key={words}>
                {sentence(words)}{" "}
                <span className="text-12 text-fg-3">
                  {questions === of
                    ? `All ${formatPlural(of, "question")}`
                    : `${questions} of ${formatPlural(of, "question")}`}
                </span>
              </li>
            ))}
          </ul>
        </Fact>
      )}
      <Fact name="Model">
        <UntrustedText text={diagnosis.model} />
        <span className="text-fg-3">
          , {version}, {diagnosis.mode === "single_pass" ? "read in one pass" : "from an outline with look-ups"}
        </span>
      </Fact>
    </>
  );
}
