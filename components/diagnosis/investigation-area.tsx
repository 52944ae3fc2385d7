"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import type { Panel } from "@/components/trajectory/address";
import type { QuotedText } from "@/components/trajectory/failure-report";
import { useForensics } from "@/components/trajectory/forensics-context";
import { LinkButton } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { toast } from "@/components/ui/toast";
import type { Diagnosis } from "@/lib/views/investigation";
import type { RunView } from "@/lib/views/run";
import { FindingDetails } from "./finding-details";
import { InvestigationStrip } from "./investigation-strip";
import { ModelSide } from "./model-side";
import { ModelVerdict } from "./model-verdict";
import type { OpenFailure, SourceQuotation } from "./quotation-line";
import { ReviewLine } from "./review-line";
import type { Reviewed } from "./review-words";
import { openInvestigation } from "./shown-verdict";
import { Trail } from "./trail";
import type { InvestigationsState } from "./use-investigations";
import { CandidateList, RuleVerdict, VERDICT_COLUMNS } from "./verdict-panel";
import { OpenPanel, PanelButton } from "./verdict-panels";

// Fetched when they are opened: a link to a turn opens without them.
const FailureDialog = dynamic(() =>
  import("@/components/trajectory/failure-dialog").then((found) => found.FailureDialog),
);
const InvestigateDialog = dynamic(() => import("./investigate-dialog").then((found) => found.InvestigateDialog));
const ReviewDialog = dynamic(() => import("./review-dialog").then((found) => found.ReviewDialog));
const EarlierDialog = dynamic(() => import("./earlier-dialog").then((found) => found.EarlierDialog));

/** Where the words of a source stand among what is known of how the run ended. */
const TEXTS: Record<SourceQuotation["from"], QuotedText["what"]> = {
  task: "taskStatement",
  error_report: "errorReport",
  failing_test_code: "failingTestCode",
  reference_patch: "referencePatch",
};

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
  const [quoted, setQuoted] = useState<QuotedText | null>(null);
  const { all, shown, problem } = state;
  const diagnosis = shown?.diagnosis ?? null;
  const isModel = shown !== null && diagnosis !== null && address.said !== "rule";
  // The trail of what runs now, or ended without a verdict, is of more interest than that of what is shown.
  const latest = all?.latest ?? null;
  const traced = state.named ?? (latest !== null && latest.diagnosis === null ? latest : shown);
  const reviewed = isModel ? ofModel(shown?.id, diagnosis) : ofRule(rule);
  // Where a model's verdict can come in, there is room for it as long as the page is open: nothing moves when it comes.
  const isAwaited = all !== null && (openInvestigation(all) !== null || (shown === null && all.refusal === null));
  const [hasRoom, keepRoom] = useState(isAwaited);
  if (isAwaited && !hasRoom) keepRoom(true);
  const openFailure: OpenFailure = (words) => {
    setQuoted(words === null ? null : { what: TEXTS[words.from], start: words.start, text: words.text });
    setOpened("failure");
  };
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
      <div className={cn(VERDICT_COLUMNS, all?.model && "min-h-36", hasRoom && "narrow:min-h-92 narrow:content-start")}>
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
        onOpenFailure={() => openFailure(null)}
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
        <InvestigateDialog all={all} onStart={state.start} onClose={close} onOpenFailure={() => openFailure(null)} />
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
      {opened === "failure" && (
        <FailureDialog open quoted={quoted} onOpenChange={(open) => !open && close()} onReadAgain={onAsked} />
      )}
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
