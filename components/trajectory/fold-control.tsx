"use client";

import type { ReactNode } from "react";
import { SegmentedControl } from "@/components/ui/segmented-control";
import type { FoldMode } from "./address";
import { FoldingPopover } from "./folding-popover";
import { useForensics } from "./forensics-context";

const MODES: { value: FoldMode; label: string }[] = [
  { value: "parts", label: "By parts" },
  { value: "paper", label: "As the paper" },
  { value: "off", label: "Off" },
];

/** By which rule the results of the run are folded; kept in the address. Nothing for an import without folding. */
export function FoldControl(): ReactNode {
  const { run, address, go } = useForensics();
  if (run.folding === null) return null;
  return (
    <div className="flex h-8 items-center gap-2 border-b border-line px-4 text-12 text-fg-3 narrow:h-auto narrow:min-h-13 narrow:flex-wrap narrow:py-1">
      <span className="mr-auto">
        <FoldingPopover folding={run.folding} mode={address.fold} />
      </span>
      <SegmentedControl
        label="How results are folded"
        segments={MODES}
        value={address.fold}
        onChange={(fold) => go({ ...address, fold })}
        className="narrow:h-11 narrow:[&_button]:px-3"
      />
    </div>
  );
}
