"use client";

import { Popover as Radix, HoverCard as RadixHoverCard } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names";

const FLOAT = "z-50 rounded-6 bg-float shadow-float outline-none";

/** A small panel that a button opens. `trigger` is the button itself; `label` names the panel. */
export function Popover({
  trigger,
  label,
  open,
  onOpenChange,
  align = "start",
  className,
  children,
}: {
  trigger: ReactNode;
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: "start" | "center" | "end";
  className?: string;
  children: ReactNode;
}): ReactNode {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={cn(FLOAT, "p-3", className)}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** More about a thing under the pointer or the keyboard. Never the only way to something. */
export function HoverCard({
  trigger,
  className,
  side = "bottom",
  children,
}: {
  trigger: ReactNode;
  className?: string;
  side?: ComponentProps<typeof RadixHoverCard.Content>["side"];
  children: ReactNode;
}): ReactNode {
  return (
    <RadixHoverCard.Root openDelay={300} closeDelay={100}>
      <RadixHoverCard.Trigger asChild>{trigger}</RadixHoverCard.Trigger>
      <RadixHoverCard.Portal>
        <RadixHoverCard.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className={cn(FLOAT, "w-85 p-3", className)}
        >
          {children}
        </RadixHoverCard.Content>
      </RadixHoverCard.Portal>
    </RadixHoverCard.Root>
  );
}
