"use client";

import { type ReactNode, useId, useState } from "react";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { Button, LinkButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { InvestigationSettings, Investigations } from "@/lib/views/investigation";
import { FIRST_DRAFT, type InvestigationDraft, settingsOf } from "./investigation-draft";

type NumberName = Exclude<keyof InvestigationDraft, "withReference" | "secondJudge">;

/** How a model is to be asked, within which limits; starts an investigation. */
export function InvestigateDialog({
  all,
  onStart,
  onClose,
  onOpenFailure,
}: {
  all: Investigations;
  /** Throws with words for a person. */
  onStart: (settings: InvestigationSettings) => Promise<void>;
  onClose: () => void;
  onOpenFailure: () => void;
}): ReactNode {
  const [draft, setDraft] = useState(FIRST_DRAFT);
  const [problem, setProblem] = useState<string | null>(null);
  const [isStarting, setStarting] = useState(false);
  const { settings, wrong } = settingsOf(draft);
  const change = (more: Partial<InvestigationDraft>) => setDraft((now) => ({ ...now, ...more }));
  const field = (name: NumberName) => ({
    value: draft[name],
    isWrong: wrong.has(name),
    onChange: (text: string) => change({ [name]: text }),
  });
  const start = async () => {
    if (settings === null || isStarting) return;
    setStarting(true);
    setProblem(null);
    try {
      await onStart(settings);
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "It could not be started.");
      setStarting(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Investigate"
      description={
        <>
          <UntrustedText text={all.model?.name ?? "The model"} /> reads the folded run, looks up what it needs, and
          names the turn at which it went wrong for good. Secrets are masked before anything is sent.
        </>
      }
      className="w-[min(560px,calc(100vw-32px))]"
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <div className="grid gap-2 text-13">
          <p className="text-fg-2">
            The task and the failing report go with it, as far as they are known.{" "}
            <LinkButton onClick={onOpenFailure}>How the run ended</LinkButton>
          </p>
          {all.hasReference && (
            <Check
              label="Show it the reference patch"
              hint="It then knows the right change; figures with and without it are no comparison."
              checked={draft.withReference}
              onChange={(withReference) => change({ withReference })}
            />
          )}
          {all.model?.second != null && (
            <Check
              label={`Ask ${all.model.second} as a second judge`}
              hint="Its vote counts beside the others."
              checked={draft.secondJudge}
              onChange={(secondJudge) => change({ secondJudge })}
            />
          )}
          <NumberField label="Votes" hint="1 to 9; each reads the run again" {...field("votes")} />
        </div>
        <fieldset className="grid gap-2 border-t border-line pt-3 text-13">
          <legend className="float-left pb-1 text-12 font-medium text-fg-3">Ends at the latest after</legend>
          <NumberField label="Questions" hint="1 to 200" {...field("calls")} />
          <NumberField label="Tokens" hint="in and out together" {...field("tokens")} />
          <NumberField label="Seconds" hint="1 to 1,500" {...field("seconds")} />
          <NumberField label="Cost in $" hint="empty: no limit" {...field("costUsd")} />
        </fieldset>
        <details className="border-t border-line pt-3 text-13">
          <summary className="cursor-pointer text-12 font-medium text-fg-2">How it reads</summary>
          <div className="pt-2">
            <NumberField
              label="One pass up to"
              hint="turns; longer runs are read from an outline with look-ups"
              {...field("singlePassTurns")}
            />
          </div>
        </details>
        <div className="flex min-h-7 items-center gap-2">
          <span role={problem === null ? "status" : "alert"} className="min-w-0 flex-1 text-12 text-fg-2">
            {problem ?? (settings === null ? "A number is missing or out of its range." : "")}
          </span>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" look="primary" disabled={settings === null || isStarting}>
            {isStarting ? "Starting" : "Start"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function NumberField({
  label,
  hint,
  value,
  isWrong,
  onChange,
}: {
  label: string;
  hint: string;
  value: string;
  isWrong: boolean;
  onChange: (text: string) => void;
}): ReactNode {
  const id = useId();
  return (
    <div className="grid grid-cols-[104px_88px_minmax(0,1fr)] items-center gap-x-3">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        inputMode="decimal"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={isWrong}
        aria-describedby={`${id}-hint`}
        className="mono h-7 w-full rounded-6 border border-line-2 bg-bg px-2 text-12 aria-invalid:border-dec"
      />
      <span id={`${id}-hint`} className="text-12 text-fg-3">
        {hint}
      </span>
    </div>
  );
}

function Check({
  label,
  hint,
  checked,
  onChange,
}: {
  label: string;
  hint: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}): ReactNode {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={`${id}-hint`}
        className="mt-[3px] size-3.5 accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="[overflow-wrap:anywhere]">
          <UntrustedText text={label} />
        </label>
        <p id={`${id}-hint`} className="text-12 text-fg-3">
          {hint}
        </p>
      </div>
    </div>
  );
}
