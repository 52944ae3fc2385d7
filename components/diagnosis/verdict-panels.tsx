"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import type { Panel } from "@/components/trajectory/address";
import { ScrollBox } from "@/components/trajectory/scroll-box";
import { cn } from "@/components/ui/class-names";

/** Opens or closes a panel under the verdict. */
export function PanelButton({
  panel,
  open,
  onToggle,
  children,
}: {
  panel: Panel;
  open: Panel | null;
  onToggle: (panel: Panel) => void;
  children: ReactNode;
}): ReactNode {
  const isOpen = panel === open;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => onToggle(panel)}
      className="flex items-center gap-1 rounded-4 text-12 leading-6 font-medium text-accent hover:underline"
    >
      {children}
      <Chevron aria-hidden strokeWidth={1.75} className="size-3" />
    </button>
  );
}

/** A panel under the verdict; it leaves room for the turn, so that what its links open can be read beside it. */
export function OpenPanel({
  label,
  isSteady = false,
  children,
}: {
  label: string;
  /** True for what grows while it is looked at: the panel keeps its height, so that nothing below moves. */
  isSteady?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <ScrollBox
      label={label}
      className={cn(
        "overflow-y-auto border-t border-line px-4 py-1",
        isSteady
          ? "h-[clamp(176px,calc(100dvh-700px),40dvh)] narrow:h-[40dvh]"
          : "max-h-[clamp(176px,calc(100dvh-700px),44dvh)] narrow:max-h-none",
      )}
    >
      {children}
    </ScrollBox>
  );
}
