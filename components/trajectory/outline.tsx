"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { GitBranch, X } from "lucide-react";
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { WriteMark } from "@/components/marks/strip-marks";
import { LinkButton } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { type TurnRow, turnWindowSchema } from "@/lib/views/run";
import { ContextIcon, contextWord, lookOfLetter } from "./activity";
import { atTurn } from "./address";
import { useFind } from "./find-context";
import { useForensics } from "./forensics-context";
import { formatCount, formatPlural, formatSize } from "./numbers";
import { agentDepths, type OutlineRow, outlineRows } from "./outline-rows";
import { windowPath } from "./paths";
import { AddressLink, FlagMark } from "./turn-link";
import { UntrustedText } from "./untrusted-text";
import { useMedia } from "./use-media";

const ROW_PX = 24;
const TOUCH_ROW_PX = 40;
/** The same two, as the style sheet chooses between them. */
const ROW_HEIGHT = "var(--outline-row)";
/** Rows drawn by the server, before the window is measured. */
const FIRST_ROWS = 24;
/** Rows that stay above the open turn when the list opens. */
const ROWS_ABOVE = 7;

const ROW =
  "grid h-full grid-cols-[48px_14px_minmax(0,1fr)_auto] items-center gap-x-2 pr-3 text-13 whitespace-nowrap hover:bg-bg-hover";

/** How many matches of what is looked for stand in a row. */
function MatchTick({ count }: { count: number }): ReactNode {
  if (count === 0) return null;
  const words = formatPlural(count, "match", "matches");
  return (
    <span title={words} className="mono rounded-4 bg-accent-bg px-1 text-12 leading-4 font-medium text-accent">
      <span aria-hidden>{count >= 10_000 ? formatSize(count) : formatCount(count)}</span>
      <span className="hidden-text">{words}</span>
    </span>
  );
}

function TurnLine({ index, row, depth }: { index: number; row: TurnRow | null; depth: number }): ReactNode {
  const { address, run, flags, turn, showPane } = useForensics();
  const { strip } = run;
  const look = lookOfLetter(strip.activity[index]);
  const matches = useFind().countOf({ turn: index, context: null });
  const flag = flags.get(index);
  const write = strip.write[index] ?? ".";
  const isOpen = index === turn && address.context === null;
  const isStrong = flag !== undefined || write === "w" || write === "c";
  const Icon = look.icon;
  return (
    <AddressLink
      to={atTurn({ ...address, view: address.view === "raw" ? "raw" : "code" }, index)}
      onGo={() => showPane("turn")}
      aria-current={isOpen ? "true" : undefined}
      className={cn(ROW, isOpen && "bg-accent-bg shadow-[inset_2px_0_var(--accent)] hover:bg-accent-bg")}
    >
      <span className={cn("mono text-right text-12 text-fg-3", isOpen && "font-medium text-fg")}>{index + 1}</span>
      <Icon aria-hidden strokeWidth={1.75} className="size-3.5 text-fg-3" />
      <span
        className={cn("truncate text-fg-2", isStrong && "text-fg", isOpen && "font-medium text-fg")}
        style={depth > 0 ? { paddingLeft: depth * 12 } : undefined}
        title={row?.title}
      >
        {row === null ? (
          <span className="inline-block h-2.5 rounded-2 bg-bg-3" style={{ width: `${40 + ((index * 37) % 45)}%` }} />
        ) : (
          <UntrustedText text={row.title} />
        )}
      </span>
      <span className="flex items-center gap-1 text-fg-3">
        {row?.branch != null && <GitBranch aria-label="abandoned branch" strokeWidth={1.75} className="size-3" />}
        {strip.error[index] === "e" && write !== "r" && (
          <X aria-label="a result failed" strokeWidth={2} className="size-3" />
        )}
        <MatchTick count={matches} />
        {write === "r" && <WriteMark kind="refused" />}
        {flag && <FlagMark flag={flag} />}
      </span>
    </AddressLink>
  );
}

function ContextLine({ row }: { row: Extract<OutlineRow, { kind: "context" }> }): ReactNode {
  const { address, showPane } = useForensics();
  const { context } = row;
  const isOpen = address.context === context.n;
  const matches = useFind().countOf({ turn: context.beforeTurn, context: context.n });
  const word = contextWord(context.contextKind);
  return (
    <AddressLink
      to={{ ...address, view: "code", context: context.n, item: null, match: null }}
      onGo={() => showPane("turn")}
      aria-current={isOpen ? "true" : undefined}
      title={context.title}
      className={cn(ROW, isOpen && "bg-accent-bg shadow-[inset_2px_0_var(--accent)] hover:bg-accent-bg")}
    >
      <span />
      <ContextIcon aria-hidden strokeWidth={1.75} className="size-3.5 text-fg-3" />
      <span className={cn("truncate text-fg-3", isOpen && "font-medium text-fg")}>{word}</span>
      <span className="mono flex items-center gap-1 text-12 text-fg-3">
        <MatchTick count={matches} />
        {formatSize(context.sizeChars)}
      </span>
    </AddressLink>
  );
}

/** The rows of the windows that are here, by turn; asks for the windows of the turns in view, and says which failed. */
export function useTurnRows(inView: readonly number[]): {
  rowOf: (index: number) => TurnRow | null;
  failure: string | null;
  retry: () => void;
} {
  const { answers } = useForensics();
  const [, redraw] = useState(0);
  useEffect(() => answers.subscribe(() => redraw((n) => n + 1)), [answers]);
  const paths = [...new Set(inView.map(windowPath))];
  const wanted = paths.join(" ");
  useEffect(() => {
    for (const path of wanted.split(" ")) if (path !== "") answers.ask(path, turnWindowSchema);
  }, [answers, wanted]);
  const failed = paths.flatMap((path) => {
    const answer = answers.peek(path);
    return answer.state === "failed" ? [{ path, message: answer.message }] : [];
  });
  return {
    rowOf: (index) => {
      const window = answers.value(windowPath(index), turnWindowSchema);
      return window?.rows[index - window.from] ?? null;
    },
    failure: failed[0]?.message ?? null,
    retry: () => {
      for (const { path } of failed) answers.retry(path, turnWindowSchema);
    },
  };
}

/** The list of turns with what stands between them: only the rows in view are in the page, whatever the length of the run. */
export function Outline(): ReactNode {
  const { run, address, turn, flags, pane } = useForensics();
  const box = useRef<HTMLDivElement>(null);
  const isTouch = useMedia("(width < 40rem)");
  const rowPx = isTouch ? TOUCH_ROW_PX : ROW_PX;
  const flagged = useMemo(() => new Set(flags.keys()), [flags]);
  const rows = useMemo(
    () => outlineRows(run.strip, run.contexts, address.list, flagged),
    [run.strip, run.contexts, address.list, flagged],
  );
  const agents = useMemo(() => {
    const agentOf = (index: number) => run.agents[Number.parseInt(run.strip.agent[index] ?? "0", 36)]?.id;
    return { agentOf, depths: agentDepths(run.agents, agentOf) };
  }, [run]);
  const openRow = rows.findIndex((row) =>
    address.context === null
      ? row.kind === "turn" && row.index === turn
      : row.kind === "context" && row.context.n === address.context,
  );
  const [first] = useState(() => Math.max(0, Math.min(openRow - ROWS_ABOVE, rows.length - FIRST_ROWS)));
  const [isMeasured, setMeasured] = useState(false);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 8,
    initialOffset: first * ROW_PX,
    useFlushSync: false,
  });

  useLayoutEffect(() => {
    setMeasured(true);
  }, []);
  useLayoutEffect(() => {
    list.measure();
    if (isMeasured && box.current) box.current.scrollTop = first * rowPx;
  }, [isMeasured, rowPx, first, list]);
  const isOpening = useRef(true);
  useEffect(() => {
    if (isOpening.current) {
      isOpening.current = false;
      return;
    }
    if (openRow >= 0) list.scrollToIndex(openRow, { align: "auto" });
  }, [openRow, list]);

  // In one column the list has no size until its tab is open.
  useLayoutEffect(() => {
    if (!isTouch || pane !== "outline") return;
    list.measure();
    if (openRow >= 0) list.scrollToIndex(openRow, { align: "center" });
  }, [isTouch, pane, openRow, list]);
  // Another filter is another list: it begins at the open turn, or at its top.
  const listed = useRef(address.list);
  useLayoutEffect(() => {
    if (listed.current === address.list) return;
    listed.current = address.list;
    if (openRow >= 0) list.scrollToIndex(openRow, { align: "center" });
    else list.scrollToOffset(0);
  }, [address.list, openRow, list]);

  // What the server draws is laid out by the style sheet, which knows how wide the page is.
  const virtual = isMeasured
    ? list.getVirtualItems().map((each) => ({ index: each.index, top: `${each.start}px` }))
    : rows.slice(first, first + FIRST_ROWS).map((_, i) => ({ index: first + i, top: `calc(${i} * ${ROW_HEIGHT})` }));
  const inView = virtual.flatMap(({ index }) => {
    const row = rows[index];
    return row?.kind === "turn" ? [row.index] : [];
  });
  const { rowOf, failure, retry } = useTurnRows(inView);
  const hidden = run.omitted.contexts;
  return (
    <nav aria-label="Turns" className="flex h-full min-h-0 flex-col">
      <div
        ref={box}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain py-1 narrow:h-[calc(100dvh-96px)] narrow:flex-none"
      >
        <ol
          className="relative [--outline-row:24px] narrow:[--outline-row:40px]"
          style={{ height: isMeasured ? list.getTotalSize() : `calc(${FIRST_ROWS} * ${ROW_HEIGHT})` }}
        >
          {virtual.map(({ index, top }) => {
            const row = rows[index];
            if (!row) return null;
            const agent = row.kind === "turn" ? agents.agentOf(row.index) : undefined;
            return (
              <li
                key={row.kind === "turn" ? `t${row.index}` : `c${row.context.n}`}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0"
                style={{ height: ROW_HEIGHT, transform: `translateY(${top})` }}
              >
                {row.kind === "turn" ? (
                  <TurnLine
                    index={row.index}
                    row={rowOf(row.index)}
                    depth={agent === undefined ? 0 : (agents.depths.get(agent) ?? 0)}
                  />
                ) : (
                  <ContextLine row={row} />
                )}
              </li>
            );
          })}
        </ol>
        {rows.length === 0 && (
          <p className="px-4 py-2 text-12 text-fg-3">
            {address.list === "flagged" ? "No turn is flagged." : "No turn writes to a file."}
          </p>
        )}
      </div>
      {failure !== null && (
        <div role="alert" className="border-t border-dashed border-line-3 px-4 py-1.5 text-12 text-fg-2">
          {failure} <LinkButton onClick={retry}>Try again</LinkButton>
        </div>
      )}
      {hidden > 0 && (
        <p className="border-t border-line px-4 py-1 text-12 text-fg-3">{hidden} context items are not listed.</p>
      )}
    </nav>
  );
}
