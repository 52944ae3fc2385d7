"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { changeBetween, type GivenDraft, oversized, saysSomething } from "@/components/failure/given-draft";
import { GivenTextField } from "@/components/failure/given-text-field";
import { KNOWN_HINTS, KNOWN_NAMES } from "@/components/failure/known-names";
import { Button, LinkButton } from "@/components/ui/button";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { GIVEN_TEXT_MAX_BYTES } from "@/lib/catalogue/limits";
import {
  type FailureView,
  failureViewSchema,
  type GivenAnswer,
  givenAnswerSchema,
  type KnownTextView,
} from "@/lib/views/failure";
import { AnswerError, fetchJson } from "./answers";
import { type GivenPart, readDraft, rebase, seenOf } from "./failure-draft";
import { saidBy } from "./failure-words";
import { formatPlural } from "./numbers";
import { ScrollBox } from "./scroll-box";
import { UntrustedText } from "./untrusted-text";

/** The status of an answer that refuses a change because something else was changed before. */
const CONFLICT = 409;

const OUTCOME_WORDS = { failed: "Failed", resolved: "Resolved" } as const;

const OWN_WORDS: Record<FailureView["outcome"]["own"], string> = {
  failed: "As the trace says: failed",
  resolved: "As the trace says: resolved",
  unknown: "Not known",
};

/** Where a person says or takes back what is known of how the run ended. Nothing is kept before it is saved. */
export function FailureEditor({
  api,
  failure: firstFailure,
  before: firstBefore,
  isLeaving,
  onLeave,
  onStay,
  onDirty,
  onSaved,
  onClose,
}: {
  api: string;
  failure: FailureView;
  /** What a person gave until now, whole. */
  before: GivenDraft;
  /** Somebody wants to leave while something is not saved: asks what to do with it. */
  isLeaving: boolean;
  onLeave: () => void;
  onStay: () => void;
  onDirty: (isDirty: boolean) => void;
  onSaved: (answer: GivenAnswer) => void;
  /** Leaves without saving. */
  onClose: () => void;
}): ReactNode {
  // What others say while this is open takes the place of what was there at first.
  const [known, setKnown] = useState({ failure: firstFailure, before: firstBefore });
  const [both, setBoth] = useState<readonly GivenPart[]>([]);
  const { failure, before } = known;
  const [draft, setDraft] = useState(before);
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const change = changeBetween(before, draft);
  const isDirty = saysSomething(change);
  const [tooLarge] = oversized(draft);
  useEffect(() => {
    // The report may have been scrolled; the fields begin at their beginning.
    if (form.current?.parentElement) form.current.parentElement.scrollTop = 0;
    form.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => onDirty(isDirty), [onDirty, isDirty]);
  useEffect(() => {
    if (!isDirty) return;
    const onBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", onBeforeUnload);
    return () => window.removeEventListener("beforeunload", onBeforeUnload);
  }, [isDirty]);

  const save = async () => {
    if (!isDirty || isSaving || tooLarge !== undefined) return;
    setSaving(true);
    setProblem(null);
    onStay();
    try {
      const answer = await fetchJson(`${api}/failure`, givenAnswerSchema, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...change, seen: seenOf(failure) }),
      });
      onSaved(answer);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "It could not be saved.");
      if (error instanceof AnswerError && error.status === CONFLICT) await takeIn();
      setSaving(false);
    }
  };
  /** Reads what somebody else said meanwhile, and puts it beside what is written here. */
  const takeIn = async () => {
    try {
      const now = await fetchJson(`${api}/failure`, failureViewSchema);
      const read = { failure: now, before: await readDraft(api, now) };
      const rebased = rebase(draft, known, read);
      setKnown(read);
      setDraft(rebased.draft);
      setBoth(rebased.both);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "What others said could not be read.");
    }
  };
  const takeTheirs = (part: GivenPart) => {
    setDraft((now) =>
      part === "outcome"
        ? { ...now, outcome: before.outcome }
        : { ...now, texts: { ...now.texts, [part]: before.texts[part] } },
    );
    setBoth((parts) => parts.filter((one) => one !== part));
  };
  const setText = (what: KnownTextView["what"], text: string) =>
    setDraft((now) => ({ ...now, texts: { ...now.texts, [what]: text } }));

  return (
    <form
      ref={form}
      tabIndex={-1}
      aria-label="What is known of how the run ended"
      className="flex flex-col gap-4 outline-none"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void save();
      }}
    >
      <div className="flex flex-col gap-1">
        <span className="text-13 font-medium">Outcome</span>
        <SegmentedControl
          label="Outcome"
          className="self-start"
          segments={[
            { value: "own", label: OWN_WORDS[failure.outcome.own], disabled: isSaving },
            { value: "failed", label: "Failed", disabled: isSaving },
            { value: "resolved", label: "Resolved", disabled: isSaving },
          ]}
          value={draft.outcome ?? "own"}
          onChange={(outcome) => setDraft({ ...draft, outcome: outcome === "own" ? null : outcome })}
        />
        <span className="text-12 text-fg-3">
          {draft.outcome === before.outcome
            ? saidBy(failure.outcome.source === "person" ? failure.outcome : { source: null, by: null, at: null })
            : "The run is read again with it: the verdict of the structural rule hangs on the outcome."}
        </span>
        {both.includes("outcome") && (
          <Theirs
            said={failure.outcome}
            text={before.outcome === null ? "" : OUTCOME_WORDS[before.outcome]}
            onTake={() => takeTheirs("outcome")}
          />
        )}
      </div>
      {failure.texts.map((text) => (
        <div key={text.what} className="grid gap-1">
          <GivenTextField
            name={KNOWN_NAMES[text.what]}
            grows
            value={draft.texts[text.what]}
            disabled={isSaving}
            onChange={(value) => setText(text.what, value)}
            hint={
              both.includes(text.what) ? (
                KNOWN_HINTS[text.what]
              ) : (
                <TextHint
                  text={text}
                  isEmpty={draft.texts[text.what].trim() === ""}
                  onStartFrom={(own) => setText(text.what, own)}
                />
              )
            }
          />
          {both.includes(text.what) && (
            <Theirs said={text} text={before.texts[text.what]} onTake={() => takeTheirs(text.what)} />
          )}
        </div>
      ))}
      <div className="sticky -bottom-4 -mx-4 -mb-4 flex min-h-12 flex-wrap items-center gap-2 rounded-b-6 border-t border-line bg-float px-4 py-2">
        {isLeaving ? (
          <>
            <span role="alert" className="min-w-0 flex-1 text-13 font-medium narrow:basis-full">
              This is not saved yet.
            </span>
            <Button onClick={onStay}>Keep editing</Button>
            <Button onClick={onClose}>Discard it</Button>
          </>
        ) : (
          <>
            <span
              className="min-w-0 flex-1 text-12 text-fg-2 narrow:basis-full narrow:empty:hidden"
              role={problem === null ? "status" : "alert"}
            >
              {problem ?? (tooLarge === undefined ? "" : `${KNOWN_NAMES[tooLarge]} is larger than it may be.`)}
            </span>
            <Button onClick={isDirty ? onLeave : onClose} disabled={isSaving} className="narrow:ml-auto">
              Cancel
            </Button>
          </>
        )}
        <Button type="submit" look="primary" disabled={!isDirty || isSaving || tooLarge !== undefined}>
          {isSaving ? "Saving" : "Save"}
        </Button>
      </div>
    </form>
  );
}

/** What somebody else gave while this was written: both are kept until one of them is chosen. */
function Theirs({
  said,
  text,
  onTake,
}: {
  said: Pick<KnownTextView, "source" | "by" | "at">;
  /** Empty when it was taken back. */
  text: string;
  onTake: () => void;
}): ReactNode {
  return (
    <div className="rounded-6 border border-dashed border-line-3 px-2 py-1.5 text-12">
      <p className="flex flex-wrap gap-x-3 text-fg-2">
        <span className="min-w-0 flex-1">
          {text === "" ? "Somebody took it back meanwhile." : <UntrustedText text={`Meanwhile ${saidBy(said)}:`} />}
        </span>
        <LinkButton onClick={onTake}>{text === "" ? "Take it back too" : "Take this one"}</LinkButton>
      </p>
      {text !== "" && (
        <ScrollBox label="What was given meanwhile" className="mt-1 max-h-40 overflow-y-auto">
          <pre className="mono whitespace-pre-wrap [overflow-wrap:anywhere]">
            <UntrustedText text={text} />
          </pre>
        </ScrollBox>
      )}
      <p className="text-fg-3">Saved now, yours takes its place.</p>
    </div>
  );
}

/** What belongs into a field, and what counts while it is empty. */
function TextHint({
  text,
  isEmpty,
  onStartFrom,
}: {
  text: KnownTextView;
  isEmpty: boolean;
  onStartFrom: (own: string) => void;
}): ReactNode {
  const { ownChars, source } = text;
  if (ownChars === null) return source === "person" && !isEmpty ? saidBy(text) : KNOWN_HINTS[text.what];
  const own = formatPlural(ownChars, "character");
  if (!isEmpty) return `It goes before the trace's own, of ${own}. Emptied, the trace's counts again.`;
  const canStart = source === "trace" && text.text.length === text.totalChars && ownChars < GIVEN_TEXT_MAX_BYTES / 3;
  return (
    <>
      The trace&apos;s own counts, of {own}.{" "}
      {canStart && (
        <LinkButton className="font-normal" onClick={() => onStartFrom(text.text)}>
          Start from it
        </LinkButton>
      )}
    </>
  );
}
