"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./class-names";
import { IconButton } from "./icon-button";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** One sentence under the title. */
  description?: ReactNode;
  children: ReactNode;
  className?: string;
  /** True for text without a control in it: what scrolls must be reachable by keyboard. */
  isText?: boolean;
}

/** A dialog in the middle of the page. Esc and a click beside it close it; focus returns to where it was. */
export function Dialog(props: DialogProps): ReactNode {
  const { open, onOpenChange, title, description, children, className, isText = false } = props;
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          className={cn(
            "fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[min(480px,calc(100vw-32px))] -translate-x-1/2 flex-col rounded-6 bg-float shadow-float outline-none",
            className,
          )}
        >
          <div className="flex items-start gap-2 border-b border-line py-3 pr-3 pl-4">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-14 leading-7 font-semibold">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="text-13 text-fg-2">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close">
                <X aria-hidden strokeWidth={1.75} />
              </IconButton>
            </Radix.Close>
          </div>
          <div
            className="min-h-0 flex-1 overflow-y-auto rounded-b-6 p-4"
            {...(isText ? { tabIndex: 0, role: "group", "aria-label": title } : {})}
          >
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
