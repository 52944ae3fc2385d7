"use client";

import type { ReactNode } from "react";
import { EmptyState } from "@/components/ui/empty-state";
import { contextWord } from "./activity";
import { useForensics } from "./forensics-context";
import { formatPlural } from "./numbers";
import { AddressLink } from "./turn-link";

const LINKS_MAX = 5;

/** In place of a turn, in a trace that holds none: what it does hold. */
export function NoTurns(): ReactNode {
  const { run, address } = useForensics();
  const held = run.contexts.length + run.omitted.contexts;
  return (
    <EmptyState
      title="No turns"
      actions={run.contexts.slice(0, LINKS_MAX).map((context) => (
        <AddressLink
          key={context.n}
          to={{ ...address, view: "code", context: context.n }}
          className="text-13 text-accent underline-offset-2 hover:underline"
        >
          Open {contextWord(context.contextKind)}
        </AddressLink>
      ))}
    >
      The agent says and does nothing in this trace. {formatPlural(held, "message")} of others{" "}
      {held === 1 ? "stands" : "stand"} in it.
    </EmptyState>
  );
}
