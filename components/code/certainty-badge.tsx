"use client";

import type { ReactNode } from "react";
import { certaintyMark, Mark } from "@/components/marks/mark";
import { Tooltip } from "@/components/ui/tooltip";
import type { Side } from "@/lib/views/code";
import { certaintyWords } from "./certainty";

/** How sure a side is: its mark, its word, and on hover or focus what that means. */
export function CertaintyBadge({ side }: { side: Side }): ReactNode {
  const { word, why } = certaintyWords(side);
  return (
    <Tooltip text={why}>
      <button
        type="button"
        className="inline-flex min-w-0 cursor-default items-center gap-1 rounded-4 text-12 whitespace-nowrap text-fg-2"
      >
        {side.kind !== "absent" && <Mark kind={certaintyMark(side.certainty)} label={null} />}
        <span className="truncate">{word}</span>
      </button>
    </Tooltip>
  );
}
