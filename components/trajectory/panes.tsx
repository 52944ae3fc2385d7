"use client";

import { ChevronDown, Search } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { CodePane } from "@/components/code/code-pane";
import { FilesView } from "@/components/code/files-view";
import { cn } from "@/components/ui/class-names";
import { IconButton } from "@/components/ui/icon-button";
import { Menu, MenuChoice, MenuChoices, MenuItem } from "@/components/ui/menu";
import type { RunView } from "@/lib/views/run";
import { OUTLINE_FILTERS, type OutlineFilter, type Pane, VIEWS, type View, withPane } from "./address";
import { ContextPane } from "./context-pane";
import { FindBar } from "./find-bar";
import { useFind } from "./find-context";
import { useForensics } from "./forensics-context";
import { NoTurns } from "./no-turns";
import { formatCount, formatSize } from "./numbers";
import { Outline } from "./outline";
import { filterCounts } from "./outline-rows";
import { RawPane } from "./raw-pane";
import { AddressLink } from "./turn-link";
import { TurnPane } from "./turn-pane";
import { useMedia } from "./use-media";

const VIEW_NAMES: Record<View, string> = { code: "Turn and code", files: "Files", raw: "Raw" };
const FILTER_NAMES: Record<OutlineFilter, string> = { all: "All", flagged: "Flagged", writes: "Writes" };
const PANE_NAMES: readonly (readonly [Pane, string])[] = [
  ["outline", "Outline"],
  ["turn", "Turn"],
  ["code", "Code"],
];

/** The views that this person may open, in the order of their keys. */
export function viewsOf(run: RunView): View[] {
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
          className="h-6 rounded-4 px-1.5 whitespace-nowrap narrow:h-9 narrow:px-2.5 text-fg-2 hover:bg-bg-hover aria-pressed:bg-accent-bg aria-pressed:font-medium aria-pressed:text-accent"
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
  const { words } = useFind();
  return (
    <nav
      aria-label="Views"
      // Between a phone and a wide page there is room for one of the two.
      className={cn("flex items-stretch px-2", words !== null && "max-lg:hidden")}
    >
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

/** Scrolls a page of one column so that what the tabs show begins right under them. */
function showTabs(bar: HTMLElement | null): void {
  const box = bar?.parentElement;
  if (box && bar.offsetHeight > 0) window.scrollTo({ top: window.scrollY + box.getBoundingClientRect().top });
}

function NarrowTabs({ isNarrow }: { isNarrow: boolean }): ReactNode {
  const { pane, turn, address, go, run } = useForensics();
  const { words, isBarOpen, openBar } = useFind();
  const isFinding = words !== null || isBarOpen;
  const isOtherView = pane !== "outline" && address.view !== "code";
  const bar = useRef<HTMLDivElement>(null);
  const shown = useRef(pane);
  // An address that names a pane was made where that pane was in view.
  const isNamed = useRef(address.pane !== null);
  useEffect(() => {
    if (isNamed.current && window.scrollY === 0) showTabs(bar.current);
  }, []);
  // Before the panes do so with the place inside them that was asked for: they stand after this bar.
  useEffect(() => {
    if (shown.current === pane) return;
    shown.current = pane;
    showTabs(bar.current);
  }, [pane]);
  return (
    <div ref={bar} data-sticky className="sticky top-0 z-20 hidden border-b border-line bg-bg narrow:block">
      <div className="flex px-2">
        {PANE_NAMES.map(([id, name]) => (
          <button
            key={id}
            type="button"
            aria-pressed={pane === id && !isOtherView}
            onClick={() => {
              // Turn and code are one view; from another one their tabs lead back to it.
              go(withPane(id === "outline" ? address : { ...address, view: "code" }, id));
              if (id === pane) showTabs(bar.current);
            }}
            className="relative h-11 px-3 font-medium text-fg-2 aria-pressed:text-fg aria-pressed:after:absolute aria-pressed:after:inset-x-3 aria-pressed:after:-bottom-px aria-pressed:after:h-0.5 aria-pressed:after:bg-accent"
          >
            {id === "turn" && run.strip.turns > 0 ? `${name} #${turn + 1}` : name}
          </button>
        ))}
        <span className="flex-1" />
        <IconButton label="Find in all turns" aria-expanded={isFinding} className="h-11 w-9" onClick={openBar}>
          <Search aria-hidden strokeWidth={1.75} />
        </IconButton>
        <Menu
          trigger={
            <button
              type="button"
              className={cn(
                "relative flex items-center gap-1 px-2 text-fg-2",
                isOtherView &&
                  "font-medium text-fg after:absolute after:inset-x-2 after:-bottom-px after:h-0.5 after:bg-accent",
              )}
            >
              {isOtherView ? VIEW_NAMES[address.view] : "View"}
              <ChevronDown aria-hidden strokeWidth={1.75} className="size-3.5" />
            </button>
          }
        >
          <MenuChoices
            value={address.view}
            onValueChange={(value) => {
              const view = VIEWS.find((each) => each === value);
              if (view) go({ ...address, view, context: null, pane: null });
            }}
          >
            {viewsOf(run).map((view) => (
              <MenuChoice key={view} value={view}>
                {VIEW_NAMES[view]}
              </MenuChoice>
            ))}
          </MenuChoices>
          <MenuItem asChild>
            <Link href="/legend">
              <span aria-hidden className="w-2" />
              Legend
            </Link>
          </MenuItem>
        </Menu>
      </div>
      {/* The server does not know how wide the page is: until the browser does, the bar's two rows are kept free. */}
      {isFinding && (isNarrow ? <FindBar isNarrow /> : <div aria-hidden className="h-[85px]" />)}
    </div>
  );
}

/** The three panes of a trajectory page, or one view in place of turn and code. */
export function Panes(): ReactNode {
  const { address, pane, run } = useForensics();
  const isNarrow = useMedia("(width < 40rem)");
  const hasFiles = run.files.length > 0;
  const hasTurns = run.strip.turns > 0;
  const { view } = address;
  const main =
    "min-h-0 min-w-0 overflow-hidden border-r border-line last:border-r-0 narrow:overflow-visible narrow:border-r-0";
  const hidden = (id: Pane) => pane !== id && "narrow:hidden";
  return (
    <div className="grid min-h-0 grid-cols-[248px_minmax(0,1fr)] grid-rows-[36px_minmax(0,1fr)] medium:grid-cols-[224px_minmax(0,1fr)] narrow:block">
      <div className="col-span-2 grid grid-cols-subgrid border-b border-line narrow:hidden">
        <Filters />
        <div className="relative flex min-w-0">
          <ViewTabs />
          {!isNarrow && <FindBar />}
        </div>
      </div>
      <NarrowTabs isNarrow={isNarrow} />
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
              {address.context !== null ? <ContextPane n={address.context} /> : hasTurns ? <TurnPane /> : <NoTurns />}
            </section>
            <section aria-label="Code" className={cn(main, hidden("code"))}>
              <CodePane />
            </section>
          </div>
        )}
        {view === "files" && <FilesView />}
        {view === "raw" && (hasTurns ? <RawPane /> : <NoTurns />)}
      </div>
    </div>
  );
}
