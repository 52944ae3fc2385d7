"use client";

import { Quote } from "lucide-react";
import type { ReactNode } from "react";
import { type Address, atTurn } from "@/components/trajectory/address";
import type { Quotation } from "@/components/trajectory/flags";
import { useForensics } from "@/components/trajectory/forensics-context";
import { TASK_ITEM } from "@/components/trajectory/quotations";
import { AddressLink } from "@/components/trajectory/turn-link";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import type { Evidence } from "@/lib/views/investigation";
import type { RunView } from "@/lib/views/run";
import { SOURCE_NAMES } from "./diagnosis-words";

const QUOTE_CHARS = 160;
const LINK = "flex min-h-6 min-w-0 items-center gap-1.5 text-left hover:underline narrow:min-h-7";

/** The context item that holds the task; null when the trace has none. */
const taskOf = (run: RunView): number | null =>
  run.contexts.find(({ contextKind }) => contextKind === "task")?.n ?? null;

const inTask = (address: Address, context: number | null): Address => ({
  ...address,
  view: "code",
  context,
  match: null,
});

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

function Words({ text, place }: { text: string; place: string }): ReactNode {
  const line = oneLine(text);
  return (
    <>
      <q className="truncate text-fg [unicode-bidi:isolate]">
        <UntrustedText text={line.length > QUOTE_CHARS ? `${line.slice(0, QUOTE_CHARS)}…` : line} />
      </q>
      <span className="shrink-0 text-fg-3">{place}</span>
    </>
  );
}

function Line({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className="flex min-w-0 items-center gap-1.5 text-12 leading-5 text-fg-2">
      <Quote aria-hidden strokeWidth={1.75} className="size-3.5 shrink-0 text-fg-3" />
      {children}
    </div>
  );
}

/** A verbatim quotation with its place; a click goes there and highlights it. */
export function QuotationLine({ quotation }: { quotation: Quotation }): ReactNode {
  const { address, run, showPane } = useForensics();
  const to =
    quotation.turn !== null
      ? { ...atTurn({ ...address, view: "code" as const }, quotation.turn), item: quotation.item, at: quotation.start }
      : { ...inTask(address, taskOf(run)), item: quotation.item, at: quotation.start };
  const place =
    quotation.turn !== null ? `#${quotation.turn + 1}${quotation.field === "arguments" ? " arguments" : ""}` : "Task";
  return (
    <Line>
      <AddressLink to={to} onGo={() => showPane("turn")} className={LINK}>
        <Words text={quotation.text} place={place} />
      </AddressLink>
    </Line>
  );
}

/** Words of what is known besides the turns. */
export type SourceQuotation = Exclude<Evidence, { from: "trace" }>;

/** Opens what is known of how the run ended, with the words that are quoted, if any, in sight. */
export type OpenFailure = (quoted: SourceQuotation | null) => void;

/** Evidence of a model, checked to stand where it says: in a turn, or in what is known besides the turns. */
export function EvidenceLine({
  evidence,
  onOpenFailure,
}: {
  evidence: Evidence;
  onOpenFailure: OpenFailure;
}): ReactNode {
  const { address, run, showPane } = useForensics();
  if (evidence.from === "trace") return <QuotationLine quotation={evidence.quotation} />;
  const words = <Words text={evidence.text} place={SOURCE_NAMES[evidence.from]} />;
  // Of the task, the trace holds only the words that it gave itself.
  const task = evidence.from === "task" && run.taskSource === "trace" ? taskOf(run) : null;
  return (
    <Line>
      {task === null ? (
        <button type="button" onClick={() => onOpenFailure(evidence)} className={LINK}>
          {words}
        </button>
      ) : (
        <AddressLink
          to={{ ...inTask(address, task), item: TASK_ITEM, at: evidence.start }}
          onGo={() => showPane("turn")}
          className={LINK}
        >
          {words}
        </AddressLink>
      )}
    </Line>
  );
}

/** Evidence, a line each. */
export function EvidenceLines({
  all,
  onOpenFailure,
}: {
  all: readonly Evidence[];
  onOpenFailure: OpenFailure;
}): ReactNode {
  return all.map((evidence) => {
    const at = evidence.from === "trace" ? evidence.quotation : { ...evidence, item: evidence.from, field: "" };
    return (
      <EvidenceLine
        key={`${at.item} ${at.field} ${at.start} ${at.end}`}
        evidence={evidence}
        onOpenFailure={onOpenFailure}
      />
    );
  });
}
