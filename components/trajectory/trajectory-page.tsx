"use client";

import { ChevronDown, ChevronLeft, ChevronRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { z } from "zod";
import { CodePane } from "@/components/code/code-pane";
import { chooseFile, fileAddress } from "@/components/code/file-choice";
import { FilesView } from "@/components/code/files-view";
import { VerdictPanel } from "@/components/diagnosis/verdict-panel";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { KeyHint } from "@/components/ui/kbd";
import { Menu, MenuChoice, MenuChoices } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import type { RunView } from "@/lib/views/run";
import { turnViewSchema } from "@/lib/views/turn";
import {
  type Address,
  atTurn,
  EMPTY_ADDRESS,
  formatAddress,
  OUTLINE_FILTERS,
  type OutlineFilter,
  VIEWS,
  type View,
} from "./address";
import { Answers, fetchJson } from "./answers";
import { flagsOf, openingTurn } from "./flags";
import { type Forensics, ForensicsProvider, type Pane, useForensics } from "./forensics-context";
import { TrajectoryHeader } from "./header";
import type { KeyCommand } from "./key-commands";
import { formatCount, formatSize } from "./numbers";
import { Outline } from "./outline";
import { filterCounts, nextFlagged } from "./outline-rows";
import { turnPath } from "./paths";
import { RawPane } from "./raw-pane";
import { copyText } from "./share-dialog";
import { Timeline } from "./timeline";
import { AddressLink, FlagMark } from "./turn-link";
import { ContextPane, TurnPane } from "./turn-pane";
import { useAddress } from "./use-address";
import { useTurnKeys } from "./use-turn-keys";

export interface TrajectoryPageProps {
  /** The prefix of the JSON routes of this trajectory. */
  api: string;
  run: RunView;
  /** Answers that the server already has for this address, by path under the prefix. */
  initial: readonly (readonly [string, unknown])[];
  isStripClosed: boolean;
}

const REIMPORT_POLL_MS = 1_500;
const importSchema = z.object({
  row: z.object({ status: z.string() }),
  run: z.object({ importId: z.string() }).nullable(),
});

const VIEW_NAMES: Record<View, string> = { code: "Turn and code", files: "Files", raw: "Raw" };
const FILTER_NAMES: Record<OutlineFilter, string> = { all: "All", flagged: "Flagged", writes: "Writes" };
const PANE_NAMES: readonly (readonly [Pane, string])[] = [
  ["outline", "Outline"],
  ["turn", "Turn"],
  ["code", "Code"],
];

function viewsOf(run: RunView): View[] {
  return VIEWS.filter((view) => view !== "raw" || run.permissions.raw);
}

function Filters(): ReactNode {
  const { address, go, run, flags } = useForensics();
  const counts = useMemo(() => filterCounts(run.strip, new Set(flags.keys())), [run.strip, flags]);
  return (
    <fieldset
      aria-label="Turns to list"
      className="m-0 flex items-center gap-1 border-r border-line p-0 pr-2 pl-4 text-12 narrow:h-11 narrow:border-r-0 narrow:border-b"
    >
      {OUTLINE_FILTERS.map((filter) => (
        <button
          key={filter}
          type="button"
          aria-pressed={address.list === filter}
          onClick={() => go({ ...address, list: filter })}
          className="h-6 rounded-4 px-1.5 whitespace-nowrap text-fg-2 hover:bg-bg-hover aria-pressed:bg-accent-bg aria-pressed:font-medium aria-pressed:text-accent"
        >
          {FILTER_NAMES[filter]}
          <span className="mono ml-1.5 font-normal">
            {counts[filter] >= 10_000 ? formatSize(counts[filter]) : formatCount(counts[filter])}
          </span>
        </button>
      ))}
    </fieldset>
  );
}

function ViewTabs(): ReactNode {
  const { address, run } = useForensics();
  return (
    <nav aria-label="Views" className="flex min-w-0 items-stretch px-2">
      {viewsOf(run).map((view, i) => (
        <AddressLink
          key={view}
          to={{ ...address, view, context: null }}
          aria-current={address.view === view ? "page" : undefined}
          className="relative flex items-center gap-1.5 px-2 whitespace-nowrap text-fg-2 hover:text-fg aria-[current]:font-medium aria-[current]:text-fg aria-[current]:after:absolute aria-[current]:after:inset-x-2 aria-[current]:after:-bottom-px aria-[current]:after:h-0.5 aria-[current]:after:bg-accent"
        >
          <span className="mono text-12 font-normal text-fg-3">{i + 1}</span>
          {VIEW_NAMES[view]}
          {view === "files" && (
            <span className="mono text-12 font-normal text-fg-3">
              {formatCount(run.files.length + run.omitted.files)}
            </span>
          )}
        </AddressLink>
      ))}
    </nav>
  );
}

function NarrowTabs(): ReactNode {
  const { pane, showPane, turn, address, go, run } = useForensics();
  const bar = useRef<HTMLDivElement>(null);
  return (
    <div ref={bar} className="sticky top-0 z-10 hidden border-b border-line bg-bg px-2 narrow:flex">
      {PANE_NAMES.map(([id, name]) => (
        <button
          key={id}
          type="button"
          aria-pressed={pane === id}
          onClick={() => {
            showPane(id);
            // What was asked for begins right under the tabs.
            requestAnimationFrame(() => {
              const box = bar.current?.parentElement;
              if (box) window.scrollTo({ top: window.scrollY + box.getBoundingClientRect().top });
            });
          }}
          className="relative h-11 px-3 font-medium text-fg-2 aria-pressed:text-fg aria-pressed:after:absolute aria-pressed:after:inset-x-3 aria-pressed:after:-bottom-px aria-pressed:after:h-0.5 aria-pressed:after:bg-accent"
        >
          {id === "turn" ? `${name} #${turn + 1}` : name}
        </button>
      ))}
      <span className="flex-1" />
      <Menu
        trigger={
          <button type="button" className="flex items-center gap-1 px-3 text-fg-2">
            View
            <ChevronDown aria-hidden strokeWidth={1.75} className="size-3.5" />
          </button>
        }
      >
        <MenuChoices
          value={address.view}
          onValueChange={(value) => {
            const view = VIEWS.find((each) => each === value);
            if (view) go({ ...address, view, context: null });
          }}
        >
          {viewsOf(run).map((view) => (
            <MenuChoice key={view} value={view}>
              {VIEW_NAMES[view]}
            </MenuChoice>
          ))}
        </MenuChoices>
      </Menu>
    </div>
  );
}

/** An address as the key bar shows it. The token of a link is a secret, and pages are filmed and shown. */
function placeOf(href: string): string {
  return href.replace(/^\/s\/[^?]+/, "/s/…");
}

function KeyBar({ place }: { place: string }): ReactNode {
  const { run } = useForensics();
  return (
    <footer className="flex h-7 shrink-0 items-center gap-4 overflow-hidden border-t border-line bg-bg-2 px-4 text-12 whitespace-nowrap text-fg-3 narrow:hidden">
      <KeyHint keys={["j", "k"]}>turn</KeyHint>
      <KeyHint keys={["e"]}>next flagged</KeyHint>
      <span className="inline-flex items-center gap-1">
        <KeyHint keys={["1"]}>–</KeyHint>
        <KeyHint keys={[String(viewsOf(run).length)]}>view</KeyHint>
      </span>
      <KeyHint keys={["y"]}>copy link</KeyHint>
      <KeyHint keys={["?"]}>all keys</KeyHint>
      <span className="mono ml-auto min-w-0 truncate" title={place}>
        {place}
      </span>
    </footer>
  );
}

function NarrowBar(): ReactNode {
  const { turn, run, goTurn, flags, showPane } = useForensics();
  const flagged = new Set(flags.keys());
  const next = nextFlagged(flagged, turn, 1) ?? (flagged.size > 0 ? Math.min(...flagged) : null);
  const flag = next === null ? undefined : flags.get(next);
  return (
    <nav
      aria-label="Turn"
      className="fixed inset-x-0 bottom-0 z-10 hidden h-13 items-center gap-2 border-t border-line bg-bg-2 px-4 narrow:flex"
    >
      <Button
        size="large"
        disabled={turn === 0}
        aria-label={turn === 0 ? "Previous turn" : `Previous turn, ${turn}`}
        onClick={() => goTurn(turn - 1)}
      >
        <ChevronLeft aria-hidden strokeWidth={1.75} />
        {turn === 0 ? "" : turn}
      </Button>
      <Button
        size="large"
        disabled={turn >= run.strip.turns - 1}
        aria-label={turn >= run.strip.turns - 1 ? "Next turn" : `Next turn, ${turn + 2}`}
        onClick={() => goTurn(turn + 1)}
      >
        <ChevronRight aria-hidden strokeWidth={1.75} />
        {turn >= run.strip.turns - 1 ? "" : turn + 2}
      </Button>
      <span className="mono flex-1 text-center text-12 text-fg-2">
        #{turn + 1} of {formatCount(run.strip.turns)}
      </span>
      {next !== null && flag && (
        <Button
          size="large"
          onClick={() => {
            goTurn(next);
            showPane("turn");
          }}
        >
          <FlagMark flag={flag} label={null} />
          Next flagged
        </Button>
      )}
    </nav>
  );
}

function Panes(): ReactNode {
  const { address, pane, run } = useForensics();
  const hasFiles = run.files.length > 0;
  const { view } = address;
  const main =
    "min-h-0 min-w-0 overflow-hidden border-r border-line last:border-r-0 narrow:overflow-visible narrow:border-r-0";
  const hidden = (id: Pane) => pane !== id && "narrow:hidden";
  return (
    <div className="grid min-h-0 grid-cols-[248px_minmax(0,1fr)] grid-rows-[36px_minmax(0,1fr)] medium:grid-cols-[224px_minmax(0,1fr)] narrow:block">
      <div className="col-span-2 grid grid-cols-subgrid border-b border-line narrow:hidden">
        <Filters />
        <ViewTabs />
      </div>
      <NarrowTabs />
      <div className={cn(main, "max-lg:hidden narrow:block", hidden("outline"))}>
        <div className="hidden narrow:block">
          <Filters />
        </div>
        <Outline />
      </div>
      <div className={cn("min-h-0 min-w-0 max-lg:col-span-2", pane === "outline" && "narrow:hidden")}>
        {view === "code" && (
          <div
            className={cn(
              "grid h-full min-h-0 narrow:block narrow:h-auto",
              hasFiles
                ? "grid-cols-[416px_minmax(0,1fr)] medium:grid-cols-[minmax(320px,400px)_minmax(0,1fr)]"
                : "grid-cols-[minmax(0,1fr)_320px]",
            )}
          >
            <section aria-label="Turn" className={cn(main, hidden("turn"))}>
              {address.context === null ? <TurnPane /> : <ContextPane n={address.context} />}
            </section>
            <section aria-label="Code" className={cn(main, hidden("code"))}>
              <CodePane />
            </section>
          </div>
        )}
        {view === "files" && <FilesView />}
        {view === "raw" && <RawPane />}
      </div>
    </div>
  );
}

/** One trajectory: what was found, all its turns, the open turn, and the code as it was then. */
export function TrajectoryPage({ api, run, initial, isStripClosed }: TrajectoryPageProps): ReactNode {
  const router = useRouter();
  const { address, go, href } = useAddress();
  const [answers] = useState(() => new Answers(api, initial));
  const [pane, showPane] = useState<Pane>("turn");
  const flags = useMemo(() => flagsOf(run.verdict), [run.verdict]);
  const last = Math.max(0, run.strip.turns - 1);
  const turn = Math.min(last, address.turn ?? openingTurn(run.verdict, run.strip.turns));
  const isContextKnown = address.context === null || run.contexts.some((each) => each.n === address.context);
  const view = address.view === "raw" && !run.permissions.raw ? "code" : address.view;
  const shown: Address = useMemo(
    () => ({ ...address, view, context: isContextKnown ? address.context : null }),
    [address, view, isContextKnown],
  );

  const goTurn = useCallback(
    (next: number, how: "push" | "replace" = "push") => {
      go(atTurn(shown, Math.max(0, Math.min(last, next))), how);
    },
    [go, shown, last],
  );
  // The neighbours are here before they are asked for.
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const near of [turn + 1, turn - 1]) {
        if (near >= 0 && near <= last) answers.ask(turnPath(near), turnViewSchema);
      }
    }, 150);
    return () => clearTimeout(timer);
  }, [answers, turn, last]);

  const exact = useCallback((): Address => {
    const turnView = answers.value(turnPath(turn), turnViewSchema);
    const file = chooseFile(run, turnView, shown.file);
    return { ...shown, turn, file: file === null ? null : fileAddress(run.files, file), list: EMPTY_ADDRESS.list };
  }, [answers, turn, run, shown]);
  const copyLink = useCallback(() => {
    void copyText(`${window.location.origin}${href(exact())}`, `Link to #${turn + 1} copied`);
  }, [href, exact, turn]);

  useTurnKeys((command: KeyCommand, isHeld) => {
    const how = isHeld ? "replace" : "push";
    const flagged = new Set(flags.keys());
    const jump = (to: number | null, none: string) => (to === null ? toast(none) : goTurn(to, how));
    if (command === "next") goTurn(turn + 1, how);
    else if (command === "previous") goTurn(turn - 1, how);
    else if (command === "first") goTurn(0);
    else if (command === "last") goTurn(last);
    else if (command === "next-flagged") jump(nextFlagged(flagged, turn, 1), "No flagged turn after this one");
    else if (command === "previous-flagged") jump(nextFlagged(flagged, turn, -1), "No flagged turn before this one");
    else if (command === "copy-link") copyLink();
    else if (command === "close") {
      if (shown.context !== null || shown.item !== null) go({ ...shown, context: null, item: null });
    } else {
      const wanted = viewsOf(run)[Number(command.slice(-1)) - 1];
      if (wanted) go({ ...shown, turn, view: wanted, context: null });
    }
  });

  const [isReimporting, setReimporting] = useState(false);
  useEffect(() => {
    if (!isReimporting) return;
    const timer = setInterval(() => {
      fetchJson(api, importSchema).then(
        (answer) => {
          if (answer.run !== null && answer.run.importId !== run.importId) router.refresh();
          else if (answer.row.status === "failed") setReimporting(false);
        },
        // The next round asks again; what is shown stays true.
        () => undefined,
      );
    }, REIMPORT_POLL_MS);
    return () => clearInterval(timer);
  }, [isReimporting, api, run.importId, router]);

  const value: Forensics = {
    run,
    api,
    answers,
    address: shown,
    turn,
    flags,
    go,
    goTurn,
    href,
    copyLink,
    pane,
    showPane,
  };
  return (
    <ForensicsProvider value={value}>
      <main className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)_auto] narrow:block narrow:pb-14">
        <div className="border-b border-line">
          <TrajectoryHeader query={formatAddress(exact())} onAttached={() => setReimporting(true)} />
          <VerdictPanel sentence={run.sentence} verdict={run.verdict} />
        </div>
        <Timeline initiallyClosed={isStripClosed} />
        <Panes />
        <KeyBar place={placeOf(href({ ...exact(), list: shown.list }))} />
        <NarrowBar />
      </main>
    </ForensicsProvider>
  );
}
