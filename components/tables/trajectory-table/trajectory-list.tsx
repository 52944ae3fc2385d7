"use client";

import { ChevronLeft, ChevronRight, Upload } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useKeys } from "@/components/shell/keys";
import { LiveNotice, NotUpdating } from "@/components/shell/live-notice";
import { TopBar, type TopBarProps } from "@/components/shell/top-bar";
import { formatCount } from "@/components/trajectory/numbers";
import { Button, LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd, KeyHint } from "@/components/ui/kbd";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { type FileView, type ListPage, type ListQuery, PAGE_SIZES } from "@/lib/views/trajectory-list";
import { DropZone, type UploadRules } from "../upload/drop-zone";
import { notYetListed } from "../upload/upload-lines";
import { useUploads } from "../upload/use-uploads";
import { FileHeading } from "./file-heading";
import { FilterBar, type TypedField } from "./filter-bar";
import { activeFilters, changed, formatListAddress, nextSort, parseListAddress, withoutFilters } from "./list-address";
import { nextRow } from "./row-focus";
import { TrajectoryTable } from "./trajectory-table";
import { useListPage } from "./use-list-page";
import { ViewTabs } from "./view-tabs";

export interface TrajectoryListProps {
  /** The one file whose trajectories this page lists; the list of all when there is none. */
  file?: FileView;
  bar: Pick<TopBarProps, "project" | "account">;
  initial: { address: string; page: ListPage };
  /** When the page was made: milliseconds since the epoch. Relative times start from it, on both sides. */
  madeAt: number;
  rules: UploadRules;
}

const KEYS: TopBarProps["keys"] = [
  { keys: ["j", "k"], does: "Next and previous row" },
  { keys: ["Enter"], does: "Open the row" },
  { keys: ["/"], does: "Filter by name or task" },
  { keys: ["u"], does: "Choose files to upload" },
  { keys: ["[", "]"], does: "Previous and next page" },
];

/** A file's page takes no uploads. */
const FILE_KEYS = KEYS.filter(({ keys }) => keys[0] !== "u");
const NO_UPLOADS: readonly [] = [];

const ICON = { "aria-hidden": true, strokeWidth: 1.75 } as const;

/** The page of all trajectories, or of those of one file: everything that a person chose is in the address, and everything else on the server. */
export function TrajectoryList({ file, bar, initial, madeAt, rules }: TrajectoryListProps): ReactNode {
  const search = useSearchParams();
  // The page of a file is its address already; its query says the rest.
  const isOneFile = file !== undefined;
  const query = useMemo(() => {
    const said = parseListAddress(search);
    return isOneFile ? { ...said, file: "" } : said;
  }, [search, isOneFile]);
  const asked = file === undefined ? query : { ...query, file: file.row.id };
  const { queue, entries } = useUploads();
  const isSending = entries.some(
    ({ state }) => state.kind !== "failed" && !(state.kind === "stored" && state.duplicate),
  );
  const list = useListPage(formatListAddress(asked), initial, isSending);
  const { page, refresh, askedAtMs } = list;
  const now = useClock(madeAt);
  const box = useRef<HTMLInputElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);

  // The list shows what has arrived, so the upload's own line goes.
  useEffect(() => queue.handOver(askedAtMs), [queue, askedAtMs]);

  const lastTyped = useRef<TypedField | null>(null);
  const go = useCallback((next: ListQuery, typed: TypedField | null = null) => {
    const address = formatListAddress(next);
    const url = address === "" ? window.location.pathname : `?${address}`;
    // One step of Back for one search, not one for every letter.
    if (typed !== null && typed === lastTyped.current) window.history.replaceState(null, "", url);
    else window.history.pushState(null, "", url);
    lastTyped.current = typed;
    scroller.current?.scrollTo({ top: 0 });
  }, []);
  const onFilter = useCallback(
    (change: Partial<ListQuery>, typed: TypedField | null) => go(changed(query, change), typed),
    [go, query],
  );

  const first = (query.page - 1) * query.size;
  const hasNext = first + page.rows.length < page.matching && page.rows.length > 0;
  const turnPage = (step: 1 | -1): void => {
    if (step === 1 ? hasNext : query.page > 1) go({ ...query, page: query.page + step });
  };

  useKeys({
    j: () => nextRow(scroller.current, 1),
    k: () => nextRow(scroller.current, -1),
    "/": () => box.current?.focus(),
    ...(isOneFile ? {} : { u: () => picker.current?.click() }),
    "[": () => turnPage(-1),
    "]": () => turnPage(1),
  });

  const onRetry = async (id: string): Promise<void> => {
    const response = await fetch(`/api/v1/trajectories/${id}/retry`, { method: "POST" }).catch(() => null);
    if (!response?.ok) toast("The import could not be queued again. Try once more.");
    refresh();
  };

  const isFiltered = activeFilters(query).length > 0 || query.q !== "";
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[44px_minmax(0,1fr)_40px] overflow-hidden narrow:block narrow:h-auto narrow:min-h-full narrow:overflow-visible narrow:pb-12">
      <TopBar {...bar} current="trajectories" keys={isOneFile ? FILE_KEYS : KEYS} />
      <main className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] narrow:block">
        <div>
          {file === undefined ? (
            <div className="flex items-center gap-2 px-4 pt-3 pb-2 narrow:flex-wrap">
              <h1 className="text-20 font-semibold">Trajectories</h1>
              <ViewTabs query={query} page={page} onChange={go} />
              <span className="flex-1" />
              <LiveNotice>{list.problem !== null && <NotUpdating problem={list.problem} />}</LiveNotice>
              <Button look="primary" onClick={() => picker.current?.click()}>
                <Upload {...ICON} />
                Upload
                <Kbd
                  small
                  aria-hidden
                  className="border-0 bg-transparent px-0 font-normal text-current opacity-70 narrow:hidden"
                >
                  u
                </Kbd>
              </Button>
            </div>
          ) : (
            <FileHeading
              file={file}
              row={page.file ?? file.row}
              now={now}
              isWorkerAway={page.isWorkerAway ?? false}
              problem={list.problem}
              onAsked={refresh}
              tabs={<ViewTabs query={query} page={page} onChange={go} />}
            />
          )}
          <FilterBar
            query={query}
            page={page}
            box={box}
            onChange={onFilter}
            onClear={() => go(withoutFilters(query))}
          />
          {!isOneFile && (
            <DropZone rules={rules} picker={picker} onFiles={(files, given) => queue.add(files, given) > 0} />
          )}
        </div>
        <div ref={scroller} className="min-h-0 overflow-auto border-t border-line narrow:overflow-visible">
          <span role="status" className="sticky top-0 left-0 z-20 -mb-0.5 block h-0.5 overflow-hidden">
            {list.isBehind && (
              <span className="absolute inset-y-0 left-[37.5%] w-1/4 animate-travel-late bg-accent">
                <span className="hidden-text">Loading the list</span>
              </span>
            )}
          </span>
          <TrajectoryTable
            page={page}
            query={query}
            now={now}
            uploads={isOneFile ? NO_UPLOADS : notYetListed(entries, page)}
            queue={queue}
            isBehind={list.isBehind}
            isOneFile={isOneFile}
            onSort={(column) => go(nextSort(query, column))}
            onRetry={(id) => void onRetry(id)}
            empty={
              <Empty
                isFiltered={isFiltered}
                isOneFile={isOneFile}
                isPastEnd={query.page > 1 && page.matching > 0}
                onClear={() => go(withoutFilters(query))}
                onFirst={() => go({ ...query, page: 1 })}
                onChoose={() => picker.current?.click()}
              />
            }
          />
          {!isOneFile &&
            !isFiltered &&
            page.rows.length > 0 &&
            page.total === page.rows.length &&
            page.rows.every((row) => row.isDemo) && (
              <p className="px-4 py-3 text-12 text-fg-3">
                These are examples that come with Misstep. Drop a trace of your own above: it stands first as soon as it
                is there.
              </p>
            )}
        </div>
      </main>
      <footer className="flex items-center gap-3 border-t border-line bg-bg-2 px-4 text-12 text-fg-3 whitespace-nowrap narrow:fixed narrow:inset-x-0 narrow:bottom-0 narrow:z-20 narrow:h-12 narrow:justify-between">
        <span className="font-medium text-fg">
          {page.rows.length === 0
            ? `0 of ${formatCount(page.matching)}`
            : `${formatCount(first + 1)}–${formatCount(first + page.rows.length)} of ${formatCount(page.matching)}`}
        </span>
        {page.insideFiles > 0 && (
          <span className="truncate narrow:hidden" title="Open a file, or search or filter, to see the runs in it">
            and {formatCount(page.insideFiles)} inside files
          </span>
        )}
        <IconButton small label="Previous page" disabled={query.page <= 1} onClick={() => turnPage(-1)}>
          <ChevronLeft {...ICON} />
        </IconButton>
        <IconButton small label="Next page" disabled={!hasNext} onClick={() => turnPage(1)}>
          <ChevronRight {...ICON} />
        </IconButton>
        <span className="narrow:hidden">
          <Select
            aria-label="Rows a page"
            value={query.size}
            onChange={(event) => {
              const size = PAGE_SIZES.find((known) => known === Number(event.target.value)) ?? 50;
              go(changed(query, { size }));
            }}
            className="h-6 border-transparent bg-transparent text-12 text-fg-3 hover:text-fg"
          >
            {PAGE_SIZES.map((size) => (
              <option key={size} value={size}>
                {size} a page
              </option>
            ))}
          </Select>
        </span>
        <span className="flex-1 narrow:hidden" />
        {!isOneFile && (
          <a
            href="/api/v1/labels"
            download
            title="What people said about the verdicts: a line of JSON for each trajectory"
            className="font-medium text-accent hover:underline"
          >
            Labels
          </a>
        )}
        <span className="flex items-center gap-3 narrow:hidden">
          <KeyHint keys={["j", "k"]}>row</KeyHint>
          <KeyHint keys={["Enter"]}>open</KeyHint>
          <KeyHint keys={["/"]}>filter</KeyHint>
          <KeyHint keys={["?"]}>all keys</KeyHint>
        </span>
      </footer>
    </div>
  );
}

/** The time, once a half minute: the same as the server's until the browser has taken over. */
function useClock(madeAt: number): number {
  const [now, setNow] = useState(madeAt);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function Empty({
  isFiltered,
  isOneFile,
  isPastEnd,
  onClear,
  onFirst,
  onChoose,
}: {
  isFiltered: boolean;
  isOneFile: boolean;
  isPastEnd: boolean;
  onClear: () => void;
  onFirst: () => void;
  onChoose: () => void;
}): ReactNode {
  if (isPastEnd) {
    return (
      <EmptyState title="No rows on this page" actions={<LinkButton onClick={onFirst}>First page</LinkButton>}>
        The list has become shorter than the page that the address asks for.
      </EmptyState>
    );
  }
  if (isFiltered) {
    return (
      <EmptyState title="Nothing matches" actions={<LinkButton onClick={onClear}>Clear all filters</LinkButton>}>
        No trajectory passes all of these filters. Imports in progress are shown whatever the filters.
      </EmptyState>
    );
  }
  if (isOneFile) {
    return <EmptyState title="None is imported yet">Each becomes a row here when its import has ended.</EmptyState>;
  }
  return (
    <EmptyState
      title="No trajectories yet"
      actions={
        <Button onClick={onChoose}>
          <Upload {...ICON} />
          Choose files
        </Button>
      }
    >
      Drop the trace of a run anywhere on this page. Each file becomes a row at once, and opens when its import has
      ended.
    </EmptyState>
  );
}
