"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { GivenDraft } from "@/components/failure/given-draft";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { type FailureView, failureViewSchema, type GivenAnswer } from "@/lib/views/failure";
import { DialogAnswer } from "./answer-states";
import { useAnswer } from "./answers";
import { readDraft } from "./failure-draft";
import { FailureEditor } from "./failure-editor";
import { FailureReport, type QuotedText } from "./failure-report";
import { useForensics } from "./forensics-context";

const PATH = "failure";

/** What is known of how the run ended, apart from its turns; whoever may say something about it can edit it here. */
export function FailureDialog({
  open,
  quoted = null,
  onOpenChange,
  onReadAgain,
}: {
  open: boolean;
  /** Words of one of the texts that somebody wants to see. */
  quoted?: QuotedText | null;
  onOpenChange: (open: boolean) => void;
  /** Called when what was said has queued a new import. */
  onReadAgain: () => void;
}): ReactNode {
  const router = useRouter();
  const { answers, api, run } = useForensics();
  const answer = useAnswer(answers, PATH, failureViewSchema);
  const [before, setBefore] = useState<GivenDraft | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isDirty, setDirty] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  const isEditing = before !== null;
  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  const edit = async (failure: FailureView) => {
    try {
      setBefore(await readDraft(api, failure));
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "What was said before could not be read.");
    }
  };
  const stopEditing = () => {
    setBefore(null);
    setDirty(false);
    setLeaving(false);
  };
  const onSaved = ({ failure, readsAgain }: GivenAnswer) => {
    if (failure !== null) answers.put(PATH, failure, failureViewSchema);
    stopEditing();
    toast(readsAgain ? "Saved. The run is read again with it" : "Saved");
    if (readsAgain) onReadAgain();
    router.refresh();
  };

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next && isDirty) setLeaving(true);
        else onOpenChange(next);
      }}
      isText={!isEditing}
      title="How the run ended"
      description="Kept apart from the turns: but for the task, nothing of it was before the agent's eyes."
      className="w-[min(760px,calc(100vw-32px))]"
    >
      <DialogAnswer answer={answer} onRetry={() => answers.retry(PATH, failureViewSchema)}>
        {(failure) =>
          before !== null ? (
            <FailureEditor
              api={api}
              failure={failure}
              before={before}
              isLeaving={isLeaving}
              onLeave={() => setLeaving(true)}
              onStay={() => setLeaving(false)}
              onDirty={setDirty}
              onSaved={onSaved}
              onClose={stopEditing}
            />
          ) : (
            <>
              {problem !== null && (
                <p role="alert" className="mb-3 text-13">
                  {problem}
                </p>
              )}
              <FailureReport
                failure={failure}
                api={api}
                quoted={quoted}
                action={
                  run.permissions.giveFailure && (
                    <Button ref={editButton} onClick={() => void edit(failure)}>
                      {isBare(failure) ? "Say how it ended" : "Add or change"}
                    </Button>
                  )
                }
              />
            </>
          )
        }
      </DialogAnswer>
    </Dialog>
  );
}

function isBare({ outcome, texts }: FailureView): boolean {
  return outcome.source === null && texts.every(({ source }) => source === null);
}
