"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { SaidBy } from "@/components/marks/source";
import type { Panel } from "@/components/trajectory/address";
import { useForensics } from "@/components/trajectory/forensics-context";
import { formatMoment } from "@/components/trajectory/numbers";
import { ScrollBox } from "@/components/trajectory/scroll-box";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { LinkButton } from "@/components/ui/button";
import { Tag } from "@/components/ui/chip";
import { cn } from "@/components/ui/class-names";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { toast } from "@/components/ui/toast";
import type { Diagnosis, Investigation } from "@/lib/views/investigation";
import type { RunView } from "@/lib/views/run";
import { FindingDetails, FusionLine } from "./finding-details";
import { InvestigationStrip } from "./investigation-strip";
import { ModelVerdict } from "./model-verdict";
import { type Reviewed, ReviewWords } from "./review-words";
import { openInvestigation } from "./shown-verdict";
import { Trail } from "./trail";
import type { InvestigationsState } from "./use-investigations";
import { CandidateList, RELIABILITY, RuleVerdict, VERDICT_COLUMNS } from "./verdict-panel";

// Fetched when they are opened: a link to a turn opens without them.
const FailureDialog = dynamic(() =>
  import("@/components/trajectory/failure-dialog").then((found) => found.FailureDialog),
);
const InvestigateDialog = dynamic(() => import("./investigate-dialog").then((found) => found.InvestigateDialog));
const ReviewDialog = dynamic(() => import("./review-dialog").then((found) => found.ReviewDialog));
const EarlierDialog = dynamic(() => import("./earlier-dialog").then((found) => found.EarlierDialog));

/** The verdict of the model and of the structural rule, one at a time, with what a person can do about them. */
export function InvestigationArea({
  rule,
  state,
  help,
  areCandidatesOpen,
  onCandidatesOpen,
  onAsked,
}: {
  /** The run with the structural rule's verdict, whichever is shown. */
  rule: RunView;
  state: InvestigationsState;
  /** What can be done where the rule has no verdict. */
  help: ReactNode;
  areCandidatesOpen: boolean;
  onCandidatesOpen: (isOpen: boolean) => void;
  /** Called when something that was said has queued a new import. */
  onAsked: () => void;
}): ReactNode {
  const { address, go, turn } = useForensics();
  const [opened, setOpened] = useState<"investigate" | "review" | "earlier" | "failure" | null>(null);
  const { all, shown, problem } = state;
  const diagnosis = shown?.diagnosis ?? null;
  const isModel = shown !== null && diagnosis !== null && address.said !== "rule";
  // The trail of what runs now, or ended without a verdict, is of more interest than that of what is shown.
  const latest = all?.latest ?? null;
  const traced = state.named ?? (latest !== null && latest.diagnosis === null ? latest : shown);
  const reviewed = isModel ? ofModel(shown?.id, diagnosis) : ofRule(rule);
  const openFailure = () => setOpened("failure");
  const close = () => setOpened(null);
  const toggle = (panel: Panel) => go({ ...address, panel: address.panel === panel ? null : panel });
  const cancel = async (id: string) => {
    try {
      await state.cancel(id);
    } catch (error) {
      toast(error instanceof Error ? error.message : "It could not be cancelled.");
    }
  };
  const choice = diagnosis !== null && (
    <SegmentedControl
      label="Whose verdict"
      segments={[
        { value: "model", label: "Model" },
        { value: "rule", label: "Rule" },
      ]}
      value={isModel ? "model" : "rule"}
      onChange={(who) => go({ ...address, said: who === "rule" ? "rule" : null, panel: null })}
    />
  );
  const review = all !== null && (
    <ReviewLine all={all} canReview={reviewed !== null} onOpen={() => setOpened("review")} />
  );
  return (
    <section aria-label="Verdict" className="border-t border-line">
      {/* Where a model can be asked, there is room for its verdict: nothing moves when it comes. */}
      <div className={cn(VERDICT_COLUMNS, all?.model && "min-h-36 narrow:min-h-92 narrow:content-start")}>
        {isModel ? (
          <>
            <div className="flex min-w-0 flex-col gap-1 px-4 py-2">
              <ModelVerdict diagnosis={diagnosis} onOpenFailure={openFailure} />
            </div>
            <ModelSide shown={shown} diagnosis={diagnosis} choice={choice} review={review} />
          </>
        ) : (
          <RuleVerdict
            sentence={rule.sentence}
            verdict={rule.verdict}
            help={help}
            choice={choice}
            review={review}
            isOpen={areCandidatesOpen}
            onOpenChange={onCandidatesOpen}
          />
        )}
      </div>
      <InvestigationStrip
        all={all}
        shown={isModel ? shown : null}
        problem={problem}
        isResolved={rule.row.outcome === "resolved"}
        onInvestigate={() => setOpened("investigate")}
        onCancel={(id) => void cancel(id)}
        onOpenFailure={openFailure}
        buttons={
          <>
            {isModel && (
              <PanelButton panel="verdict" open={address.panel} onToggle={toggle}>
                All of the verdict
              </PanelButton>
            )}
            {traced !== null && (
              <PanelButton panel="trail" open={address.panel} onToggle={toggle}>
                Trail
              </PanelButton>
            )}
            {all !== null && all.rows.length > 1 && (
              <LinkButton onClick={() => setOpened("earlier")}>{all.rows.length} investigations</LinkButton>
            )}
          </>
        }
      />
      {areCandidatesOpen && !isModel && rule.verdict !== null && <CandidateList verdict={rule.verdict} />}
      {address.panel === "verdict" && isModel && shown !== null && (
        <OpenPanel label="All of the verdict">
          <FindingDetails investigation={shown} diagnosis={diagnosis} onOpenFailure={openFailure} />
        </OpenPanel>
      )}
      {address.panel === "trail" && traced !== null && (
        <OpenPanel label="Trail of the investigation" isSteady>
          <Trail investigation={traced} />
        </OpenPanel>
      )}
      {opened === "investigate" && all !== null && openInvestigation(all) === null && (
        <InvestigateDialog all={all} onStart={state.start} onClose={close} onOpenFailure={openFailure} />
      )}
      {opened === "review" && reviewed !== null && all !== null && (
        <ReviewDialog
          reviewed={reviewed}
          reviews={all.reviews}
          openTurn={turn}
          turns={rule.strip.turns}
          onReview={state.review}
          onClose={close}
        />
      )}
      {opened === "earlier" && all !== null && (
        <EarlierDialog
          all={all}
          shownId={shown?.id ?? null}
          onShow={(id, panel) => {
            close();
            go({ ...address, investigation: id, said: null, panel });
          }}
          onClose={close}
        />
      )}
      {opened === "failure" && <FailureDialog open onOpenChange={(open) => !open && close()} onReadAgain={onAsked} />}
    </section>
  );
}

function ofModel(id: string | undefined, diagnosis: Diagnosis | null): Reviewed | null {
  if (id === undefined || diagnosis === null) return null;
  return { analysisId: id, turn: diagnosis.finding?.turn ?? null, by: "the model" };
}

function ofRule({ verdict, verdictId }: RunView): Reviewed | null {
  if (verdict === null || verdictId === null) return null;
  const turn = verdict.status === "determined" ? (verdict.candidates[0]?.turn ?? null) : null;
  return { analysisId: verdictId, turn, by: "the structural rule" };
}

function ModelSide({
  shown,
  diagnosis,
  choice,
  review,
}: {
  shown: Investigation;
  diagnosis: Diagnosis;
  choice: ReactNode;
  review: ReactNode;
}): ReactNode {
  const { finding, verdict, hadFailingReport, limitReached } = diagnosis;
  const remarks = [
    ...(hadFailingReport ? [] : ["It had no failing report"]),
    ...(limitReached === null ? [] : ["A limit ended it early"]),
    ...(shown.isOfOlderImport ? ["The upload was read again since"] : []),
  ];
  return (
    <div className="flex min-w-0 flex-col gap-1 border-l border-line px-4 py-2 narrow:border-t narrow:border-l-0">
      <div className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
        {choice}
        <SaidBy kind="judge" className="min-w-0 leading-5">
          <span className="max-w-80 truncate" title={diagnosis.model}>
            <UntrustedText text={diagnosis.model} />, {shown.version === "" ? verdict.engineVersion : shown.version}
          </span>
        </SaidBy>
        {finding !== null && <Tag>{RELIABILITY[verdict.reliability.class]}</Tag>}
      </div>
      <p className="text-12 leading-6 text-fg-2">
        <FusionLine diagnosis={diagnosis} />
      </p>
      {(finding !== null || remarks.length > 0) && (
        <p className="text-12 leading-5 text-fg-2">
          {[
            ...(finding === null ? [] : [`Confidence in the model’s own word: ${finding.confidence}`]),
            ...remarks,
          ].join(". ")}
        </p>
      )}
      {review}
    </div>
  );
}

/** What a person said last, or the way to say it. */
function ReviewLine({
  all,
  canReview,
  onOpen,
}: {
  all: NonNullable<InvestigationsState["all"]>;
  canReview: boolean;
  onOpen: () => void;
}): ReactNode {
  const last = all.reviews[0];
  return (
    <div className="flex min-h-6 min-w-0 items-center gap-x-2 text-12 narrow:flex-wrap">
      {last === undefined ? (
        <span className="text-fg-3">Nobody has reviewed it yet.</span>
      ) : (
        <>
          <span className="shrink-0">
            <ReviewWords review={last} />
          </span>
          <span className="min-w-0 truncate text-fg-2" title={`${last.reason}\n${formatMoment(last.at)}`}>
            <UntrustedText text={last.reason} />
          </span>
        </>
      )}
      {canReview && <LinkButton onClick={onOpen}>{last === undefined ? "Review" : "Review again"}</LinkButton>}
    </div>
  );
}

function PanelButton({
  panel,
  open,
  onToggle,
  children,
}: {
  panel: Panel;
  open: Panel | null;
  onToggle: (panel: Panel) => void;
  children: ReactNode;
}): ReactNode {
  const isOpen = panel === open;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => onToggle(panel)}
      className="flex items-center gap-1 rounded-4 text-12 leading-6 font-medium text-accent hover:underline"
    >
      {children}
      <Chevron aria-hidden strokeWidth={1.75} className="size-3" />
    </button>
  );
}

function OpenPanel({
  label,
  isSteady = false,
  children,
}: {
  label: string;
  /** True for what grows while it is looked at: the panel keeps its height, so that nothing below moves. */
  isSteady?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <ScrollBox
      label={label}
      className={cn(
        "overflow-y-auto border-t border-line px-4 py-1",
        isSteady ? "h-[40dvh]" : "max-h-[44dvh] narrow:max-h-none",
      )}
    >
      {children}
    </ScrollBox>
  );
}
