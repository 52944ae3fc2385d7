"use client";

import type { ReactNode } from "react";
import { LinkButton } from "@/components/ui/button";
import { Popover } from "@/components/ui/popover";
import type { RuleSavings, RunFolding } from "@/lib/views/fold";
import type { FoldMode } from "./address";
import { savingsNet, savingsSentence, savingsShort } from "./folding-words";
import { formatCount } from "./numbers";
import { ScrollBox } from "./scroll-box";

/** What folding saves in the run, with both rules, their versions, tau and the words explained. */
export function FoldingPopover({ folding, mode }: { folding: RunFolding; mode: FoldMode }): ReactNode {
  const { savings, tauChars, words } = folding;
  return (
    <Popover
      label="What is folded"
      className="w-[min(420px,calc(100vw-16px))] p-0"
      trigger={<LinkButton className="narrow:h-11">{savingsShort(folding, mode)}</LinkButton>}
    >
      <ScrollBox
        label="Both rules"
        className="grid max-h-(--radix-popover-content-available-height) gap-4 overflow-y-auto p-3 text-13"
      >
        <Rule name="By parts" savings={savings.parts} folding={folding}>
          Of each result stay its first and last lines, the lines around every failure word, diffs with their hunks,
          tracebacks, and summaries of test runs, up to about 8,000 characters. A word does not count inside a name or a
          path, in a line of code, or where it is said not to be there (“0 failed”).
          {savings.parts.leftOut > 0 &&
            ` ${formatCount(savings.parts.leftOut)} lines with a signal are over that bound.`}
        </Rule>
        <Rule name="As the paper" savings={savings.paper} folding={folding}>
          A result is folded when it holds no header of a diff and is either longer than τ = {formatCount(tauChars)}{" "}
          characters or without any failure word, in any case and anywhere in a word: TrajAudit’s Algorithm 1. It prints
          neither τ nor all of its words; ours are used.
        </Rule>
        <section className="grid gap-1">
          <h3 className="font-medium">Failure words</h3>
          <p className="mono text-12 text-fg-2">{words.join(", ")}</p>
        </section>
        <p className="border-t border-line pt-2 text-12 text-fg-3">
          Thoughts, messages and calls are never folded. Tokens are an estimate: {folding.charsPerToken} characters
          each.
        </p>
      </ScrollBox>
    </Popover>
  );
}

function Rule({
  name,
  savings,
  folding,
  children,
}: {
  name: string;
  savings: RuleSavings;
  folding: RunFolding;
  children: ReactNode;
}): ReactNode {
  return (
    <section className="grid gap-1">
      <h3 className="flex items-baseline gap-2 font-medium">
        {name} <span className="mono text-12 font-normal text-fg-3">{savings.rule}</span>
      </h3>
      <p>{savingsSentence(folding, savings)}</p>
      <p className="text-12 text-fg-2">{savingsNet(folding, savings)}</p>
      <p className="text-12 text-fg-3 text-pretty">{children}</p>
    </section>
  );
}
