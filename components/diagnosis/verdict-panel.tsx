"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { fileAddress, namedFile } from "@/components/code/file-choice";
import { Mark } from "@/components/marks/mark";
import { SaidBy } from "@/components/marks/source";
import { atTurn } from "@/components/trajectory/address";
import type { Candidate, Verdict } from "@/components/trajectory/flags";
import { useForensics } from "@/components/trajectory/forensics-context";
import { formatPlural } from "@/components/trajectory/numbers";
import { AddressLink, TurnChip } from "@/components/trajectory/turn-link";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { Tag } from "@/components/ui/chip";
import type { SentencePartView } from "@/lib/views/run";
import { QuotationLine } from "./quotation-line";

function CodeLink({ part }: { part: Extract<SentencePartView, { kind: "code" }> }): ReactNode {
  const { address, run, showPane } = useForensics();
  const row = namedFile(run.files, part.file);
  const code = (
    <code className="text-13 [unicode-bidi:isolate]">
      <UntrustedText text={part.text} />
    </code>
  );
  if (!row) return code;
  return (
    <AddressLink
      className="rounded-2 hover:underline"
      to={{ ...atTurn({ ...address, view: "code" }, part.turn), file: fileAddress(run.files, row.n), line: part.line }}
      onGo={() => showPane("code")}
    >
      {code}
    </AddressLink>
  );
}

function Sentence({ parts }: { parts: readonly SentencePartView[] }): ReactNode {
  return (
    <p className="max-w-[72ch] text-14 leading-6 text-pretty [overflow-wrap:anywhere]">
      {parts.map((part, i) => {
        // biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of one sentence never move
        if (part.kind === "text") return <UntrustedText key={i} text={part.text} />;
        if (part.kind === "turn") return <TurnChip key={i} turn={part.turn} />;
        return <CodeLink key={i} part={part} />;
        // biome-ignore-end lint/suspicious/noArrayIndexKey: the parts of one sentence never move
      })}
    </p>
  );
}

/** How reliable a verdict is, by its class. */
export const RELIABILITY: Record<Verdict["reliability"]["class"], string> = {
  higher: "Higher reliability",
  medium: "Medium reliability",
  lower: "Lower reliability",
};

function CandidateRow({ candidate }: { candidate: Candidate }): ReactNode {
  const { address, run, showPane } = useForensics();
  const file = namedFile(run.files, candidate.file);
  return (
    <li className="grid grid-cols-[20px_84px_minmax(0,1fr)] items-start gap-x-2 border-t border-line py-1.5 first:border-t-0">
      <span className="mono text-right text-12 leading-5 text-fg-3">{candidate.rank}</span>
      <span>
        <TurnChip turn={candidate.turn} />
      </span>
      <div className="min-w-0">
        <p className="text-13 text-pretty [overflow-wrap:anywhere]">
          <UntrustedText text={candidate.reason} />{" "}
          {file && (
            <AddressLink
              className="font-medium text-accent hover:underline"
              to={{
                ...atTurn({ ...address, view: "code" }, candidate.turn),
                file: fileAddress(run.files, file.n),
                line: candidate.line,
              }}
              onGo={() => showPane("code")}
            >
              <UntrustedText text={file.display} />
              {candidate.line !== null && `:${candidate.line}`}
            </AddressLink>
          )}
        </p>
        {candidate.quotations.map((quotation) => (
          <QuotationLine key={`${quotation.item} ${quotation.field} ${quotation.start}`} quotation={quotation} />
        ))}
      </div>
    </li>
  );
}

/** What the structural rule found, in one sentence, with the proof one click away; or that nothing can be said, and why. */
export function RuleVerdict({
  sentence,
  verdict,
  help,
  choice,
  review,
  isOpen,
  onOpenChange,
}: {
  sentence: readonly SentencePartView[];
  verdict: Verdict | null;
  /** What can be done where there is no verdict. */
  help?: ReactNode;
  /** Where another verdict than the rule's can be chosen. */
  choice?: ReactNode;
  /** What a person said. */
  review?: ReactNode;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}): ReactNode {
  const first = verdict?.candidates[0];
  const count = verdict?.candidates.length ?? 0;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <div className="flex min-w-0 flex-col gap-1 px-4 py-2">
        <div className="flex items-start gap-2">
          {verdict?.status === "undetermined" && <Mark kind="undetermined" label={null} className="mt-1.5" />}
          <Sentence parts={sentence} />
        </div>
        {first?.quotations.slice(0, 2).map((quotation) => (
          <QuotationLine key={`${quotation.item} ${quotation.field} ${quotation.start}`} quotation={quotation} />
        ))}
      </div>
      {verdict === null && (help || choice) && (
        <div className="flex min-h-6 flex-col items-start gap-1 border-l border-line px-4 py-2 narrow:border-l-0 narrow:pt-0">
          {choice}
          {help}
        </div>
      )}
      {verdict && (
        <div className="flex min-w-0 flex-col gap-1 border-l border-line px-4 py-2 narrow:border-t narrow:border-l-0">
          <div className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
            {choice}
            <SaidBy kind="rule" className="leading-5">
              rule{" "}
              {verdict.engineVersion.includes("@")
                ? verdict.engineVersion
                : `${verdict.engine}@${verdict.engineVersion}`}
            </SaidBy>
            {verdict.status === "determined" && <Tag>{RELIABILITY[verdict.reliability.class]}</Tag>}
          </div>
          {verdict.reliability.reason !== verdict.undeterminedReason && (
            <p className="max-w-[75ch] text-12 leading-5 text-pretty text-fg-2">
              <UntrustedText text={verdict.reliability.reason} />
            </p>
          )}
          {count > 0 && (
            <button
              type="button"
              aria-expanded={isOpen}
              onClick={() => onOpenChange(!isOpen)}
              className="-mx-1 flex items-center gap-1 self-start rounded-4 px-1 text-12 leading-5 font-medium text-accent hover:underline narrow:-my-1 narrow:min-h-9"
            >
              {formatPlural(count, "candidate turn")} with reasons
              <Chevron aria-hidden strokeWidth={1.75} className="size-3" />
            </button>
          )}
          {review}
        </div>
      )}
    </>
  );
}

/** The turns that an engine proposes, best first, each with its reason and quotations. */
export function CandidateList({ verdict }: { verdict: Verdict }): ReactNode {
  return (
    <ol
      aria-label="Candidate turns"
      className="max-h-[clamp(176px,calc(100dvh-700px),40dvh)] overflow-y-auto border-t border-line px-4 py-1 narrow:max-h-none"
    >
      {verdict.candidates.map((candidate) => (
        <CandidateRow key={candidate.rank} candidate={candidate} />
      ))}
    </ol>
  );
}

/** The two columns of a verdict: what was found and where; who says it and how sure that is. */
export const VERDICT_COLUMNS = "grid grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)] narrow:grid-cols-1";

/** The structural rule's verdict alone, as on a shared page. */
export function VerdictPanel({
  sentence,
  verdict,
  isOpen,
  onOpenChange,
}: {
  sentence: readonly SentencePartView[];
  verdict: Verdict | null;
  /** Whether the list of candidates is open; the page closes it on Escape. */
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}): ReactNode {
  return (
    <section aria-label="Verdict" className="border-t border-line">
      <div className={VERDICT_COLUMNS}>
        <RuleVerdict sentence={sentence} verdict={verdict} isOpen={isOpen} onOpenChange={onOpenChange} />
      </div>
      {isOpen && verdict && <CandidateList verdict={verdict} />}
    </section>
  );
}
