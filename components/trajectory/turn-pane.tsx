"use client";

import { GitBranch, Link as LinkIcon } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { LinkButton } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { type TurnView, turnViewSchema } from "@/lib/views/turn";
import { Failed, Waiting } from "./answer-states";
import { type Answer, useAnswer } from "./answers";
import { flagWords } from "./flags";
import { FoldControl } from "./fold-control";
import { useForensics } from "./forensics-context";
import { ItemList } from "./item-view";
import { formatClock, formatDuration, formatTokens } from "./numbers";
import { turnPath } from "./paths";
import { askedQuotation } from "./quotations";
import { ScrollBox } from "./scroll-box";
import { showInside } from "./show-inside";
import { markIn, useShownMatch } from "./shown-mark";
import { FlagMark, TurnChip } from "./turn-link";
import { UntrustedText } from "./untrusted-text";

const SOURCE_STEPS_MAX = 3;

function Facts({ turn }: { turn: TurnView }): ReactNode {
  const { run } = useForensics();
  const tokens = (turn.usage?.inputTokens ?? 0) + (turn.usage?.cachedTokens ?? 0) + (turn.usage?.outputTokens ?? 0);
  const facts: ReactNode[] = [];
  if (turn.startedAt !== null) facts.push(<span key="at">{formatClock(turn.startedAt)}</span>);
  if (turn.durationMs !== null) facts.push(<span key="for">{formatDuration(turn.durationMs)}</span>);
  if (tokens > 0) facts.push(<span key="tokens">{formatTokens(tokens)} tokens</span>);
  if (run.agents.length > 1) facts.push(<span key="agent">{turn.agentName}</span>);
  if (turn.parentTurn !== null) {
    facts.push(
      <span key="parent" className="inline-flex items-center gap-1">
        started by <TurnChip turn={turn.parentTurn} />
      </span>,
    );
  }
  const steps = turn.sourceSteps.slice(0, SOURCE_STEPS_MAX);
  if (steps.length > 0) {
    const more = turn.sourceSteps.length - steps.length;
    facts.push(
      <span
        key="steps"
        title={`Numbers in the source: ${[...new Set(steps.map((step) => step.convention))].join(", ")}`}
      >
        source {steps.length === 1 ? "step" : "steps"} {steps.map((step) => step.step).join(", ")}
        {more > 0 && ` and ${more} more`}
      </span>,
    );
  }
  if (turn.branch !== null) {
    facts.push(
      <span key="branch" className="inline-flex items-center gap-1" title="A rewind left this turn behind.">
        <GitBranch aria-hidden strokeWidth={1.75} className="size-3" />
        abandoned branch
      </span>,
    );
  }
  if (facts.length === 0) facts.push(<span key="none">The trace gives no times or tokens for this turn.</span>);
  return (
    <div className="flex min-h-5 min-w-0 flex-1 flex-wrap items-center gap-x-3 text-12 leading-5 text-fg-3">
      {facts}
    </div>
  );
}

function TurnHead({ answer }: { answer: Answer<TurnView> }): ReactNode {
  const { run, turn, flags, address, go, copyLink } = useForensics();
  const flag = flags.get(turn);
  const view = answer.state === "here" ? answer.value : null;
  return (
    <header className="border-b border-line px-4 py-2">
      <div className="flex h-6 items-center gap-2">
        <h2 className="mono text-16 leading-6 font-semibold">#{turn + 1}</h2>
        {flag && (
          <span className="inline-flex shrink-0 items-center gap-1.5 font-medium whitespace-nowrap">
            <FlagMark flag={flag} label={null} />
            {flagWords(flag)}
          </span>
        )}
        <span
          className={flag ? "min-w-0 flex-1 truncate text-fg-3" : "min-w-0 flex-1 truncate font-medium"}
          title={view?.title}
        >
          {view && <UntrustedText text={view.title} />}
        </span>
        <IconButton small label={`Copy link to turn ${turn + 1}`} onClick={copyLink}>
          <LinkIcon aria-hidden strokeWidth={1.75} />
        </IconButton>
      </div>
      <div className="flex items-start gap-x-3">
        {view ? <Facts turn={view} /> : <div className="min-h-5 flex-1" />}
        {run.permissions.raw && address.view !== "raw" && (
          <LinkButton
            className="shrink-0 text-12 leading-6"
            onClick={() => go({ ...address, turn, view: "raw", context: null })}
          >
            Show raw
          </LinkButton>
        )}
      </div>
    </header>
  );
}

function omittedWords(turn: TurnView): string | null {
  const parts = [
    turn.omitted.items > 0 ? `${turn.omitted.items} items` : null,
    turn.omitted.writes > 0 ? `${turn.omitted.writes} writes` : null,
    turn.omitted.reads > 0 ? `${turn.omitted.reads} reads` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : `${parts.join(", ")} of this turn are not shown here; Show raw has the records.`;
}

/** The open turn: its head, then its items in the order of the trace. */
export function TurnPane(): ReactNode {
  const { answers, turn, address, quotations } = useForensics();
  const path = turnPath(turn);
  const answer = useAnswer(answers, path, turnViewSchema);
  const pane = useRef<HTMLElement>(null);
  const isHere = answer.state === "here";
  const { item, at } = address;
  const asked = askedQuotation(quotations, address);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn begins at its top
  useEffect(() => {
    if (!isHere) return;
    const box = pane.current;
    if (box) box.scrollTop = 0;
    if (item === null) return;
    const target = box?.querySelector(`[data-item="${CSS.escape(item)}"]`);
    showInside(markIn(target, asked) ?? target ?? null);
  }, [isHere, item, at, turn]);
  useShownMatch(pane, isHere);
  const omitted = isHere ? omittedWords(answer.value) : null;
  return (
    <ScrollBox
      ref={pane}
      label={`Turn ${turn + 1}`}
      turn={turn + 1}
      className="h-full overflow-y-auto narrow:h-auto narrow:overflow-visible"
    >
      <TurnHead answer={answer} />
      <FoldControl />
      {answer.state === "waiting" && <Waiting label={`Loading turn ${turn + 1}`} lines={12} />}
      {answer.state === "failed" && (
        <Failed message={answer.message} onRetry={() => answers.retry(path, turnViewSchema)} />
      )}
      {isHere && <ItemList turn={answer.value} />}
      {isHere && answer.value.items.length === 0 && (
        <p className="px-4 py-3 text-13 text-fg-3">This turn holds nothing but its frame.</p>
      )}
      {omitted !== null && (
        <p className="border-b border-dashed border-line-3 px-4 py-2 text-12 text-fg-2">{omitted}</p>
      )}
    </ScrollBox>
  );
}
