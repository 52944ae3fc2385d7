"use client";

import type { ReactNode } from "react";
import { LinkButton } from "@/components/ui/button";
import { Popover } from "@/components/ui/popover";
import { useForensics } from "./forensics-context";
import { ReadAgain } from "./read-again";

/**
 * Says of an import from before folding that it was not measured; the owner can have the upload read again.
 * @param onAsked is called when a new import was asked for.
 */
export function FoldingNotMeasured({ onAsked }: { onAsked: () => void }): ReactNode {
  const { run } = useForensics();
  return (
    <Popover
      label="Folding"
      className="w-[min(320px,calc(100vw-16px))]"
      trigger={<LinkButton>folding not measured</LinkButton>}
    >
      <div className="grid gap-2 text-13">
        <p>
          <b className="font-medium">Folding: not measured for this import.</b> It is older than the rules, so long
          results are only cut in the middle.
        </p>
        {run.shared === null && (
          <p>
            <ReadAgain onAsked={onAsked} />
          </p>
        )}
      </div>
    </Popover>
  );
}
