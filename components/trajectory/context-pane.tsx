"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { LinkButton } from "@/components/ui/button";
import { contextViewSchema } from "@/lib/views/turn";
import { ContextIcon, contextWord } from "./activity";
import { Failed, Waiting } from "./answer-states";
import { useAnswer } from "./answers";
import { useFind } from "./find-context";
import { useForensics } from "./forensics-context";
import { formatSize } from "./numbers";
import { contextPath } from "./paths";
import { askedQuotation, type PlacedQuotation, TASK_ITEM, withAsked } from "./quotations";
import { ScrollBox } from "./scroll-box";
import { showInside } from "./show-inside";
import { markIn, useShownMatch } from "./shown-mark";
import { ProseBlock } from "./text-block";

/** A context item opened in place of the turn. */
export function ContextPane({ n }: { n: number }): ReactNode {
  const { answers, run, address, go, quotations } = useForensics();
  const path = contextPath(n);
  const answer = useAnswer(answers, path, contextViewSchema);
  const { marksOf } = useFind();
  const pane = useRef<HTMLElement>(null);
  const isHere = answer.state === "here";
  useShownMatch(pane, isHere);
  const row = run.contexts.find((each) => each.n === n);
  const kind = isHere ? answer.value.contextKind : row?.contextKind;
  const { item, at } = address;
  const asked = askedQuotation(quotations, address);
  const isOf = (one: PlacedQuotation): boolean =>
    (isHere && one.item === answer.value.item) || (kind === "task" && one.item === TASK_ITEM);
  const own = withAsked(quotations.filter(isOf), asked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another quotation is gone to, though it may have no number
  useEffect(() => {
    if (isHere && item !== null) showInside(markIn(pane.current, asked));
  }, [isHere, item, at, n]);
  const chars = answer.state === "here" ? answer.value.text.totalChars : row?.sizeChars;
  return (
    <ScrollBox
      ref={pane}
      label={contextWord(kind ?? "")}
      className="h-full overflow-y-auto narrow:h-auto narrow:overflow-visible"
    >
      <header className="border-b border-line px-4 py-2">
        <div className="flex h-6 items-center gap-2">
          <ContextIcon aria-hidden strokeWidth={1.75} className="size-4 text-fg-3" />
          <h2 className="text-16 font-semibold">{contextWord(kind ?? "")}</h2>
          <span className="flex-1" />
          <LinkButton
            className="text-12"
            onClick={() => go({ ...address, context: null, item: null, at: null, match: null })}
          >
            Back to the turn
          </LinkButton>
        </div>
        <div className="text-12 leading-5 text-fg-3">
          {chars !== undefined && `${formatSize(chars)} characters, `}
          {row && row.beforeTurn < run.strip.turns ? `before #${row.beforeTurn + 1}` : "at the end"}
          {answer.state === "here" && `, by ${answer.value.author.name ?? answer.value.author.role}`}
        </div>
      </header>
      {answer.state === "waiting" && <Waiting label="Loading" />}
      {answer.state === "failed" && (
        <Failed message={answer.message} onRetry={() => answers.retry(path, contextViewSchema)} />
      )}
      {answer.state === "here" && (
        <div className="border-b border-line px-4 py-2">
          <ProseBlock
            view={answer.value.text}
            item={answer.value.item}
            quotations={[...marksOf(answer.value.item, "text"), ...own]}
          />
        </div>
      )}
    </ScrollBox>
  );
}
