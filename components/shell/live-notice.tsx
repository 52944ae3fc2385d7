import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names";

/**
 * A sentence about the page itself that comes and goes: that it does not update, that a new import runs. It moves nothing:
 * in a wide page it stands in a bar that has room for it, in one column it floats above the bar at the foot. Its place is
 * there from the beginning, so that screen readers say what comes into it.
 */
export function LiveNotice({ children, className }: { children?: ReactNode; className?: string }): ReactNode {
  const isEmpty = children === undefined || children === null || children === false;
  return (
    <span
      role="status"
      className={cn(
        "min-w-0",
        !isEmpty &&
          "flex items-center gap-2 rounded-6 border border-dashed border-line-3 px-2 leading-6 text-fg-2 narrow:fixed narrow:inset-x-4 narrow:bottom-[calc(60px+env(safe-area-inset-bottom))] narrow:z-20 narrow:border-solid narrow:border-transparent narrow:min-h-13 narrow:bg-float narrow:px-3 narrow:py-1.5 narrow:leading-5 narrow:shadow-float",
        className,
      )}
    >
      {children}
    </span>
  );
}

/** Words of a notice: one line, two in one column, so that it keeps its size while they change. */
export const NOTICE_WORDS = "min-w-0 truncate narrow:line-clamp-2 narrow:whitespace-normal";

/** That what is shown may be old, and why. */
export function NotUpdating({ problem }: { problem: string }): ReactNode {
  return (
    <span className={NOTICE_WORDS} title={problem}>
      <b className="font-medium text-fg">Not updating.</b> {problem}
    </span>
  );
}
