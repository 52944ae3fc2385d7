"use client";

import { Quote } from "lucide-react";
import type { ReactNode } from "react";
import { atTurn } from "@/components/trajectory/address";
import type { Quotation } from "@/components/trajectory/flags";
import { useForensics } from "@/components/trajectory/forensics-context";
import { AddressLink } from "@/components/trajectory/turn-link";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import type { Evidence } from "@/lib/views/investigation";
import { SOURCE_NAMES } from "./diagnosis-words";

const QUOTE_CHARS = 160;
const LINK = "flex min-h-6 min-w-0 items-center gap-1.5 text-left hover:underline narrow:min-h-7";

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
  const task = run.contexts.find((context) => context.contextKind === "task");
  const to =
    quotation.turn !== null
      ? { ...atTurn({ ...address, view: "code" as const }, quotation.turn), item: quotation.item }
      : { ...address, view: "code" as const, context: task?.n ?? null };
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

/** Evidence of a model, checked to stand where it says: in a turn, or in what is known besides the turns. */
export function EvidenceLine({
  evidence,
  onOpenFailure,
}: {
  evidence: Evidence;
  /** Opens what is known of how the run ended. */
  onOpenFailure: () => void;
}): ReactNode {
  const { address, run, showPane } = useForensics();
  if (evidence.from === "trace") return <QuotationLine quotation={evidence.quotation} />;
  const words = <Words text={evidence.text} place={SOURCE_NAMES[evidence.from]} />;
  const task = evidence.from === "task" ? run.contexts.find((context) => context.contextKind === "task") : undefined;
  return (
    <Line>
      {task === undefined ? (
        <button type="button" onClick={onOpenFailure} className={LINK}>
          {words}
        </button>
      ) : (
        <AddressLink to={{ ...address, view: "code", context: task.n }} onGo={() => showPane("turn")} className={LINK}>
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
  onOpenFailure: () => void;
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
