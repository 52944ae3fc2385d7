"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import Link from "next/link";
import { type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { turnWindowSchema } from "@/lib/views/run";
import { atTurn } from "./address";
import { axisLabels, chipPlace } from "./axis-labels";
import { flagWords } from "./flags";
import { useForensics } from "./forensics-context";
import { laneLayout } from "./lane-layout";
import { formatCount } from "./numbers";
import { windowPath } from "./paths";
import { placeMarks, stripColumns, turnAt, turnScale } from "./strip-columns";
import { TimelineCard } from "./timeline-card";
import { LaneShapes } from "./timeline-lanes";
import { AddressLink, FlagMark } from "./turn-link";

/** The width of the lanes on a page of 1440, which the server draws for; the browser measures its own. */
const FIRST_WIDTH_PX = 1_224;
/** A mark is 12 px wide, and its link as large as a finger needs. */
const MARK_GAP_PX = 24;
const AXIS_GAP_PX = 44;
/** A run of a few turns keeps columns that look like columns. */
const TURN_MAX_PX = 96;
const PAGE_STEP = 10;
/** A cookie and not local storage: the server draws the page, and nothing may jump. */
const COOKIE = "misstep-strip";

const useWidth = (): [React.RefObject<HTMLDivElement | null>, number] => {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(FIRST_WIDTH_PX);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(120, Math.floor(entry.contentRect.width)));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width];
};

/** All turns of the run on one axis: marks, kind, writes and tests, errors, size, suspicion, agents. */
export function Timeline({ initiallyClosed }: { initiallyClosed: boolean }): ReactNode {
  const { run, turn, flags, address, answers, goTurn } = useForensics();
  const { strip, agents, verdict } = run;
  const [box, room] = useWidth();
  const width = Math.min(room, strip.turns * TURN_MAX_PX);
  const [isClosed, setClosed] = useState(initiallyClosed);
  const [hover, setHover] = useState<number | null>(null);
  const dragging = useRef(false);
  const columns = useMemo(() => stripColumns(strip), [strip]);
  const { columnPx, centre } = useMemo(() => turnScale(columns, width), [columns, width]);
  const lanes = useMemo(() => laneLayout(strip, agents.length, isClosed), [strip, agents.length, isClosed]);
  const marks = useMemo(() => placeMarks([...flags.values()], centre, MARK_GAP_PX, width), [flags, centre, width]);
  const chip = chipPlace(turn, centre(turn), width);
  const labels = useMemo(
    () => axisLabels(strip.turns, turn, centre, width, AXIS_GAP_PX),
    [strip.turns, turn, centre, width],
  );
  const bandOf = (at: number) => {
    const from = Math.floor(at / columns.turnsPerColumn) * columnPx;
    return columnPx >= 3
      ? { x: from, width: columnPx }
      : { x: Math.max(0, Math.min(width - 3, centre(at) - 1.5)), width: 3 };
  };

  const toggle = () => {
    const next = !isClosed;
    setClosed(next);
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere yet
    document.cookie = `${COOKIE}=${next ? "closed" : "open"}; path=/; max-age=31536000; samesite=lax`;
  };
  const turnUnder = (event: PointerEvent<HTMLDivElement>) =>
    turnAt(columns, strip.turns, width, event.clientX - event.currentTarget.getBoundingClientRect().left);
  const hoverAt = (next: number | null) => {
    setHover(next);
    if (next !== null) answers.ask(windowPath(next), turnWindowSchema);
  };
  const title = answers.value(windowPath(turn), turnWindowSchema);
  const openTitle = title?.rows[turn - title.from]?.title;

  if (strip.turns === 0) return null;
  return (
    <section aria-label="Timeline" className="relative border-b border-line bg-bg-2 px-4 pt-2 pb-1 text-12 leading-4">
      <div className="grid grid-cols-[var(--strip-label)_minmax(0,1fr)_var(--strip-right)]">
        <div aria-hidden className="relative text-fg-3">
          {lanes.list.map((lane) => (
            <span
              key={lane.id}
              className="absolute left-0 whitespace-nowrap"
              style={{ top: lane.y, height: lane.height, lineHeight: `${lane.height}px` }}
            >
              <span className={lane.short === undefined ? undefined : "narrow:hidden"}>{lane.label}</span>
              {lane.short !== undefined && <span className="hidden narrow:inline">{lane.short}</span>}
            </span>
          ))}
        </div>
        <div ref={box} className="relative min-w-0 overflow-x-clip select-none" style={{ height: lanes.height }}>
          <div
            role="slider"
            tabIndex={0}
            aria-label="Open turn"
            aria-valuemin={1}
            aria-valuemax={strip.turns}
            aria-valuenow={turn + 1}
            aria-valuetext={`#${turn + 1}${openTitle === undefined ? "" : `, ${openTitle}`}`}
            className="absolute inset-y-0 left-0 cursor-pointer touch-pan-y rounded-2"
            style={{ width }}
            onKeyDown={(event) => {
              const steps: Record<string, number> = {
                ArrowRight: turn + 1,
                ArrowUp: turn + 1,
                ArrowLeft: turn - 1,
                ArrowDown: turn - 1,
                PageUp: turn + PAGE_STEP,
                PageDown: turn - PAGE_STEP,
                Home: 0,
                End: strip.turns - 1,
              };
              const next = steps[event.key];
              if (next === undefined) return;
              event.preventDefault();
              goTurn(next, event.repeat ? "replace" : "push");
            }}
            onPointerDown={(event) => {
              if (event.button !== 0) return;
              event.currentTarget.setPointerCapture(event.pointerId);
              dragging.current = true;
              goTurn(turnUnder(event));
            }}
            onPointerMove={(event) => {
              const at = turnUnder(event);
              if (dragging.current) {
                if (at !== turn) goTurn(at, "replace");
              } else if (event.pointerType === "mouse") hoverAt(at);
            }}
            onPointerUp={() => {
              dragging.current = false;
            }}
            onPointerCancel={() => {
              dragging.current = false;
            }}
            onPointerLeave={() => hoverAt(null)}
          >
            <svg aria-hidden="true" width={width} height={lanes.height} className="block overflow-visible">
              {hover !== null && hover !== turn && <Band {...bandOf(hover)} height={lanes.height - 20} kind="hover" />}
              <Band {...bandOf(turn)} height={lanes.height - 20} kind="open" />
              <LaneShapes
                lanes={lanes}
                columns={columns.columns}
                columnPx={columnPx}
                decisive={verdict?.status === "determined" ? (verdict.candidates[0]?.turn ?? null) : null}
                turnsPerColumn={columns.turnsPerColumn}
                agents={agents}
              />
              {labels.map((label) => (
                <text
                  key={label.turn}
                  x={label.x}
                  y={lanes.axis.y + 12}
                  textAnchor="middle"
                  className="fill-fg-3 font-mono text-12"
                >
                  {label.turn + 1}
                </text>
              ))}
            </svg>
            <span
              aria-hidden
              className="mono absolute -translate-x-1/2 rounded-4 bg-accent px-1 leading-4 font-medium text-bg"
              style={{ left: chip.x, top: lanes.axis.y }}
            >
              #{turn + 1}
            </span>
          </div>
          {marks.map(({ mark, x }) => (
            <span key={mark.turn} className="absolute -translate-x-1/2" style={{ left: x, top: lanes.marks.y - 3 }}>
              <AddressLink
                to={atTurn({ ...address, view: "code" }, mark.turn)}
                title={`#${mark.turn + 1} ${flagWords(mark)}`}
                aria-label={`#${mark.turn + 1} ${flagWords(mark)}`}
                className="flex size-6 items-center justify-center rounded-4"
              >
                <FlagMark flag={mark} label={null} />
              </AddressLink>
            </span>
          ))}
        </div>
        <div className="relative pl-3 font-mono text-fg-3 narrow:hidden">
          {lanes.list.map((lane) => (
            <span
              key={lane.id}
              className="absolute whitespace-nowrap"
              style={{ top: lane.y, height: lane.height, lineHeight: `${lane.height}px` }}
              title={lane.note?.title}
            >
              {lane.id === "marks" ? (
                <span className="flex h-full items-center gap-1 font-sans">
                  <Link href="/legend" className="font-medium text-accent hover:underline">
                    Legend
                  </Link>
                </span>
              ) : (
                lane.note?.text
              )}
            </span>
          ))}
          <span className="absolute right-0" style={{ top: -4 }}>
            <IconButton
              small
              label={isClosed ? "Show all lanes" : "Show marks only"}
              aria-expanded={!isClosed}
              onClick={toggle}
            >
              {isClosed ? <ChevronDown aria-hidden strokeWidth={1.75} /> : <ChevronUp aria-hidden strokeWidth={1.75} />}
            </IconButton>
          </span>
        </div>
      </div>
      {columns.turnsPerColumn > 1 && !isClosed && (
        <p className="hidden-text">Each column stands for {formatCount(columns.turnsPerColumn)} turns.</p>
      )}
      {hover !== null && <TimelineCard turn={hover} columns={columns} x={centre(hover)} width={width} />}
    </section>
  );
}

function Band({
  x,
  width,
  height,
  kind,
}: {
  x: number;
  width: number;
  height: number;
  kind: "open" | "hover";
}): ReactNode {
  const left = Math.round(x) + 0.5;
  const right = Math.round(x + width) - 0.5;
  return (
    <g>
      <rect
        x={Math.round(x)}
        y={-4}
        width={Math.max(1, Math.round(x + width) - Math.round(x))}
        height={height + 4}
        className={kind === "open" ? "fill-accent-bg" : "fill-bg-3"}
      />
      <path
        d={`M${left} -4V${height}M${right} -4V${height}`}
        className={kind === "open" ? "stroke-accent-line" : "stroke-line-2"}
      />
    </g>
  );
}
