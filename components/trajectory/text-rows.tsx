"use client";

import { UnfoldVertical } from "lucide-react";
import { type ReactNode, useState } from "react";
import { cn } from "@/components/ui/class-names";
import { formatCount, formatPlural } from "./numbers";
import type { TextLine } from "./text-lines";
import { UntrustedText } from "./untrusted-text";

/** Rows that stay when a text is folded. */
const HEAD_ROWS = 12;
const TAIL_ROWS = 8;
/** A text is folded only when that hides at least this many rows. */
const FOLD_LEAST = 6;

/** What stands before each row: its number, the sign of its side of an edit, or nothing. */
export type Gutter = "numbers" | "old" | "new" | null;

const SIGNS = { old: { sign: "−", look: "text-del-fg" }, new: { sign: "+", look: "text-add-fg" } } as const;

function GutterCell({ gutter, line }: { gutter: Gutter; line: TextLine }): ReactNode {
  if (gutter === null) return null;
  if (gutter === "numbers") {
    return (
      <span className="pr-3 text-right text-fg-3 select-none">{line.no === null ? "" : formatCount(line.no)}</span>
    );
  }
  return (
    <span aria-hidden className={cn("select-none", SIGNS[gutter].look)}>
      {line.no === null ? "" : SIGNS[gutter].sign}
    </span>
  );
}

/** Rows of text, wrapped, each with its gutter. `literal` text is no terminal's: it keeps its escape characters. */
export function Lines({
  lines,
  gutter,
  literal = false,
}: {
  lines: readonly TextLine[];
  gutter: Gutter;
  literal?: boolean;
}): ReactNode {
  return lines.map((line, i) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: rows are never reordered
      key={i}
      className={cn(
        "pr-4 text-12 leading-4",
        gutter === "numbers" && "grid grid-cols-[64px_minmax(0,1fr)]",
        gutter !== "numbers" && "pl-4",
        (gutter === "old" || gutter === "new") && "grid grid-cols-[16px_minmax(0,1fr)]",
      )}
    >
      <GutterCell gutter={gutter} line={line} />
      <span className="block min-h-4 whitespace-pre-wrap [overflow-wrap:anywhere] [tab-size:4]">
        <UntrustedText text={line.text} marks={line.marks} style={line.style} literal={literal} />
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
      className="flex h-6 w-full items-center gap-2 bg-bg-3 narrow:h-10 px-4 text-left font-sans text-12 text-fg-2 hover:text-fg"
    >
      <UnfoldVertical aria-hidden strokeWidth={1.75} className="size-3.5 shrink-0 text-fg-3" />
      <span className="truncate">{words}</span>
      <span className="ml-auto font-medium whitespace-nowrap text-accent">{action}</span>
    </button>
  );
}

/** Where a text of many rows is folded, or null when it is short, or a quotation or the open match stands in the middle. */
export function foldOf(lines: readonly TextLine[]): { head: number; tail: number } | null {
  const tail = lines.length - TAIL_ROWS;
  if (tail - HEAD_ROWS < FOLD_LEAST) return null;
  const isShown = lines.slice(HEAD_ROWS, tail).some((line) => line.marks.some((mark) => mark.kind !== "find"));
  return isShown ? null : { head: HEAD_ROWS, tail };
}

/** Rows that are all here, the middle of many folded until somebody asks for it. */
export function FoldedLines({
  lines,
  gutter,
  literal,
}: {
  lines: readonly TextLine[];
  gutter: Gutter;
  literal?: boolean;
}): ReactNode {
  const [isUnfolded, setUnfolded] = useState(false);
  const fold = isUnfolded ? null : foldOf(lines);
  if (fold === null) return <Lines lines={lines} gutter={gutter} literal={literal} />;
  return (
    <>
      <Lines lines={lines.slice(0, fold.head)} gutter={gutter} literal={literal} />
      <FoldBar words={formatPlural(fold.tail - fold.head, "line")} action="Show" onOpen={() => setUnfolded(true)} />
      <Lines lines={lines.slice(fold.tail)} gutter={gutter} literal={literal} />
    </>
  );
}
