"use client";

import { UnfoldVertical } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { Mark } from "@/components/marks/mark";
import { formatCount, formatPlural } from "@/components/trajectory/numbers";
import { showInside } from "@/components/trajectory/show-inside";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { cn } from "@/components/ui/class-names";
import type { CodeView, Side } from "@/lib/views/code";
import { type CodeRow, codeRows, drawnRows, firstStretch, type LineBlame } from "./code-rows";
import { codeTokens } from "./code-tokens";
import type { LineChanges } from "./line-changes";

/** Rows drawn at first, and with each opening of a bar. */
const FIRST_ROWS = 300;
const MORE_ROWS = 1_000;
/** Characters of one line that are drawn; the rest is counted. */
const LINE_MAX_CHARS = 2_000;

const TOKEN: Record<string, string> = {
  keyword: "font-semibold text-code-key",
  string: "text-code-str",
  comment: "text-code-com",
};

/** What the blame column says about a run. */
export function blameLabel(turn: number | null, isUncertain: boolean): string {
  if (isUncertain) return "?";
  return turn === null ? "base" : `#${turn + 1}`;
}

function Blame({
  blame,
  turn,
  pointed,
}: {
  blame: LineBlame | null;
  turn: number;
  pointed: PointedLine["by"] | null;
}): ReactNode {
  const isOpenTurn = blame?.turn === turn;
  const look = "relative border-r border-line bg-bg-2 pr-1.5 text-right text-fg-3 select-none";
  if (blame === null) return <span className={look} />;
  const words = blame.isUncertain
    ? "It cannot be said who wrote these lines"
    : blame.turn === null
      ? "Was there before the run"
      : `Written at turn ${blame.turn + 1}`;
  return (
    <span className={cn(look, isOpenTurn && "font-medium text-accent")} title={words}>
      {(pointed === "decisive" || pointed === "candidate") && (
        <Mark kind={pointed} size={10} className="absolute top-[5px] left-0.5" />
      )}
      {blame.isFirst ? (
        blameLabel(blame.turn, blame.isUncertain)
      ) : (
        <span
          aria-hidden
          className={cn(
            "absolute inset-y-0 right-3 border-l border-line-2",
            isOpenTurn && "border-accent-line",
            blame.isUncertain && "border-dashed border-line-3",
          )}
        />
      )}
    </span>
  );
}

function Words({ text, language }: { text: string; language: string }): ReactNode {
  const shown = text.length > LINE_MAX_CHARS ? text.slice(0, LINE_MAX_CHARS) : text;
  return (
    <>
      {codeTokens(shown, language).map((token, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tokens of one line never move
        <span key={i} className={TOKEN[token.kind]}>
          <UntrustedText text={token.text} literal />
        </span>
      ))}
      {text.length > LINE_MAX_CHARS && (
        <span className="ml-1 rounded-4 border border-dashed border-line-3 px-1 font-sans text-fg-3">
          {formatCount(text.length - LINE_MAX_CHARS)} more characters in this line
        </span>
      )}
    </>
  );
}

function indentOf(text: string): number {
  const space = /^[ \t]*/.exec(text)?.[0] ?? "";
  return Math.min(40, space.replaceAll("\t", "    ").length);
}

const GRID = "grid min-h-5 grid-cols-[var(--blame)_48px_minmax(0,1fr)]";
/** From this turn on, 0-based, the column that names turns needs more room for a mark beside the number. */
const FOUR_FIGURES = 999;

/** A line that stands out: the one that the address names, or the one that the verdict points to. */
export interface PointedLine {
  line: number;
  by: "address" | "decisive" | "candidate";
}

const POINTED: Record<PointedLine["by"], string> = {
  address: "bg-accent-bg shadow-[inset_3px_0_var(--accent)]",
  decisive: "shadow-[inset_3px_0_var(--dec)]",
  candidate: "shadow-[inset_3px_0_var(--line-3)]",
};

function Line({
  row,
  language,
  turn,
  pointed,
}: {
  row: Extract<CodeRow, { kind: "line" }>;
  language: string;
  turn: number;
  pointed: PointedLine["by"] | null;
}): ReactNode {
  const isTarget = pointed === "address";
  const indent = indentOf(row.text);
  return (
    <div className={GRID} data-line={row.no} aria-current={pointed !== null ? "true" : undefined}>
      <Blame blame={row.blame} turn={turn} pointed={pointed} />
      <span
        className={cn(
          "pr-2 text-right text-fg-3 select-none",
          row.isNew && "bg-add-bg text-add-fg",
          isTarget && "bg-accent-bg font-medium text-accent",
        )}
      >
        {row.no}
      </span>
      <span
        className={cn(
          "relative pr-2 whitespace-pre-wrap [overflow-wrap:anywhere] [tab-size:4]",
          row.isNew && "bg-add-bg",
          pointed !== null && POINTED[pointed],
        )}
        style={{ paddingLeft: `calc(16px + ${indent + 2}ch)`, textIndent: `-${indent + 2}ch` }}
      >
        {row.isNew && (
          <span aria-hidden className="absolute left-1 text-add-fg [text-indent:0]">
            +
          </span>
        )}
        <Words text={row.text} language={language} />
      </span>
    </div>
  );
}

function GoneLine({ row, language }: { row: Extract<CodeRow, { kind: "gone" }>; language: string }): ReactNode {
  const indent = indentOf(row.text);
  return (
    <div className={GRID}>
      <span className="border-r border-line bg-bg-2" />
      <span className="bg-del-bg pr-2 text-right text-del-fg select-none">{row.no}</span>
      <span
        className="relative bg-del-bg pr-2 whitespace-pre-wrap [overflow-wrap:anywhere] [tab-size:4]"
        style={{ paddingLeft: `calc(16px + ${indent + 2}ch)`, textIndent: `-${indent + 2}ch` }}
      >
        <span className="absolute left-1 text-del-fg [text-indent:0]">
          <span aria-hidden>−</span>
          <span className="hidden-text">gone: </span>
        </span>
        <Words text={row.text} language={language} />
      </span>
    </div>
  );
}

/** A bar across the code: lines that are there but not drawn, or (dashed) lines that are not known. */
function Bar({
  dashed = false,
  children,
  onClick,
}: {
  dashed?: boolean;
  children: ReactNode;
  onClick?: () => void;
}): ReactNode {
  const look = cn(
    "flex min-h-6 w-full items-center narrow:min-h-10 gap-2 border-y bg-bg-2 px-3 text-left font-sans text-12 text-fg-3",
    dashed ? "border-dashed border-line-3 text-fg-2" : "border-line hover:text-fg",
  );
  if (!onClick) return <div className={look}>{children}</div>;
  return (
    <button type="button" className={look} onClick={onClick}>
      <UnfoldVertical aria-hidden strokeWidth={1.75} className="size-3.5 shrink-0" />
      {children}
    </button>
  );
}

/**
 * A file as text, drawn without an editor: line numbers, who wrote each run of lines, and every gap as a dashed row.
 * Long files are drawn in stretches around the line that is asked for.
 */
export function CodeText({
  side,
  blame,
  language,
  turn,
  target,
  isHidden,
  pointed,
  changes,
}: {
  side: Side;
  blame: CodeView["blame"];
  language: string;
  /** The open turn, 0-based: its lines stand out. */
  turn: number;
  /** 1-based line to scroll to. */
  target: number | null;
  /** In one column, while another pane is shown: nothing can be scrolled to yet. */
  isHidden: boolean;
  pointed: PointedLine | null;
  /** What is new here and what is gone, as far as both sides are known. Null when nothing is compared. */
  changes: LineChanges | null;
}): ReactNode {
  const rows = useMemo(() => codeRows(side, blame, changes), [side, blame, changes]);
  const [open, setOpen] = useState<readonly (readonly [number, number])[]>([]);
  const first = useMemo(() => firstStretch(rows, target, FIRST_ROWS), [rows, target]);
  const drawn = useMemo(() => drawnRows(rows, [first, ...open]), [rows, first, open]);
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file or line is shown from its own place
  useEffect(() => {
    setOpen([]);
  }, [side, target]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file or line is shown from its own place
  useEffect(() => {
    if (target === null || isHidden) return;
    showInside(box.current?.querySelector(`[data-line="${target}"]`) ?? null);
  }, [side, target, isHidden]);
  return (
    <div
      ref={box}
      className={cn(
        "font-mono text-12 leading-5 [font-variant-ligatures:none]",
        blame.some((run) => (run.turn ?? 0) >= FOUR_FIGURES) ? "[--blame:60px]" : "[--blame:44px]",
      )}
      data-testid="code-text"
    >
      {drawn.map((each) => {
        if (each.kind === "folded") {
          const count = each.to - each.from;
          const isAbove = each.from < first[0];
          return (
            <Bar
              key={`f${each.from}`}
              onClick={() =>
                setOpen((before) => [
                  ...before,
                  isAbove ? [Math.max(each.from, each.to - MORE_ROWS), each.to] : [each.from, each.from + MORE_ROWS],
                ])
              }
            >
              {formatPlural(count, "more line")}
              <span className="ml-auto font-medium text-accent">
                {count > MORE_ROWS ? `Show ${formatCount(MORE_ROWS)}` : "Show"}
              </span>
            </Bar>
          );
        }
        const { row } = each;
        if (row.kind === "gap") {
          return (
            <Bar key={`g${row.from}`} dashed>
              {row.to === null
                ? `from line ${formatCount(row.from)} on, nothing is known`
                : row.from === row.to
                  ? `line ${formatCount(row.from)} not known`
                  : `lines ${formatCount(row.from)} to ${formatCount(row.to)} not known`}
            </Bar>
          );
        }
        if (row.kind === "omitted") {
          return (
            <Bar key="omitted" dashed>
              {formatPlural(row.chars, "character")} more: the file is longer than one view may be. The upload has all
              of it.
            </Bar>
          );
        }
        if (row.kind === "gone") return <GoneLine key={`-${row.no}`} row={row} language={language} />;
        return (
          <Line
            key={row.no}
            row={row}
            language={language}
            turn={turn}
            pointed={pointed?.line === row.no ? pointed.by : null}
          />
        );
      })}
    </div>
  );
}
