"use client";

import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** Once around the page: tooltips share their delay. */
export function TooltipProvider({ children }: { children: ReactNode }): ReactNode {
  return (
    <Radix.Provider delayDuration={400} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  );
}

/** One line about the control it wraps. The control keeps its own accessible name. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }): ReactNode {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-80 items-center gap-2 rounded-6 bg-float px-2 py-1 text-12 text-fg shadow-float"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
