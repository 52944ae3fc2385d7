import type { ReactNode } from "react";
import { lookOfLetter } from "./activity";
import type { LaneProps } from "./lane-layout";
import { rectangle } from "./lane-paths";
import { activityBands } from "./strip-columns";

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

/** What kind of work the turns do, in bands of neighbours of one kind; the word where it fits. */
export function KindLane({ lane, columns, columnPx }: LaneProps): ReactNode {
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

/** Which turns belong to sub-agents, with their names where they fit. */
export function AgentsLane({
  lane,
  columns,
  columnPx,
  agents,
}: LaneProps & {
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
