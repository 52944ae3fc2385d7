"use client";

import { type ReactNode, useState } from "react";
import { z } from "zod";
import { LinkButton } from "@/components/ui/button";
import { Popover } from "@/components/ui/popover";
import { toast } from "@/components/ui/toast";
import { fetchJson } from "./answers";
import { useForensics } from "./forensics-context";

/**
 * Says of an import from before folding that it was not measured; the owner can have the upload read again.
 * @param onAsked is called when a new import was asked for.
 */
export function FoldingNotMeasured({ onAsked }: { onAsked: () => void }): ReactNode {
  const { run, api } = useForensics();
  const [isAsked, setAsked] = useState(false);
  const readAgain = async (): Promise<void> => {
    setAsked(true);
    try {
      await fetchJson(`${api}/read-again`, z.unknown(), { method: "POST" });
      onAsked();
    } catch (error) {
      setAsked(false);
      toast(error instanceof Error ? error.message : "It could not be read again.");
    }
  };
  return (
    <Popover
      label="Folding"
      className="w-[min(320px,calc(100vw-16px))]"
      trigger={<LinkButton className="narrow:h-11">folding not measured</LinkButton>}
    >
      <div className="grid gap-2 text-13">
        <p>
          <b className="font-medium">Folding: not measured for this import.</b> It is older than the rules, so long
          results are only cut in the middle.
        </p>
        {run.shared === null && (
          <p>
            <LinkButton disabled={isAsked} onClick={() => void readAgain()}>
              {isAsked ? "Reading it again" : "Read the upload again"}
            </LinkButton>
          </p>
        )}
      </div>
    </Popover>
  );
}
