"use client";

import { type ReactNode, useMemo, useState } from "react";
import { Failed, Waiting } from "@/components/trajectory/answer-states";
import { useAnswer } from "@/components/trajectory/answers";
import { useForensics } from "@/components/trajectory/forensics-context";
import { PathName } from "@/components/trajectory/path-name";
import { codePath, turnPath } from "@/components/trajectory/paths";
import { ScrollBox } from "@/components/trajectory/scroll-box";
import { AddressLink } from "@/components/trajectory/turn-link";
import { useMedia } from "@/components/trajectory/use-media";
import { WriteCounts } from "@/components/trajectory/write-counts";
import { cn } from "@/components/ui/class-names";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { type CodeView, codeViewSchema } from "@/lib/views/code";
import { type TurnView, turnViewSchema } from "@/lib/views/turn";
import { CertaintyBadge } from "./certainty-badge";
import { CodeNotices } from "./code-notices";
import { linesOf } from "./code-rows";
import { CodeText, type PointedLine } from "./code-text";
import { chooseFile, type FileTab, fileAddress, fileTabs, leadFile, verdictLine } from "./file-choice";
import { changesOf } from "./line-changes";
import { MonacoDiff } from "./monaco-diff";
import { type WrittenOut, writeOutHidden } from "./written-out";

const ROLE_WORDS: Record<FileTab["role"], string | null> = {
  write: null,
  refused: "refused",
  opaque: "may have changed",
  read: "read",
  other: null,
};

function Tabs({ tabs, open }: { tabs: readonly FileTab[]; open: number | null }): ReactNode {
  const { address, run, turn } = useForensics();
  return (
    <nav
      aria-label="Files of the turn"
      className="flex h-8 shrink-0 overflow-x-auto narrow:h-11 border-b border-line bg-bg-2 [scrollbar-width:thin]"
    >
      {tabs.map((tab) => {
        const words = tab.isScratch ? "scratch" : ROLE_WORDS[tab.role];
        const isOpen = tab.file === open;
        return (
          <AddressLink
            key={tab.file}
            to={{ ...address, turn, file: fileAddress(run.files, tab.file), line: null, item: null }}
            title={tab.display}
            aria-current={isOpen ? "page" : undefined}
            className={cn(
              "flex max-w-80 shrink-0 items-center gap-2 border-r border-line px-3 text-12 whitespace-nowrap text-fg-2 hover:text-fg",
              isOpen && "bg-bg font-medium text-fg shadow-[inset_0_2px_var(--accent)]",
            )}
          >
            <PathName path={tab.name} />
            <WriteCounts added={tab.addedLines} removed={tab.removedLines} />
            {words !== null && <span className="font-normal text-fg-3">{words}</span>}
          </AddressLink>
        );
      })}
    </nav>
  );
}

/** True when the two sides are two different states of the file. */
function isComparison(view: CodeView): boolean {
  return view.before.version !== view.after.version || view.before.kind !== view.after.kind;
}

const EDITOR_LINE_MAX_CHARS = 10_000;
/** Boxes in one text; a file of more is drawn as text, by stretches. */
const EDITOR_BOXES_MAX = 5_000;

/** A whole text that can be handed to the editor. A file that is new or gone has nothing to be compared with. */
function editorText(side: CodeView["before"]): WrittenOut | null {
  if (side.kind !== "whole" || side.omittedChars > 0) return null;
  const written = writeOutHidden(side.ranges.map((range) => range.text).join(""));
  if (written.stretches.length > EDITOR_BOXES_MAX) return null;
  // The editor wraps and measures every character of a line; the plain view cuts long ones and says so.
  return linesOf(written.text).some((line) => line.length > EDITOR_LINE_MAX_CHARS) ? null : written;
}

function SideHeads({ view, writes, compares }: { view: CodeView; writes: boolean; compares: boolean }): ReactNode {
  const { address, go, turn } = useForensics();
  const left = (
    <>
      <SegmentedControl
        label="Compare with"
        value={view.from}
        segments={[
          { value: "baseline", label: "Baseline" },
          { value: "before", label: `Before #${turn + 1}` },
        ]}
        onChange={(from) => go({ ...address, turn, from })}
      />
      <CertaintyBadge side={view.before} />
    </>
  );
  return (
    <div
      className={cn(
        "flex min-h-9 shrink-0 flex-wrap items-center border-b border-line",
        compares && "min-[85rem]:grid min-[85rem]:grid-cols-2",
      )}
    >
      {(compares || writes) && <div className="flex h-9 items-center gap-3 px-3">{left}</div>}
      <div
        className={cn("flex h-9 items-center gap-3 px-3", compares && "min-[85rem]:border-l min-[85rem]:border-line")}
      >
        <SegmentedControl
          label="Show"
          value={view.to}
          segments={[
            { value: "after", label: writes ? `After #${turn + 1}` : `At #${turn + 1}` },
            { value: "final", label: "Final" },
          ]}
          onChange={(to) => go({ ...address, turn, to })}
        />
        <CertaintyBadge side={view.after} />
        {!compares && !writes && view.from === "before" && (
          <button
            type="button"
            className="rounded-4 text-12 font-medium text-accent hover:underline"
            onClick={() => go({ ...address, turn, from: "baseline" })}
          >
            Compare with baseline
          </button>
        )}
      </div>
    </div>
  );
}

function Body({
  view,
  target,
  pointed,
}: {
  view: CodeView;
  target: number | null;
  pointed: PointedLine | null;
}): ReactNode {
  const { address, pane } = useForensics();
  const isWide = useMedia("(width >= 85rem)");
  const isNarrow = useMedia("(width < 40rem)");
  const isHidden = isNarrow && address.view === "code" && pane !== "code";
  const [isReady, setReady] = useState(false);
  const compares = isComparison(view);
  const changes = useMemo(() => changesOf(view), [view]);
  const before = useMemo(() => (compares ? editorText(view.before) : null), [compares, view.before]);
  const after = useMemo(() => (compares ? editorText(view.after) : null), [compares, view.after]);
  const canCompare = before !== null && after !== null && before.text !== after.text;
  const shown = view.after.kind === "absent" && view.before.kind !== "absent" ? view.before : view.after;
  const plain = (
    <CodeText
      side={shown}
      blame={shown === view.after ? view.blame : []}
      language={view.language}
      turn={view.turn}
      target={target}
      isHidden={isHidden}
      pointed={shown === view.after ? pointed : null}
      changes={compares && shown === view.after ? changes : null}
    />
  );
  if (!canCompare) {
    return (
      <ScrollBox
        label="Text of the file"
        className="min-h-0 flex-1 overflow-y-auto narrow:flex-none narrow:overflow-visible"
      >
        <CodeNotices view={view} isCompared={changes !== null} />
        {shown.kind !== "absent" && (shown.kind !== "unknown" || shown.ranges.length > 0) && plain}
      </ScrollBox>
    );
  }
  return (
    <>
      <CodeNotices view={view} isCompared={changes !== null} />
      <div className="relative min-h-0 flex-1 narrow:h-[calc(100dvh-220px)] narrow:flex-none">
        <div className={cn("absolute inset-0", !isReady && "invisible")}>
          <MonacoDiff
            before={before}
            after={after}
            language={view.language}
            blame={view.blame}
            target={target}
            pointed={pointed}
            isSideBySide={isWide}
            onReady={() => setReady(true)}
          />
        </div>
        {!isReady && (
          <ScrollBox label="Text of the file" className="absolute inset-0 overflow-y-auto bg-bg">
            {plain}
          </ScrollBox>
        )}
      </div>
    </>
  );
}

/** One file at the open turn: its tabs are in CodePane. */
export function FileAtTurn({ file, turnView }: { file: number; turnView: TurnView | null }): ReactNode {
  const { answers, address, run, turn, flags } = useForensics();
  const path = codePath(file, turn, address.from, address.to);
  const answer = useAnswer(answers, path, codeViewSchema);
  if (answer.state === "waiting") {
    return (
      <div className="min-h-0 flex-1">
        <div className="h-9 border-b border-line" />
        <Waiting label="Loading the file" lines={14} />
      </div>
    );
  }
  if (answer.state === "failed") {
    return <Failed message={answer.message} onRetry={() => answers.retry(path, codeViewSchema)} />;
  }
  const view = answer.value;
  const writes = turnView?.writes.some((write) => write.file === file) ?? false;
  const judged = verdictLine(run, turn, file);
  const flag = flags.get(turn);
  const pointed: PointedLine | null =
    address.line !== null
      ? { line: address.line, by: "address" }
      : judged !== null && address.to === "after"
        ? { line: judged, by: flag?.role === "decisive" ? "decisive" : "candidate" }
        : null;
  const target = pointed?.line ?? (isComparison(view) ? view.firstChangedLine : null);
  return (
    <>
      <SideHeads view={view} writes={writes} compares={isComparison(view)} />
      <Body key={path} view={view} target={target} pointed={pointed} />
    </>
  );
}

/** The code as it was at the open turn. */
export function CodePane(): ReactNode {
  const { answers, run, address, turn } = useForensics();
  // A run without turns has no turn to ask for.
  const turnAnswer = useAnswer(answers, run.strip.turns === 0 ? null : turnPath(turn), turnViewSchema);
  const turnView = turnAnswer.state === "here" ? turnAnswer.value : null;
  const file = useMemo(
    () => (turnView === null && address.file === null ? null : chooseFile(run, turnView, address.file, address.item)),
    [run, turnView, address.file, address.item],
  );
  const tabs = useMemo(
    () => fileTabs(turnView, run.files, file, leadFile(run, turnView, address.item)),
    [turnView, run, file, address.item],
  );
  if (run.files.length === 0) {
    return <p className="p-4 text-13 text-fg-3">This run neither reads nor writes a file that we can follow.</p>;
  }
  if (file === null) {
    return (
      <div>
        <div className="h-8 border-b border-line bg-bg-2" />
        <div className="h-9 border-b border-line" />
        <Waiting label="Loading the code" lines={14} />
      </div>
    );
  }
  return (
    <div className="flex h-full min-h-0 flex-col narrow:block narrow:h-auto">
      <h2 className="hidden-text">Code at turn {turn + 1}</h2>
      <Tabs tabs={tabs} open={file} />
      <FileAtTurn file={file} turnView={turnView} />
    </div>
  );
}
