import { ChevronDown } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names";

/** A native select in our dress: it works with every keyboard, every screen reader and every phone. 28 px high. */
export function Select({ className, ...props }: ComponentProps<"select">): ReactNode {
  return (
    <span className="relative inline-flex min-w-0 items-center">
      <select
        className={cn(
          "h-7 w-full appearance-none rounded-6 border border-line-2 bg-bg pr-7 pl-2 text-13 text-fg hover:border-line-3 [&>option]:bg-float [&>option]:text-fg",
          className,
        )}
        {...props}
      />
      <ChevronDown aria-hidden strokeWidth={1.75} className="pointer-events-none absolute right-2 size-3.5 text-fg-3" />
    </span>
  );
}
