"use client";

import { type ReactNode, useState } from "react";
import { z } from "zod";
import { LinkButton } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { fetchJson } from "./answers";
import { useForensics } from "./forensics-context";

/**
 * Has the upload read once more, with the rules of today. What is shown stays until the new import is here.
 * @param onAsked is called when the new import is queued.
 */
export function ReadAgain({ onAsked }: { onAsked: () => void }): ReactNode {
  const { api } = useForensics();
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
    <LinkButton disabled={isAsked} onClick={() => void readAgain()}>
      {isAsked ? "Reading it again" : "Read the upload again"}
    </LinkButton>
  );
}
