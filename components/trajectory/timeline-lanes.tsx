import type { ReactNode } from "react";
import { AgentsLane, KindLane } from "./band-lanes";
import { ErrorsLane, WritesLane } from "./event-lanes";
import type { LaneProps, Lanes } from "./lane-layout";
import { rectangle } from "./lane-paths";
import type { StripColumn } from "./strip-columns";

function BarsLane({
  lane,
  columns,
  columnPx,
  value,
  className,
  decisiveColumn,
}: LaneProps & {
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
