"use client";

import { UnfoldVertical } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { cn } from "@/components/ui/class-names";
import type { TextView } from "@/lib/views/turn";
import { LongText } from "./long-text";
import { formatCount, formatPlural } from "./numbers";
import { cutText, quotationMarks, type TextLine } from "./text-lines";
import type { TextMark } from "./text-runs";
import { UntrustedText } from "./untrusted-text";

/** Rows that stay when a text is folded. */
const HEAD_ROWS = 12;
const TAIL_ROWS = 8;
/** A text is folded only when that hides at least this many rows. */
const FOLD_LEAST = 6;

export interface BlockQuotation {
  start: number;
  end: number;
  text: string;
  kind: TextMark["kind"];
  n: number;
}

function Lines({ lines, numbered }: { lines: readonly TextLine[]; numbered: boolean }): ReactNode {
  return lines.map((line, i) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: rows are never reordered
      key={i}
      className={cn("grid pr-4 text-12 leading-4", numbered ? "grid-cols-[64px_minmax(0,1fr)]" : "pl-4")}
    >
      {numbered && (
        <span className="pr-3 text-right text-fg-3 select-none">{line.no === null ? "" : formatCount(line.no)}</span>
      )}
      <span className="min-h-4 whitespace-pre-wrap [overflow-wrap:anywhere]">
        <UntrustedText text={line.text} marks={line.marks} style={line.style} />
      </span>
    </div>
  ));
}

/** The bar that stands for what is not shown: how much, and a way to open it. */
export function FoldBar({
  words,
  action,
  onOpen,
}: {
  words: ReactNode;
  action: string;
  onOpen: () => void;
}): ReactNode {
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex h-6 w-full items-center gap-2 bg-bg-3 px-4 text-left font-sans text-12 text-fg-2 hover:text-fg"
    >
      <UnfoldVertical aria-hidden strokeWidth={1.75} className="size-3.5 shrink-0 text-fg-3" />
      <span className="truncate">{words}</span>
      <span className="ml-auto font-medium whitespace-nowrap text-accent">{action}</span>
    </button>
  );
}

/** Terminal text: numbered rows on the terminal ground, long ones folded with a count and a way to open. */
export function TerminalBlock({
  view,
  item,
  field,
  quotations,
  numbered = true,
}: {
  view: TextView;
  item: string;
  field: "text" | "arguments";
  quotations: readonly BlockQuotation[];
  numbered?: boolean;
}): ReactNode {
  const [unfolded, setUnfolded] = useState(false);
  const [opened, setOpened] = useState<number | null>(null);
  const { marks, hidden } = useMemo(() => quotationMarks(view, quotations), [view, quotations]);
  const cut = useMemo(() => cutText(view, marks), [view, marks]);
  const all = useMemo(() => [...cut.head, ...cut.tail], [cut]);
  if (view.totalChars === 0) return null;

  const foldable = all.length - HEAD_ROWS - TAIL_ROWS;
  // A quotation is never behind a fold.
  const quoted = all.some((line, i) => line.marks.length > 0 && i >= HEAD_ROWS && i < all.length - TAIL_ROWS);
  const isFolded = !unfolded && !quoted && foldable >= FOLD_LEAST;
  const head = isFolded ? all.slice(0, HEAD_ROWS) : cut.head;
  const tail = isFolded ? all.slice(-TAIL_ROWS) : cut.tail;
  const foldedRows = isFolded ? all.slice(HEAD_ROWS, -TAIL_ROWS) : [];
  const foldedChars = foldedRows.reduce((sum, line) => sum + line.text.length + 1, 0);
  const omitted =
    view.omittedChars > 0
      ? `${formatPlural(view.omittedLines + foldedRows.length, "line")}, ${formatPlural(view.omittedChars + foldedChars, "character")} not shown`
      : null;
  const firstHidden = hidden[0];
  return (
    <div className="border-y border-line bg-term py-1 font-mono [font-variant-ligatures:none]">
      {opened !== 0 && <Lines lines={head} numbered={numbered} />}
      {isFolded && omitted === null && (
        <FoldBar words={formatPlural(foldable, "line")} action="Show" onOpen={() => setUnfolded(true)} />
      )}
      {omitted !== null && opened === null && firstHidden && (
        <FoldBar
          words="A quotation stands in the part that is not shown"
          action="Open there"
          onOpen={() => setOpened(Math.max(0, firstHidden.start - 2_000))}
        />
      )}
      {omitted !== null && opened === null && <FoldBar words={omitted} action="Open" onOpen={() => setOpened(0)} />}
      {opened !== null && (
        <LongText
          key={opened}
          item={item}
          field={field}
          from={opened}
          totalChars={view.totalChars}
          marks={quotations}
          onClose={() => setOpened(null)}
        />
      )}
      <Lines lines={tail} numbered={numbered} />
    </div>
  );
}

/** Prose of a trace: as it was written, line breaks kept; long ones open in pieces. */
export function ProseBlock({
  view,
  item,
  quotations,
}: {
  view: TextView;
  item: string;
  quotations: readonly BlockQuotation[];
}): ReactNode {
  const [opened, setOpened] = useState<number | null>(null);
  const { marks, hidden } = useMemo(() => quotationMarks(view, quotations), [view, quotations]);
  const tailStart = view.totalChars - view.tail.length;
  const tailMarks = marks
    .filter((mark) => mark.start >= tailStart)
    .map((mark) => ({ ...mark, start: mark.start - tailStart, end: mark.end - tailStart }));
  const headMarks = marks.filter((mark) => mark.end <= view.head.length);
  const prose = "max-w-[72ch] whitespace-pre-wrap text-pretty [overflow-wrap:anywhere]";
  const firstHidden = hidden[0];
  return (
    <>
      <div className={prose}>
        <UntrustedText text={view.head.trimEnd()} marks={headMarks} prose />
      </div>
      {view.omittedChars > 0 && (
        <div className="-mx-4 my-1">
          {opened === null ? (
            <>
              {firstHidden && (
                <FoldBar
                  words="A quotation stands in the part that is not shown"
                  action="Open there"
                  onOpen={() => setOpened(Math.max(0, firstHidden.start - 2_000))}
                />
              )}
              <FoldBar
                words={`${formatPlural(view.omittedLines, "line")}, ${formatPlural(view.omittedChars, "character")} not shown`}
                action="Open"
                onOpen={() => setOpened(0)}
              />
            </>
          ) : (
            <LongText
              key={opened}
              item={item}
              field="text"
              from={opened}
              totalChars={view.totalChars}
              marks={quotations}
              onClose={() => setOpened(null)}
            />
          )}
        </div>
      )}
      {view.tail !== "" && (
        <div className={prose}>
          <UntrustedText text={view.tail.trimEnd()} marks={tailMarks} prose />
        </div>
      )}
    </>
  );
}
