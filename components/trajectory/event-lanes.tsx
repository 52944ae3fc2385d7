import type { ReactNode } from "react";
import type { LaneProps } from "./lane-layout";
import { circle, rectangle } from "./lane-paths";

/** Writes as bars, test runs as discs; side by side where a column has room, else one above the other. */
export function WritesLane({ lane, columns, columnPx }: LaneProps): ReactNode {
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

/** Turns with a failed result. */
export function ErrorsLane({ lane, columns, columnPx }: LaneProps): ReactNode {
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
