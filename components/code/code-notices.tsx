"use client";

import type { ReactNode } from "react";
import { formatPlural } from "@/components/trajectory/numbers";
import { ScrollBox } from "@/components/trajectory/scroll-box";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { cn } from "@/components/ui/class-names";
import type { CodeView } from "@/lib/views/code";
import { linesOf } from "./code-rows";

function Notice({ children }: { children: ReactNode }): ReactNode {
  return (
    <p className="border-b border-dashed border-line-3 px-3 py-1.5 text-12 leading-5 text-fg-2 [overflow-wrap:anywhere]">
      {children}
    </p>
  );
}

function FragmentLines({ text, kind }: { text: string; kind: "before" | "after" }): ReactNode {
  return linesOf(text).map((line, i) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: rows are never reordered
      key={i}
      className={cn(
        "min-h-5 pr-2 pl-8 whitespace-pre-wrap [overflow-wrap:anywhere] [tab-size:4] relative",
        kind === "before" ? "bg-del-bg" : "bg-add-bg",
      )}
    >
      <span aria-hidden className={cn("absolute left-3", kind === "before" ? "text-del-fg" : "text-add-fg")}>
        {kind === "before" ? "−" : "+"}
      </span>
      <UntrustedText text={line} />
    </div>
  ));
}

const STATUS_WORDS: Record<string, string> = {
  applied: "The edit as the call gave it",
  assumed: "The edit as the call gave it; nothing says whether it worked",
  refused: "This edit was refused and changed nothing",
  opaque: "This command may have changed the file",
};

function Fragment({ fragment }: { fragment: CodeView["fragments"][number] }): ReactNode {
  const isEmpty = fragment.before === null && fragment.after === null;
  return (
    <section className={cn("border-b border-line", fragment.status === "refused" && "border-dashed border-line-3")}>
      <h3 className="flex min-h-7 flex-wrap items-center gap-x-2 bg-bg-2 px-3 text-12 leading-5 text-fg-2">
        <span className="font-medium">{STATUS_WORDS[fragment.status] ?? fragment.status}</span>
        {fragment.startLine !== null && <span className="text-fg-3">from line {fragment.startLine}</span>}
        {fragment.reason !== null && (
          <span className="[overflow-wrap:anywhere]">
            <UntrustedText text={fragment.reason} />
          </span>
        )}
      </h3>
      {!isEmpty && (
        <ScrollBox
          label="Edit"
          className="max-h-90 overflow-y-auto font-mono text-12 leading-5 [font-variant-ligatures:none]"
        >
          {fragment.before !== null && <FragmentLines text={fragment.before} kind="before" />}
          {fragment.after !== null && <FragmentLines text={fragment.after} kind="after" />}
        </ScrollBox>
      )}
      {fragment.omittedChars > 0 && (
        <p className="px-3 py-1 text-12 text-fg-3">
          {formatPlural(fragment.omittedChars, "character")} more: the call in the turn has all of it.
        </p>
      )}
    </section>
  );
}

/** Everything that a person must know before reading the code: what is not known, what was refused, what is left out. */
export function CodeNotices({
  view,
  isCompared,
}: {
  view: CodeView;
  /** Whether what changed between the sides can be told. */
  isCompared: boolean;
}): ReactNode {
  const { before, after } = view;
  const notices: string[] = [];
  if (after.kind === "absent")
    notices.push(
      view.to === "final" ? "The file does not exist at the end." : "The file does not exist after this turn.",
    );
  else if (after.kind === "unknown")
    notices.push("Nothing is known of the file here: it was never read in a form that shows its lines.");
  if (before.kind === "unknown" && after.kind !== "unknown") {
    notices.push(
      view.from === "baseline"
        ? "The file before the run is not known. Attach the repository as the baseline to compare with it."
        : "The file before this turn is not known, so there is nothing to compare with.",
    );
  }
  const hasPartial = before.kind === "partial" || after.kind === "partial";
  if (hasPartial) notices.push("Only the lines that the run showed or wrote are known. Gaps stay gaps.");
  if (before.omittedChars > 0 || after.omittedChars > 0) {
    notices.push("The file is longer than one view may be, so it is shown without comparison.");
  }
  // Where both sides can be compared the file itself shows the change; elsewhere the edit is all there is.
  const fragments = view.fragments.filter(
    (fragment) => fragment.status === "refused" || fragment.status === "opaque" || !isCompared,
  );
  const left = [
    view.omitted.blame > 0 ? `${formatPlural(view.omitted.blame, "run")} of lines without their turn` : null,
    view.omitted.fragments > 0 ? formatPlural(view.omitted.fragments, "more edit") : null,
    view.omitted.versions > 0 ? formatPlural(view.omitted.versions, "more version") : null,
  ].filter((each) => each !== null);
  if (left.length > 0) notices.push(`Left out to keep this short: ${left.join(", ")}.`);
  return (
    <>
      {notices.map((notice) => (
        <Notice key={notice}>{notice}</Notice>
      ))}
      {after.note !== null && (
        <Notice>
          <UntrustedText text={after.note} />
        </Notice>
      )}
      {fragments.map((fragment, i) => (
        <Fragment
          // biome-ignore lint/suspicious/noArrayIndexKey: one call may hold several edits
          key={`${fragment.item} ${i}`}
          fragment={fragment}
        />
      ))}
    </>
  );
}
