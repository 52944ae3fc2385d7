"use client";

import { DropdownMenu } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names";

/** A menu that opens at a button. `trigger` is the button itself. */
export function Menu({
  trigger,
  align = "end",
  children,
}: {
  trigger: ReactNode;
  align?: "start" | "end";
  children: ReactNode;
}): ReactNode {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 rounded-6 bg-float p-1 shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const ITEM =
  "flex h-7 items-center gap-2 rounded-4 px-2 text-13 text-fg outline-none select-none data-disabled:opacity-40 data-highlighted:bg-bg-3 [&_svg]:size-3.5 [&_svg]:text-fg-2";

/** One thing a menu can do. With `asChild` the only child is a link. */
export function MenuItem({ className, ...props }: ComponentProps<typeof DropdownMenu.Item>): ReactNode {
  return <DropdownMenu.Item className={cn(ITEM, "cursor-pointer", className)} {...props} />;
}

/** One of several values in a menu, with a mark before the chosen one. */
export function MenuChoice({
  className,
  children,
  ...props
}: ComponentProps<typeof DropdownMenu.RadioItem>): ReactNode {
  return (
    <DropdownMenu.RadioItem className={cn(ITEM, "cursor-pointer", className)} {...props}>
      <span className="flex w-2 justify-center">
        <DropdownMenu.ItemIndicator>
          <span className="block size-1.5 rounded-full bg-accent" />
        </DropdownMenu.ItemIndicator>
      </span>
      {children}
    </DropdownMenu.RadioItem>
  );
}

/** The group of choices of which one is chosen. */
export const MenuChoices = DropdownMenu.RadioGroup;

/** A heading inside a menu. */
export function MenuLabel({ className, ...props }: ComponentProps<typeof DropdownMenu.Label>): ReactNode {
  return <DropdownMenu.Label className={cn("px-2 py-1 text-12 text-fg-3", className)} {...props} />;
}

/** A hairline between groups of a menu. */
export function MenuLine(): ReactNode {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}
