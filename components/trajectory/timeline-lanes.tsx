import type { ReactNode } from "react";
import type { Strip } from "@/lib/views/strip";
import { lookOfLetter } from "./activity";
import { formatCount } from "./numbers";
import { activityBands, type StripColumn } from "./strip-columns";

export type LaneId = "marks" | "kind" | "writes" | "errors" | "size" | "suspicion" | "agents" | "axis";

export interface Lane {
  id: LaneId;
  label: string;
  /** The label where the column is narrow. */
  short?: string;
  y: number;
  height: number;
  /** What the right column says. */
  note: { text: string; title: string } | null;
}

export interface Lanes {
  list: Lane[];
  marks: Lane;
  axis: Lane;
  height: number;
}

const GAP_PX = 4;
const count = (lane: string) => lane.length - lane.split(".").length + 1;

/** The lanes that this run has data for, with their places. Closed, only the marks and the axis stay. */
export function laneLayout(strip: Strip, agentCount: number, isClosed: boolean): Lanes {
  const writes = count(strip.write);
  const tests = count(strip.test);
  const errors = count(strip.error);
  const most = Math.max(0, ...[...strip.suspicion].map((digit) => Number(digit) || 0));
  const wanted: (Omit<Lane, "y"> | null)[] = [
    { id: "marks", label: "Marks", height: 18, note: null },
    { id: "kind", label: "Kind", height: 16, note: null },
    {
      id: "writes",
      label: "Writes, tests",
      short: "Writes",
      height: 16,
      note: {
        text: `${formatCount(writes)} · ${formatCount(tests)}`,
        title: `${formatCount(writes)} turns that write, ${formatCount(tests)} that run tests`,
      },
    },
    errors === 0
      ? null
      : {
          id: "errors",
          label: "Errors",
          height: 12,
          note: { text: formatCount(errors), title: `${formatCount(errors)} turns with a failed result` },
        },
    { id: "size", label: "Size", height: 16, note: null },
    most === 0
      ? null
      : {
          id: "suspicion",
          label: "Suspicion",
          height: 20,
          note: { text: `max .${most}`, title: "In tenths, from the rule" },
        },
    agentCount < 2
      ? null
      : {
          id: "agents",
          label: "Sub-agents",
          short: "Agents",
          height: 12,
          note: { text: formatCount(agentCount - 1), title: `${agentCount - 1} sub-agents` },
        },
    { id: "axis", label: "Turn", height: 16, note: null },
  ];
  const shown = wanted
    .filter((lane) => lane !== null)
    .filter((lane) => !isClosed || lane.id === "marks" || lane.id === "axis");
  let y = 0;
  const list = shown.map((lane) => {
    const placed = { ...lane, y };
    y += lane.height + GAP_PX;
    return placed;
  });
  const first = list[0];
  const last = list.at(-1);
  if (!first || !last) throw new Error("a strip has at least its marks and its axis");
  return { list, marks: first, axis: last, height: y - GAP_PX };
}

const rectangle = (x: number, y: number, width: number, height: number) => `M${x} ${y}h${width}v${height}h${-width}z`;
const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

const KIND_FILL: Record<string, string> = {
  r: "fill-bg-3",
  s: "fill-bg-3",
  k: "fill-bg-3",
  o: "fill-bg-3",
  x: "fill-line",
  t: "fill-line",
  d: "fill-line",
  w: "fill-line-2",
  m: "fill-line-2",
};

function KindLane({
  lane,
  columns,
  columnPx,
}: {
  lane: Lane;
  columns: readonly StripColumn[];
  columnPx: number;
}): ReactNode {
  const bands = activityBands(columns);
  const paths = new Map<string, string>();
  for (const band of bands) {
    const fill = KIND_FILL[band.activity] ?? "fill-bg-3";
    const from = Math.round(band.from * columnPx);
    // One pixel of ground keeps neighbours of one shade apart.
    const width = Math.max(1, Math.round(band.to * columnPx) - from - (columnPx >= 4 ? 1 : 0));
    paths.set(fill, (paths.get(fill) ?? "") + rectangle(from, lane.y, width, lane.height));
  }
  return (
    <>
      {[...paths].map(([fill, d]) => (
        <path key={fill} d={d} className={fill} />
      ))}
      {bands.map((band) => {
        const word = lookOfLetter(band.activity).word;
        const width = (band.to - band.from) * columnPx;
        if (width < word.length * 7 + 6) return null;
        return (
          <text
            key={band.from}
            x={band.from * columnPx + width / 2}
            y={lane.y + 12}
            textAnchor="middle"
            className={band.activity === "w" || band.activity === "m" ? "fill-fg text-12" : "fill-fg-2 text-12"}
          >
            {word}
          </text>
        );
      })}
    </>
  );
}

function WritesLane({
  lane,
  columns,
  columnPx,
}: {
  lane: Lane;
  columns: readonly StripColumn[];
  columnPx: number;
}): ReactNode {
  const isTight = columnPx < 15;
  const barWidth = columnPx < 7 ? 2 : 4;
  const radius = columnPx < 7 ? 2 : isTight ? 2.5 : 3.25;
  const paths = { filled: "", hollow: "", refused: "", opaque: "", passed: "", failures: "", unread: "" };
  columns.forEach((column, i) => {
    const both = column.write !== "." && column.test !== ".";
    const middle = (i + 0.5) * columnPx;
    if (column.write !== ".") {
      const x = Math.round(middle - barWidth / 2 - (both && !isTight ? 5 : 0));
      const height = both && isTight ? 7 : 12;
      const y = lane.y + (both && isTight ? 0 : 2);
      if (column.write === "w") paths.filled += rectangle(x, y, barWidth, height);
      else {
        const outline = rectangle(x + 0.5, y + 0.5, Math.max(1, barWidth - 1), height - 1);
        if (column.write === "c") paths.hollow += outline;
        else if (column.write === "r") paths.refused += outline;
        else paths.opaque += outline;
      }
    }
    if (column.test !== ".") {
      const x = middle + (both && !isTight ? 5 : 0);
      const disc = circle(Math.round(x * 2) / 2, lane.y + (both && isTight ? 12 : 8), radius);
      if (column.test === "p") paths.passed += disc;
      else if (column.test === "f") paths.failures += disc;
      else paths.unread += disc;
    }
  });
  const line = { fill: "none", strokeWidth: 1 } as const;
  return (
    <>
      <path d={paths.filled} className="fill-wr" />
      <path d={paths.hollow} className="stroke-wr" {...line} />
      <path d={paths.refused} className="stroke-line-3" strokeDasharray="2 1.5" {...line} />
      <path d={paths.opaque} className="stroke-wr" strokeDasharray="1 1" {...line} />
      <path d={paths.passed} className="fill-wr stroke-wr" strokeWidth={1.5} />
      <path d={paths.failures} className="stroke-wr" fill="none" strokeWidth={1.5} />
      <path d={paths.unread} className="stroke-line-3" strokeDasharray="1.6 1.2" fill="none" strokeWidth={1.5} />
    </>
  );
}

function ErrorsLane({
  lane,
  columns,
  columnPx,
}: {
  lane: Lane;
  columns: readonly StripColumn[];
  columnPx: number;
}): ReactNode {
  const arm = columnPx < 6 ? 1.5 : 2.5;
  let d = "";
  columns.forEach((column, i) => {
    if (column.errorCount === 0) return;
    const x = (i + 0.5) * columnPx;
    const y = lane.y + lane.height / 2;
    d += `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}M${x + arm} ${y - arm}l${-2 * arm} ${2 * arm}`;
  });
  return <path d={d} className="stroke-fg-2" fill="none" strokeWidth={1.5} strokeLinecap="round" />;
}

function BarsLane({
  lane,
  columns,
  columnPx,
  value,
  className,
  decisiveColumn,
}: {
  lane: Lane;
  columns: readonly StripColumn[];
  columnPx: number;
  value: "size" | "suspicion";
  className: string;
  decisiveColumn: number | null;
}): ReactNode {
  const width = Math.max(1, Math.min(10, Math.floor(columnPx * 0.6)));
  let plain = "";
  let decisive = "";
  columns.forEach((column, i) => {
    if (column[value] === 0) return;
    const height = Math.max(1, Math.round((column[value] / 9) * lane.height));
    const bar = rectangle(Math.round((i + 0.5) * columnPx - width / 2), lane.y + lane.height - height, width, height);
    if (i === decisiveColumn) decisive += bar;
    else plain += bar;
  });
  const end = Math.round(columns.length * columnPx);
  return (
    <>
      <path d={`M0 ${lane.y + lane.height + 0.5}H${end}`} className="stroke-line-2" />
      <path d={plain} className={className} />
      <path d={decisive} className="fill-dec" />
    </>
  );
}

function AgentsLane({
  lane,
  columns,
  columnPx,
  agents,
}: {
  lane: Lane;
  columns: readonly StripColumn[];
  columnPx: number;
  agents: readonly { name: string }[];
}): ReactNode {
  const bands = activityBands(columns.map((column) => ({ ...column, activity: column.agent }))).filter(
    (band) => band.activity !== "0",
  );
  let d = "";
  for (const band of bands) {
    const from = Math.round(band.from * columnPx);
    d += rectangle(
      from,
      lane.y,
      Math.max(1, Math.round(band.to * columnPx) - from - (columnPx >= 4 ? 1 : 0)),
      lane.height,
    );
  }
  return (
    <>
      <path d={d} className="fill-line-2" />
      {bands.map((band) => {
        const name = agents[Number.parseInt(band.activity, 36)]?.name ?? "";
        const width = (band.to - band.from) * columnPx;
        if (name === "" || width < name.length * 7 + 6) return null;
        return (
          <text
            key={band.from}
            x={band.from * columnPx + width / 2}
            y={lane.y + 10}
            textAnchor="middle"
            className="fill-fg text-12"
          >
            {name}
          </text>
        );
      })}
    </>
  );
}

/** Every lane but marks and axis as a handful of paths, so that 6,000 turns cost no more elements than 60. */
export function LaneShapes({
  lanes,
  columns,
  columnPx,
  decisive,
  turnsPerColumn,
  agents,
}: {
  lanes: Lanes;
  columns: readonly StripColumn[];
  columnPx: number;
  decisive: number | null;
  turnsPerColumn: number;
  agents: readonly { name: string }[];
}): ReactNode {
  const decisiveColumn = decisive === null ? null : Math.floor(decisive / turnsPerColumn);
  return lanes.list.map((lane) => {
    const key = lane.id;
    const props = { lane, columns, columnPx };
    if (lane.id === "kind") return <KindLane key={key} {...props} />;
    if (lane.id === "writes") return <WritesLane key={key} {...props} />;
    if (lane.id === "errors") return <ErrorsLane key={key} {...props} />;
    if (lane.id === "size") {
      return <BarsLane key={key} {...props} value="size" className="fill-line-3" decisiveColumn={null} />;
    }
    if (lane.id === "suspicion") {
      return <BarsLane key={key} {...props} value="suspicion" className="fill-sus" decisiveColumn={decisiveColumn} />;
    }
    if (lane.id === "agents") return <AgentsLane key={key} {...props} agents={agents} />;
    return null;
  });
}
