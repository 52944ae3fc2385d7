"use client";

import { type ReactNode, useMemo, useState } from "react";
import { TEXT_PIECE_CHARS } from "@/lib/catalogue/limits";
import type { TextView } from "@/lib/views/turn";
import { LongText } from "./long-text";
import { formatPlural } from "./numbers";
import { cutText, type MarkedStretch, quotationMarks } from "./text-lines";
import { FoldBar, foldOf, type Gutter, Lines } from "./text-rows";
import { goneTo, isFindMark, type TextMark } from "./text-runs";
import { UntrustedText } from "./untrusted-text";

/** Quotations and matches to mark in a text, in the order in which they are seen where they overlap. */
export type BlockMarks = readonly MarkedStretch[];

/** Characters shown before a place at which a text is opened. */
const OPEN_BEFORE_CHARS = 2_000;

/**
 * Where the part of a text that is not here is opened, null while it is closed. Going to a match or a quotation inside it opens it there.
 */
function useOpenedAt(hidden: readonly TextMark[]): [number | null, (at: number | null) => void] {
  const [opened, setOpened] = useState<number | null>(null);
  const [seen, setSeen] = useState<number | null>(null);
  const current = goneTo(hidden)?.start ?? null;
  if (seen !== current) {
    setSeen(current);
    const isShown = opened !== null && current !== null && current >= opened && current < opened + TEXT_PIECE_CHARS;
    if (current !== null && !isShown) setOpened(Math.max(0, current - OPEN_BEFORE_CHARS));
  }
  return [opened, setOpened];
}

/** The quotation that stands first in the part that is not here. */
function hiddenQuotation(hidden: readonly TextMark[]): TextMark | undefined {
  return hidden.find((mark) => !isFindMark(mark));
}

/** What the bar of a part that is not shown says about matches in it. */
function hiddenMatches(hidden: readonly TextMark[]): string {
  // A match that goes over rows has a mark in each of them.
  const count = new Set(hidden.filter(isFindMark).map((mark) => mark.n)).size;
  return count === 0 ? "" : `, ${formatPlural(count, "match", "matches")}`;
}

/** Terminal text: numbered rows on the terminal ground, long ones folded with a count and a way to open. */
export function TerminalBlock({
  view,
  item,
  field,
  quotations,
  numbered = true,
  isWhole = false,
}: {
  view: TextView;
  item: string;
  field: "text" | "arguments";
  quotations: BlockMarks;
  numbered?: boolean;
  /** Every row that is here is shown, however many: another rule decides what is folded. */
  isWhole?: boolean;
}): ReactNode {
  const [unfolded, setUnfolded] = useState(false);
  const { marks, hidden } = useMemo(() => quotationMarks(view, quotations), [view, quotations]);
  const [opened, setOpened] = useOpenedAt(hidden);
  const cut = useMemo(() => cutText(view, marks), [view, marks]);
  const all = useMemo(() => [...cut.head, ...cut.tail], [cut]);
  if (view.totalChars === 0) return null;

  const gutter: Gutter = numbered ? "numbers" : null;
  const fold = unfolded || isWhole ? null : foldOf(all);
  const head = fold ? all.slice(0, fold.head) : cut.head;
  const tail = fold ? all.slice(fold.tail) : cut.tail;
  const foldedRows = fold ? all.slice(fold.head, fold.tail) : [];
  const foldedChars = foldedRows.reduce((sum, line) => sum + line.text.length + 1, 0);
  const omitted =
    view.omittedChars > 0
      ? `${formatPlural(view.omittedLines + foldedRows.length, "line")}, ${formatPlural(view.omittedChars + foldedChars, "character")} not shown${hiddenMatches([...hidden, ...foldedRows.flatMap((row) => row.marks)])}`
      : null;
  const firstHidden = hiddenQuotation(hidden);
  return (
    <div className="border-y border-line bg-term py-1 font-mono [font-variant-ligatures:none]">
      {opened !== 0 && <Lines lines={head} gutter={gutter} />}
      {fold && omitted === null && (
        <FoldBar
          words={`${formatPlural(foldedRows.length, "line")}${hiddenMatches(foldedRows.flatMap((row) => row.marks))}`}
          action="Show"
          onOpen={() => setUnfolded(true)}
        />
      )}
      {omitted !== null && opened === null && firstHidden && (
        <FoldBar
          words="A quotation stands in the part that is not shown"
          action="Open there"
          onOpen={() => setOpened(Math.max(0, firstHidden.start - OPEN_BEFORE_CHARS))}
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
          at={goneTo(hidden)?.start ?? null}
          onClose={() => setOpened(null)}
        />
      )}
      <Lines lines={tail} gutter={gutter} />
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
  quotations: BlockMarks;
}): ReactNode {
  const { marks, hidden } = useMemo(() => quotationMarks(view, quotations), [view, quotations]);
  const [opened, setOpened] = useOpenedAt(hidden);
  const tailStart = view.totalChars - view.tail.length;
  const tailMarks = marks
    .filter((mark) => mark.start >= tailStart)
    .map((mark) => ({ ...mark, start: mark.start - tailStart, end: mark.end - tailStart }));
  const headMarks = marks.filter((mark) => mark.end <= view.head.length);
  // Each paragraph runs in the direction of its own first letters.
  const prose = "max-w-[72ch] whitespace-pre-wrap text-pretty [overflow-wrap:anywhere] [unicode-bidi:plaintext]";
  const firstHidden = hiddenQuotation(hidden);
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
                  onOpen={() => setOpened(Math.max(0, firstHidden.start - OPEN_BEFORE_CHARS))}
                />
              )}
              <FoldBar
                words={`${formatPlural(view.omittedLines, "line")}, ${formatPlural(view.omittedChars, "character")} not shown${hiddenMatches(hidden)}`}
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
              at={goneTo(hidden)?.start ?? null}
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
