"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { GivenDraft } from "@/components/failure/given-draft";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import {
  type FailureView,
  failurePieceSchema,
  failureViewSchema,
  type GivenAnswer,
  KNOWN_TEXTS,
  type KnownText,
} from "@/lib/views/failure";
import { fetchJson, useAnswer } from "./answers";
import { FailureEditor } from "./failure-editor";
import { FailureReport } from "./failure-report";
import { useForensics } from "./forensics-context";

const PATH = "failure";

/** What is known of how the run ended, apart from its turns; whoever may say something about it can edit it here. */
export function FailureDialog({
  open,
  onOpenChange,
  onReadAgain,
}: {
  open: boolean;
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
      setBefore(await draftOf(api, failure));
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
      {answer.state === "waiting" && <p className="text-13 text-fg-2">Loading…</p>}
      {answer.state === "failed" && (
        <p role="alert" className="text-13">
          {answer.message}
        </p>
      )}
      {answer.state === "here" &&
        (before !== null ? (
          <FailureEditor
            api={api}
            failure={answer.value}
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
              failure={answer.value}
              api={api}
              action={
                run.permissions.giveFailure && (
                  <Button ref={editButton} onClick={() => void edit(answer.value)}>
                    {isBare(answer.value) ? "Say how it ended" : "Add or change"}
                  </Button>
                )
              }
            />
          </>
        ))}
    </Dialog>
  );
}

function isBare({ outcome, texts }: FailureView): boolean {
  return outcome.source === null && texts.every(({ source }) => source === null);
}

/** What a person gave until now, with all of each text. */
async function draftOf(api: string, failure: FailureView): Promise<GivenDraft> {
  const draft: GivenDraft = {
    outcome: failure.outcome.source === "person" && failure.outcome.value !== "unknown" ? failure.outcome.value : null,
    texts: { taskStatement: "", errorReport: "", failingTestCode: "", referencePatch: "" },
  };
  for (const what of KNOWN_TEXTS) {
    const known = failure.texts.find((one) => one.what === what);
    if (known?.source !== "person") continue;
    draft.texts[what] = known.text.length === known.totalChars ? known.text : await wholeText(api, what);
  }
  return draft;
}

async function wholeText(api: string, what: KnownText): Promise<string> {
  let whole = "";
  for (let offset: number | null = 0; offset !== null; ) {
    const piece: { text: string; nextOffset: number | null } = await fetchJson(
      `${api}/failure/text?what=${what}&offset=${offset}`,
      failurePieceSchema,
    );
    whole += piece.text;
    offset = piece.nextOffset;
  }
  return whole;
}
