"use client";

import { ChevronDown } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { changeBetween, EMPTY_DRAFT, type GivenDraft, saysSomething } from "@/components/failure/given-draft";
import { GivenTextField } from "@/components/failure/given-text-field";
import { KNOWN_HINTS, KNOWN_NAMES } from "@/components/failure/known-names";
import { formatPlural } from "@/components/trajectory/numbers";
import { Button, LinkButton } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { KNOWN_TEXTS } from "@/lib/views/failure";

const PANEL = "upload-failure";

/** Opens and closes what is known about the failure of the files that are sent next; counts what stands there. */
export function FailureTrigger({
  draft,
  isOpen,
  onToggle,
}: {
  draft: GivenDraft;
  isOpen: boolean;
  onToggle: () => void;
}): ReactNode {
  const count = Object.keys(changeBetween(EMPTY_DRAFT, draft)).length;
  return (
    <Button
      size="small"
      look="ghost"
      aria-expanded={isOpen}
      aria-controls={PANEL}
      onClick={onToggle}
      className="narrow:order-last narrow:-ml-2"
    >
      What is known about the failure
      {count > 0 && <span className="text-accent">{formatPlural(count, "part")}</span>}
      <ChevronDown aria-hidden strokeWidth={1.75} className={cn(isOpen && "rotate-180")} />
    </Button>
  );
}

/** The fields for it. They go with the next files and are empty then. */
export function FailurePanel({
  draft,
  problem,
  onChange,
}: {
  draft: GivenDraft;
  /** Why nothing was sent; null when nothing stands in the way. */
  problem: string | null;
  onChange: (draft: GivenDraft) => void;
}): ReactNode {
  const isFilled = saysSomething(changeBetween(EMPTY_DRAFT, draft));
  useEffect(() => {
    if (!isFilled) return;
    const onBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", onBeforeUnload);
    return () => window.removeEventListener("beforeunload", onBeforeUnload);
  }, [isFilled]);
  return (
    <section
      id={PANEL}
      aria-label="What is known about the failure"
      className="mx-4 mb-3 max-h-[48vh] overflow-auto rounded-6 border border-line-2 bg-bg p-3 narrow:max-h-none"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-3">
        <SegmentedControl
          label="Outcome"
          segments={[
            { value: "own", label: "As the trace says" },
            { value: "failed", label: "Failed" },
            { value: "resolved", label: "Resolved" },
          ]}
          value={draft.outcome ?? "own"}
          onChange={(outcome) => onChange({ ...draft, outcome: outcome === "own" ? null : outcome })}
        />
        <p className="min-w-0 flex-1 text-12 text-fg-2 narrow:basis-full">
          Goes with each of the files that you send next, before what they say themselves. A file that holds several
          trajectories takes none of it.
        </p>
        {isFilled && <LinkButton onClick={() => onChange(EMPTY_DRAFT)}>Clear</LinkButton>}
      </div>
      {problem !== null && (
        <p role="alert" className="pb-3 text-13 font-medium">
          {problem}
        </p>
      )}
      <div className="grid grid-cols-2 gap-x-4 gap-y-3 narrow:grid-cols-1">
        {KNOWN_TEXTS.map((what) => (
          <GivenTextField
            key={what}
            name={KNOWN_NAMES[what]}
            hint={KNOWN_HINTS[what]}
            value={draft.texts[what]}
            onChange={(text) => onChange({ ...draft, texts: { ...draft.texts, [what]: text } })}
          />
        ))}
      </div>
    </section>
  );
}
