import type { ReactNode } from "react";
import { cn } from "./class-names";

/** How far something is: a 4 px bar. `value` is 0 to 1; null while the end is not known. */
export function ProgressBar({
  label,
  value,
  className,
}: {
  label: string;
  value: number | null;
  className?: string;
}): ReactNode {
  const percent = value === null ? null : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      className={cn("relative block h-1 w-42 shrink-0 overflow-hidden rounded-2 bg-line-2", className)}
    >
      <span
        className={cn(
          "absolute inset-y-0 rounded-2 bg-fg-2",
          percent === null ? "left-[37.5%] w-1/4 animate-travel" : "left-0 transition-[width] duration-200 ease-linear",
        )}
        style={percent === null ? undefined : { width: `${percent}%` }}
      />
    </span>
  );
}
