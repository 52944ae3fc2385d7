import type { ReactNode } from "react";
import { formatPlural } from "@/components/trajectory/numbers";
import { cn } from "@/components/ui/class-names";
import { Mark } from "./mark";
import { runBars, turnPosition } from "./run-bars";

const LEVEL = [
  { y: 7, height: 3, fill: "var(--line-2)" },
  { y: 4, height: 6, fill: "var(--sus)" },
  { y: 1, height: 9, fill: "var(--wr)" },
] as const;

/** A run at a glance: one bar a bucket of turns, and the decisive error above its own. 20 px high, as wide as its place. */
export function RunStrip({
  strip,
  turnCount,
  verdictTurn,
  decorative = false,
  className,
}: {
  strip: string;
  turnCount: number;
  /** 0-based, or null. */
  verdictTurn: number | null;
  decorative?: boolean;
  className?: string;
}): ReactNode {
  const words = `${formatPlural(turnCount, "turn")}${
    verdictTurn === null ? "" : `, decisive error at #${verdictTurn + 1}`
  }`;
  return (
    <span
      {...(decorative ? { "aria-hidden": true } : { role: "img", "aria-label": words })}
      className={cn("relative block h-5 w-36", className)}
    >
      <svg
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
        aria-hidden="true"
        className="absolute bottom-0 left-0 block h-2.5 w-full"
      >
        {runBars(strip).map((bar) => (
          <rect key={bar.x} x={bar.x} width={bar.width} {...LEVEL[bar.level]} />
        ))}
      </svg>
      {verdictTurn !== null && (
        <span
          className="absolute -top-px -translate-x-1/2 leading-none"
          style={{ left: `${turnPosition(verdictTurn, turnCount, strip.length)}%` }}
        >
          <Mark kind="decisive" size={9} label={null} className="block" />
        </span>
      )}
    </span>
  );
}
