import { Slot } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names";

export interface ChipProps extends ComponentProps<"span"> {
  /** Draws the only child (a link, a button) as the chip. */
  asChild?: boolean;
  /** Words instead of a turn number. */
  plain?: boolean;
}

/** The one form of every link to a turn: `◆ #27`. 20 px high; put a mark of size 10 before the number. */
export function Chip({ asChild, plain = false, className, ...props }: ChipProps): ReactNode {
  const Root = asChild ? Slot.Root : "span";
  return (
    <Root
      className={cn(
        "inline-flex h-5 shrink-0 items-center gap-1 rounded-4 border border-line-2 bg-bg px-1.5 align-[1px] text-12 leading-[18px] font-medium text-fg whitespace-nowrap hover:border-line-3 hover:bg-bg-hover",
        plain ? "font-normal" : "mono",
        className,
      )}
      {...props}
    />
  );
}

/** A quiet label on a grey ground: a framework, a reliability class. */
export function Tag({ className, ...props }: ComponentProps<"span">): ReactNode {
  return (
    <span
      className={cn(
        "inline-flex h-5 shrink-0 items-center gap-1 rounded-4 bg-bg-3 px-1.5 text-12 text-fg-2 whitespace-nowrap",
        className,
      )}
      {...props}
    />
  );
}
