import type { Strip } from "@/lib/views/strip";
import { formatCount } from "./numbers";
import type { StripColumn } from "./strip-columns";

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

/** What every lane is drawn from. */
export interface LaneProps {
  lane: Lane;
  columns: readonly StripColumn[];
  columnPx: number;
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
