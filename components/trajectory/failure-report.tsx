"use client";

import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { KNOWN_NAMES } from "@/components/failure/known-names";
import { Mark } from "@/components/marks/mark";
import { LinkButton } from "@/components/ui/button";
import { type FailureView, failurePieceSchema, type KnownTextView } from "@/lib/views/failure";
import { fetchJson } from "./answers";
import { saidBy } from "./failure-words";
import { formatPlural } from "./numbers";
import { ScrollBox } from "./scroll-box";
import { showInside } from "./show-inside";
import type { TextMark } from "./text-runs";
import { TurnChip } from "./turn-link";
import { UntrustedText } from "./untrusted-text";

/** Words that are quoted from one of the texts, and where they begin there, in UTF-16 units. */
export interface QuotedText {
  what: KnownTextView["what"];
  start: number;
  text: string;
}

const OUTCOMES: Record<FailureView["outcome"]["value"], string> = {
  failed: "The run failed",
  resolved: "The task was resolved",
  unknown: "How the run ended is not known",
};

/** What is known of how a run ended: the outcome, the texts with who said each, checks, and labels of others. */
export function FailureReport({
  failure,
  api,
  quoted,
  action,
}: {
  failure: FailureView;
  api: string;
  quoted: QuotedText | null;
  /** What can be done about it, beside the outcome. */
  action: ReactNode;
}): ReactNode {
  const known = failure.texts.filter(({ source }) => source !== null);
  const missing = failure.texts.filter(({ source }) => source === null);
  const { outcome } = failure;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-start justify-between gap-3">
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
          <p className="text-13 font-medium">{OUTCOMES[outcome.value]}</p>
          <Source said={outcome} />
          {outcome.source === "person" && outcome.own !== "unknown" && outcome.own !== outcome.value && (
            <p className="text-12 text-fg-2">
              The trace says that it {outcome.own === "failed" ? "failed" : "succeeded"}.
            </p>
          )}
        </div>
        {action}
      </div>
      {failure.labels.length > 0 && <Labels labels={failure.labels} />}
      {failure.checks.length > 0 && <Checks failure={failure} />}
      {known.map((text) => (
        <KnownText key={text.what} known={text} api={api} quoted={quoted?.what === text.what ? quoted : null} />
      ))}
      {missing.length > 0 && (
        <p className="text-12 text-fg-3">
          Not known: {missing.map(({ what }) => KNOWN_NAMES[what].toLowerCase()).join(", ")}.
        </p>
      )}
      {failure.foundAt.length > 0 && (
        <section>
          <Heading>Where in the upload this stands</Heading>
          <ul className="mt-1 text-12 text-fg-2">
            {failure.foundAt.map(({ what, where }) => (
              <li key={`${what} ${where}`} className="[overflow-wrap:anywhere]">
                {what.replaceAll("_", " ")}:{" "}
                <code>
                  <UntrustedText text={where} />
                </code>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Who said a part; of the trace, where in the upload. */
function Source({ said }: { said: FailureView["outcome"] | KnownTextView }): ReactNode {
  if (said.source === null) return null;
  return (
    <span className="text-12 font-normal text-fg-3 [overflow-wrap:anywhere]">
      <UntrustedText text={saidBy(said)} />
      {said.places.map((place) => (
        <span key={place}>
          {" "}
          <code className="mono">
            <UntrustedText text={place} />
          </code>
        </span>
      ))}
    </span>
  );
}

function KnownText({
  known,
  api,
  quoted,
}: {
  known: KnownTextView;
  api: string;
  quoted: QuotedText | null;
}): ReactNode {
  const [more, setMore] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const box = useRef<HTMLElement>(null);
  const text = known.text + more;
  const left = known.totalChars - text.length;
  const marks = useMemo(() => (quoted === null ? [] : quotedMarks(text, quoted)), [text, quoted]);
  const isMarked = marks.length > 0;
  useEffect(() => {
    if (!isMarked) return;
    showInside(box.current);
    showInside(box.current?.querySelector("mark") ?? null);
  }, [isMarked]);
  const showMore = async () => {
    try {
      const address = `${api}/failure/text?what=${known.what}&offset=${text.length}`;
      const piece = await fetchJson(address, failurePieceSchema);
      setMore(more + piece.text);
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The rest could not be read.");
    }
  };
  // The quoted words stand further on: the text is read until they are there.
  const isSought = quoted !== null && !isMarked && left > 0 && problem === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each piece that came
  useEffect(() => {
    if (isSought) void showMore();
  }, [isSought, more]);
  return (
    <section>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 border-b border-line pb-1">
        <h3 className="text-12 font-medium text-fg-2">{KNOWN_NAMES[known.what]}</h3>
        <Source said={known} />
      </div>
      <ScrollBox
        ref={box}
        label={KNOWN_NAMES[known.what]}
        className="mt-2 max-h-72 overflow-auto rounded-4 bg-bg-2 p-2"
      >
        <pre className="mono text-12 whitespace-pre-wrap [overflow-wrap:anywhere]">
          <UntrustedText text={text} marks={marks} />
        </pre>
      </ScrollBox>
      {known.source === "person" && known.ownChars !== null && (
        <p className="mt-1 text-12 text-fg-3">
          It stands before the trace&apos;s own, of {formatPlural(known.ownChars, "character")}.
        </p>
      )}
      {left > 0 && (
        <p className="mt-1 flex gap-3 text-12 text-fg-2">
          {formatPlural(left, "more character")}
          <LinkButton onClick={() => void showMore()}>Show more</LinkButton>
        </p>
      )}
      {problem !== null && (
        <p role="alert" className="mt-1 text-12">
          {problem}
        </p>
      )}
    </section>
  );
}

function quotedMarks(text: string, { start, text: words }: QuotedText): TextMark[] {
  const at = text.startsWith(words, start) ? start : text.indexOf(words);
  return at < 0 ? [] : [{ start: at, end: at + words.length, kind: "candidate", n: 1 }];
}

function Heading({ children }: { children: ReactNode }): ReactNode {
  return <h3 className="border-b border-line pb-1 text-12 font-medium text-fg-2">{children}</h3>;
}

function Labels({ labels }: Pick<FailureView, "labels">): ReactNode {
  return (
    <section>
      <Heading>Where others say it went wrong</Heading>
      <ul>
        {labels.map(({ kind, step, convention, agent, reason, definition, origin, turns }) => (
          <li
            key={`${kind} ${convention} ${step} ${reason}`}
            className="border-b border-line py-2 text-13 last:border-b-0"
          >
            <p className="flex flex-wrap items-center gap-2">
              {turns.length === 0 ? (
                <span className="text-fg-2">on no turn</span>
              ) : (
                turns.map((turn) => <TurnChip key={turn} turn={turn} />)
              )}
              <span className="text-fg-2 [overflow-wrap:anywhere]">
                <UntrustedText text={`${kind}, ${convention} ${step}${agent === null ? "" : `, ${agent}`}`} />
              </span>
            </p>
            {reason !== null && (
              <p className="mt-1 [overflow-wrap:anywhere]">
                <UntrustedText text={reason} />
              </p>
            )}
            {definition !== undefined && (
              <p className="mt-1 text-12 text-fg-3 [overflow-wrap:anywhere]">
                <UntrustedText text={`${definition.text} (${definition.source})`} />
              </p>
            )}
            {origin !== undefined && (
              <p className="mt-1 text-12 text-fg-3 [overflow-wrap:anywhere]">
                <UntrustedText text={`Labelled by: ${origin}`} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Checks({ failure }: { failure: FailureView }): ReactNode {
  // What failed is what somebody looks for.
  const sorted = failure.checks.toSorted((a, b) => rank(a.passed) - rank(b.passed));
  return (
    <section>
      <Heading>Checks</Heading>
      <ul>
        {sorted.map(({ name, passed, detail }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and names may repeat
          <li key={n} className="flex items-baseline gap-2 border-b border-line py-1 text-13 last:border-b-0">
            <Mark
              kind={passed === false ? "failed" : passed === true ? "resolved" : "unknownOutcome"}
              label={passed === false ? "failed" : passed === true ? "passed" : "not said"}
            />
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <UntrustedText text={name} />
            </span>
            {detail !== null && (
              <span className="mono text-12 text-fg-2 [overflow-wrap:anywhere]">
                <UntrustedText text={detail} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {failure.omittedChecks > 0 && (
        <p className="mt-1 text-12 text-fg-2">{formatPlural(failure.omittedChecks, "more check")} in the upload.</p>
      )}
    </section>
  );
}

function rank(passed: boolean | null): number {
  if (passed === false) return 0;
  return passed === null ? 1 : 2;
}
