"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { fileAddress } from "@/components/code/file-choice";
import { cn } from "@/components/ui/class-names";
import type { ItemView, TurnView, WriteView } from "@/lib/views/turn";
import { ArgumentBlock } from "./argument-block";
import { useFind } from "./find-context";
import { FoldedBlock } from "./folded-text";
import { useForensics } from "./forensics-context";
import { formatDuration, formatPlural, formatSize } from "./numbers";
import { askedQuotation, type PlacedQuotation, withAsked } from "./quotations";
import { type BlockMarks, ProseBlock, TerminalBlock } from "./text-block";
import { type Segment, segmentsOf } from "./text-folds";
import type { MarkedStretch } from "./text-lines";
import { AddressLink, FlagMark } from "./turn-link";
import { UntrustedText } from "./untrusted-text";
import { WriteCounts } from "./write-counts";

const LABELS: Record<ItemView["kind"], string> = {
  thought: "Thought",
  message: "Message",
  plan: "Plan",
  handoff: "Handoff",
  review: "Review",
  call: "Call",
  result: "Result",
  opaque: "Not understood",
};

/** Characters of a message that still stands on the line of its label. */
const ONE_LINE_CHARS = 60;

/** The verdict's quotations from one item; the one that the address asks for comes first, so that it is seen. */
export function useQuotations(item: string, field: "text" | "arguments"): PlacedQuotation[] {
  const { quotations, address } = useForensics();
  const asked = askedQuotation(quotations, address);
  return useMemo(
    () =>
      withAsked(
        quotations.filter((one) => one.item === item && one.field === field),
        asked,
      ),
    [quotations, asked, item, field],
  );
}

/** What is marked in a text of an item: the matches of what is looked for, then the verdict's quotations. */
function useMarks(item: string, field: "text" | "arguments", quotations: readonly MarkedStretch[]): BlockMarks {
  const found = useFind().marksOf(item, field);
  return useMemo(() => (found.length === 0 ? quotations : [...found, ...quotations]), [found, quotations]);
}

function Evidence({ quotations }: { quotations: readonly PlacedQuotation[] }): ReactNode {
  const { turn, flags } = useForensics();
  const flag = flags.get(turn);
  const place = quotations.find((each) => each.place !== null)?.place ?? null;
  if (place === null || !flag) return null;
  return (
    <span className="inline-flex items-center gap-1 text-12 text-fg-3">
      <FlagMark flag={flag} size={10} label={null} />
      evidence {place.n} of {place.of}
    </span>
  );
}

function Label({ children, className }: { children: ReactNode; className?: string }): ReactNode {
  return <span className={cn("shrink-0 font-medium text-fg-2", className)}>{children}</span>;
}

const HEAD = "flex items-center gap-2 text-12 leading-5 text-fg-3 whitespace-nowrap";
const FRAME = "border-b border-line px-4 py-2";

function WriteLink({ write }: { write: WriteView }): ReactNode {
  const { address, run, turn, showPane } = useForensics();
  const words =
    write.status === "refused" ? "refused" : write.status === "opaque" ? "may have changed a file" : "in code";
  return (
    <span className="inline-flex items-center gap-2">
      <WriteCounts added={write.addedLines} removed={write.removedLines} />
      <AddressLink
        className="font-medium text-accent hover:underline narrow:-my-2 narrow:py-2"
        to={{ ...address, turn, view: "code", file: fileAddress(run.files, write.file), line: null, item: null }}
        onGo={() => showPane("code")}
        aria-label={`${words}: ${write.display}`}
      >
        {words}
      </AddressLink>
    </span>
  );
}

function CallItem({ item, number, writes }: { item: ItemView; number: string; writes: WriteView[] }): ReactNode {
  const textQuotations = useQuotations(item.id, "text");
  const argumentQuotations = useQuotations(item.id, "arguments");
  const textMarks = useMarks(item.id, "text", textQuotations);
  const argumentMarks = useMarks(item.id, "arguments", argumentQuotations);
  const hasMarks = textMarks.length + argumentMarks.length > 0;
  const [chosen, setOpen] = useState<boolean | null>(null);
  const isOpen = chosen ?? hasMarks;
  // A call that somebody closed opens again for a match that is gone to.
  const current = [...textMarks, ...argumentMarks].find((mark) => mark.kind === "find-current");
  const [seen, setSeen] = useState(current);
  if (seen?.start !== current?.start) {
    setSeen(current);
    if (current !== undefined) setOpen(null);
  }
  const field = shownField(item, textMarks, argumentMarks);
  const body = field === "arguments" ? item.arguments : item.text;
  const isShell = item.callKind === "execute";
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const sameAsSummary = body !== null && body.omittedChars === 0 && body.head.trim() === (item.summary ?? "").trim();
  const openable = body !== null && body.totalChars > 0 && (!sameAsSummary || textMarks.length > 0);
  const summary = (
    <code className="min-w-0 truncate text-fg">
      {isShell && (
        <span aria-hidden className="text-fg-3 select-none">
          ${" "}
        </span>
      )}
      <UntrustedText text={item.summary ?? item.tool ?? ""} />
    </code>
  );
  return (
    <section data-item={item.id} className={cn(FRAME, "py-1", isOpen && openable && "pb-0")}>
      <div className={cn(HEAD, "min-w-0 flex-wrap")}>
        <Label className="min-w-13">{number}</Label>
        {openable ? (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="flex min-w-0 flex-[1_1_220px] items-center gap-1 text-left hover:text-fg"
          >
            {summary}
            <Chevron aria-hidden strokeWidth={1.75} className="size-3 shrink-0 text-fg-3" />
            <span className="hidden-text">{field === "arguments" ? "Arguments" : "The whole call"}</span>
          </button>
        ) : (
          <span className="flex min-w-0 flex-[1_1_220px]">{summary}</span>
        )}
        <span className="ml-auto flex items-center gap-3">
          {item.isCut && <span title="The trace holds only a part of this call.">cut by the source</span>}
          <Evidence quotations={[...textQuotations, ...argumentQuotations]} />
          {writes.map((write) => (
            <WriteLink key={write.n} write={write} />
          ))}
        </span>
      </div>
      {isOpen && openable && (
        <div className="-mx-4 mt-1">
          {field === "arguments" ? (
            <ArgumentBlock view={body} item={item.id} quotations={argumentMarks} />
          ) : (
            <TerminalBlock view={body} item={item.id} field="text" quotations={textMarks} numbered={false} />
          )}
        </div>
      )}
    </section>
  );
}

/** Of a call that has both, the text is shown, unless a quotation or the open match stands in the arguments. */
function shownField(item: ItemView, inText: BlockMarks, inArguments: BlockMarks): "text" | "arguments" {
  if (item.arguments === null) return "text";
  if (item.text === null) return "arguments";
  const isOpen = (mark: MarkedStretch): boolean => mark.kind === "find-current";
  if (inText.some(isOpen)) return "text";
  return inArguments.some((mark) => mark.kind !== "find") ? "arguments" : "text";
}

function resultWords(item: ItemView, segments: readonly Segment[] | null): string {
  const words: string[] = [];
  if (item.exitCode !== null) words.push(`exit ${item.exitCode}`);
  else if (item.isError === true) words.push("failed");
  if (item.text && item.text.totalChars > 0) words.push(`${formatSize(item.text.totalChars)} characters`);
  else words.push("no output");
  if (item.durationMs !== null) words.push(formatDuration(item.durationMs));
  const folded = segments?.filter((each) => each.kind === "folded") ?? [];
  const lines = folded.reduce((sum, each) => sum + each.lines, 0);
  const chars = folded.reduce((sum, each) => sum + each.end - each.start, 0);
  if (lines > 0) words.push(`${formatPlural(lines, "line")} folded`);
  else if (chars > 0) words.push(`${formatSize(chars)} folded`);
  return words.join(", ");
}

function ResultItem({ item, label }: { item: ItemView; label: string }): ReactNode {
  const quotations = useQuotations(item.id, "text");
  const marks = useMarks(item.id, "text", quotations);
  const { run, address } = useForensics();
  const isMeasured = run.folding !== null;
  const segments = useMemo(
    () => (item.text === null || !isMeasured ? null : segmentsOf(item.text, item.fold, address.fold)),
    [item, isMeasured, address.fold],
  );
  return (
    <section data-item={item.id} className={cn(FRAME, item.text && item.text.totalChars > 0 && "border-b-0 pb-0")}>
      <div className={cn(HEAD, "flex-wrap")}>
        <Label>{label}</Label>
        <span>{resultWords(item, segments)}</span>
        <span className="ml-auto flex items-center gap-3">
          {item.isCut && <span title="The trace holds only a part of this result.">cut by the source</span>}
          {item.arrivedLate && (
            <span title="It became known after a later turn had begun, so it counts from there.">arrived late</span>
          )}
          <Evidence quotations={quotations} />
        </span>
      </div>
      {item.text && item.text.totalChars > 0 && (
        <div className="-mx-4 mt-1">
          {segments === null ? (
            <TerminalBlock view={item.text} item={item.id} field="text" quotations={marks} isWhole={isMeasured} />
          ) : (
            <FoldedBlock
              // Another rule begins with its own parts, none of them opened.
              key={address.fold}
              item={item.id}
              totalChars={item.text.totalChars}
              segments={segments}
              quotations={marks}
            />
          )}
        </div>
      )}
    </section>
  );
}

function TextItem({ item }: { item: ItemView }): ReactNode {
  const quotations = useQuotations(item.id, "text");
  const marks = useMarks(item.id, "text", quotations);
  const { author, text } = item;
  const who = author.role === "agent" ? null : (author.name ?? author.role);
  if (text === null) return null;
  const isShort = text.omittedChars === 0 && text.head.length <= ONE_LINE_CHARS && !text.head.trim().includes("\n");
  if (isShort && marks.length === 0) {
    return (
      <section data-item={item.id} className={cn(FRAME, "py-1")}>
        <div className={cn(HEAD, "items-baseline")}>
          <Label className="min-w-13">{LABELS[item.kind]}</Label>
          {who !== null && <span>{who}</span>}
          <span className="min-w-0 flex-1 text-13 whitespace-normal text-fg [overflow-wrap:anywhere] [unicode-bidi:plaintext]">
            <UntrustedText text={text.head.trim()} prose />
          </span>
        </div>
      </section>
    );
  }
  return (
    <section data-item={item.id} className={FRAME}>
      <div className={HEAD}>
        <Label>{LABELS[item.kind]}</Label>
        {who !== null && <span>{who}</span>}
        <span className="ml-auto">
          <Evidence quotations={quotations} />
        </span>
      </div>
      <ProseBlock view={text} item={item.id} quotations={marks} />
    </section>
  );
}

const NO_QUOTATIONS: readonly MarkedStretch[] = [];

function OpaqueItem({ item }: { item: ItemView }): ReactNode {
  const marks = useMarks(item.id, "text", NO_QUOTATIONS);
  return (
    <section data-item={item.id} className="border-b border-dashed border-line-3 px-4 pt-2">
      <div className={cn(HEAD, "whitespace-normal")}>
        <Label>{LABELS.opaque}</Label>
        <UntrustedText text={item.reason ?? ""} />
      </div>
      {item.text && (
        <div className="-mx-4 mt-1">
          <TerminalBlock view={item.text} item={item.id} field="text" quotations={marks} numbered={false} />
        </div>
      )}
    </section>
  );
}

/** The items of a turn in the order of the trace; calls are numbered, results name their call when there are several. */
export function ItemList({ turn }: { turn: TurnView }): ReactNode {
  const calls = turn.items.filter((item) => item.kind === "call");
  const numberOf = (id: string | null) => calls.findIndex((call) => call.id === id) + 1;
  return turn.items.map((item) => {
    if (item.kind === "call") {
      const number = calls.length > 1 ? `Call ${numberOf(item.id)}` : "Call";
      return (
        <CallItem
          key={item.id}
          item={item}
          number={number}
          writes={turn.writes.filter((each) => each.item === item.id)}
        />
      );
    }
    if (item.kind === "result") {
      const of = numberOf(item.answers);
      const label = of === 0 ? "Result without a call" : calls.length > 1 ? `Result ${of}` : "Result";
      return <ResultItem key={item.id} item={item} label={label} />;
    }
    if (item.kind === "opaque") return <OpaqueItem key={item.id} item={item} />;
    return <TextItem key={item.id} item={item} />;
  });
}
