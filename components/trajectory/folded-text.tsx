"use client";

import { FoldVertical, UnfoldVertical } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { TEXT_PIECE_CHARS } from "@/lib/catalogue/limits";
import { useForensics } from "./forensics-context";
import { LongText } from "./long-text";
import { formatPlural } from "./numbers";
import type { BlockMarks } from "./text-block";
import {
  type FoldedSegment,
  foldedReason,
  foldedSentence,
  foldedWords,
  keptReason,
  marksIn,
  type Segment,
  segmentMarks,
} from "./text-folds";
import { textLines } from "./text-lines";
import { Lines } from "./text-rows";
import { goneTo, isFindMark, type TextMark } from "./text-runs";

/** Characters shown before a place at which a folded part is opened. */
const OPEN_BEFORE_CHARS = 2_000;

/**
 * An observation folded: the parts that stay with the numbers of their lines, and between them bars that say how much is
 * folded and why, each opened and closed in its place.
 *
 * The one way to open a fold at an offset is to give this block a mark there: of kind `find-current`, or a quotation of an
 * item that the address asks for (`item=`). The fold around it opens by itself, and opens again when the mark moves; a
 * quotation in a fold whose text is on the page opens it in any case. `show-inside.ts` then finds the `mark` element.
 */
export function FoldedBlock({
  item,
  totalChars,
  segments,
  quotations,
}: {
  item: string;
  totalChars: number;
  segments: readonly Segment[];
  quotations: BlockMarks;
}): ReactNode {
  const { address } = useForensics();
  const marks = useMemo(() => segmentMarks(segments, quotations), [segments, quotations]);
  const isAsked = address.item === item;
  return (
    <div className="border-y border-line bg-term py-1 font-mono [font-variant-ligatures:none]">
      {segments.map((segment, i) => {
        const own = marksIn(marks, segment);
        if (segment.kind === "kept")
          return <Rows key={segment.start} segment={segment} text={segment.text} marks={own} />;
        const next = segments[i + 1];
        return (
          <Fold
            key={segment.start}
            item={item}
            totalChars={totalChars}
            segment={segment}
            marks={own}
            isAsked={isAsked}
            next={next?.kind === "kept" ? keptReason(next) : null}
          />
        );
      })}
    </div>
  );
}

function Rows({ segment, text, marks }: { segment: Segment; text: string; marks: readonly TextMark[] }): ReactNode {
  // The line break at the end of a part makes no row of its own.
  const shown = text.endsWith("\n") ? text.slice(0, -1) : text;
  const { lines } = textLines(shown, { start: segment.start, firstLine: segment.line, marks });
  return <Lines lines={lines} gutter="numbers" />;
}

function Fold({
  item,
  totalChars,
  segment,
  marks,
  isAsked,
  next,
}: {
  item: string;
  totalChars: number;
  segment: FoldedSegment;
  marks: readonly TextMark[];
  isAsked: boolean;
  /** Why the part after it stays. */
  next: string | null;
}): ReactNode {
  const current = goneTo(marks);
  const quotation = marks.find((mark) => !isFindMark(mark)) ?? null;
  const target = current ?? quotation;
  const opensItself = current !== null || (quotation !== null && (segment.text !== null || isAsked));
  const [chosen, choose] = useState<boolean | null>(null);
  const [from, setFrom] = useState(() => placeBefore(segment, target));
  const [seen, setSeen] = useState(current?.start ?? null);
  if (seen !== (current?.start ?? null)) {
    setSeen(current?.start ?? null);
    if (current !== null) {
      choose(true);
      if (current.start < from || current.start >= from + TEXT_PIECE_CHARS) setFrom(placeBefore(segment, current));
    }
  }
  const isOpen = chosen ?? opensItself;
  const matches = marks.filter(isFindMark).length;
  const inIt = [
    quotation !== null && !isOpen ? "evidence in it" : null,
    matches > 0 ? formatPlural(matches, "match", "matches") : null,
  ].filter((words) => words !== null);
  const toggle = (): void => {
    if (!isOpen) setFrom(placeBefore(segment, target));
    choose(!isOpen);
  };
  return (
    <>
      <FoldedBar segment={segment} isOpen={isOpen} inIt={inIt} next={next} onToggle={toggle} />
      {isOpen && segment.text !== null && <Rows segment={segment} text={segment.text} marks={marks} />}
      {isOpen && segment.text === null && (
        <LongText
          key={from}
          item={item}
          field="text"
          from={from}
          to={segment.end}
          firstLine={from === segment.start ? segment.line : null}
          totalChars={totalChars}
          marks={marks}
          at={target?.start ?? null}
        />
      )}
    </>
  );
}

function placeBefore(segment: FoldedSegment, mark: TextMark | null): number {
  return mark === null ? segment.start : Math.max(segment.start, mark.start - OPEN_BEFORE_CHARS);
}

function FoldedBar({
  segment,
  isOpen,
  inIt,
  next,
  onToggle,
}: {
  segment: FoldedSegment;
  isOpen: boolean;
  inIt: readonly string[];
  next: string | null;
  onToggle: () => void;
}): ReactNode {
  const { run } = useForensics();
  const Icon = isOpen ? FoldVertical : UnfoldVertical;
  const words = foldedWords(segment);
  const sentence = foldedSentence(segment, run.folding?.tauChars ?? 0);
  const lines = segment.lines > 1 ? `Lines ${segment.line} to ${segment.lastLine}: ` : "";
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      title={`${lines}${words}. ${sentence}${next === null ? "" : ` What follows stays: ${next}.`}`}
      className="group flex min-h-6 w-full items-center gap-2 bg-bg-3 px-4 text-left font-sans text-12 text-fg-2 hover:text-fg narrow:min-h-11"
    >
      <Icon aria-hidden strokeWidth={1.75} className="size-3.5 shrink-0 text-fg-3" />
      <span className="min-w-0 flex-1 truncate narrow:py-1 narrow:whitespace-normal">
        {words}
        <span className="text-fg-3">
          {" "}
          {isOpen ? "opened" : "folded"}, {[...inIt, foldedReason(segment)].join(", ")}
        </span>
      </span>
      <span className="font-medium whitespace-nowrap text-accent group-hover:underline">
        {isOpen ? "Close" : "Open"}
      </span>
    </button>
  );
}
