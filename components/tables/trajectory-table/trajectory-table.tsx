"use client";

import { type ColumnFiltersState, type SortingState, useTable } from "@tanstack/react-table";
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { formatCount } from "@/components/trajectory/numbers";
import { LinkButton } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import type { ListPage, ListQuery } from "@/lib/views/trajectory-list";
import { isStillArriving } from "../upload/upload-lines";
import type { UploadEntry, UploadQueue } from "../upload/upload-queue";
import { isMoving } from "./cell-text";
import { features, trajectoryColumns } from "./columns";
import { activeFilters, orderWords, type SortKey } from "./list-address";
import { PinnedRow, UploadRow } from "./progress-row";

export interface TrajectoryTableProps {
  page: ListPage;
  query: ListQuery;
  now: number;
  uploads: readonly UploadEntry[];
  queue: UploadQueue;
  isBehind: boolean;
  /** The list of the trajectories of one file, which is named above it. */
  isOneFile?: boolean;
  onSort: (column: SortKey) => void;
  onRetry: (id: string) => void;
  /** What stands in the place of the rows when there are none. */
  empty: ReactNode;
}

const HEAD_CELL = "h-8 border-b border-line bg-bg-2 px-2 text-left text-12 font-normal whitespace-nowrap text-fg-3";
const GROUP_CELL =
  "h-7 border-b border-line bg-bg-2 px-4 text-left text-12 font-normal text-fg-3 narrow:block narrow:h-auto narrow:py-1";

/** Where the cells of a row stand on a narrow page; a file has a state in words, and no run of its own. */
const BLOCK_OF_ONE =
  "narrow:[grid-template-areas:'name_name_name_outcome'_'framework_framework_framework_uploaded'_'run_run_run_run'_'verdict_turns_writes_status']";
const BLOCK_OF_FILE =
  "narrow:[grid-template-areas:'name_name_name_outcome'_'framework_framework_framework_uploaded'_'status_status_status_status'_'verdict_turns_writes_writes']";

/** The failures that are shown before a person asks for the rest. */
const FAILURES_SHOWN = 3;

/** The table: what is in progress first, whatever the filters, then the results as the server ordered them. */
export function TrajectoryTable(props: TrajectoryTableProps): ReactNode {
  const { page, query, now, uploads, queue, isBehind, isOneFile = false, onSort, onRetry, empty } = props;
  const columns = useMemo(() => trajectoryColumns(now, isOneFile), [now, isOneFile]);
  const sorting = useMemo<SortingState>(
    () => [{ id: query.sort, desc: query.direction === "descending" }],
    [query.sort, query.direction],
  );
  const columnFilters = useMemo<ColumnFiltersState>(
    () => activeFilters(query).map((filter) => ({ id: filter.key, value: filter.value })),
    [query],
  );
  const pagination = useMemo(() => ({ pageIndex: query.page - 1, pageSize: query.size }), [query.page, query.size]);
  // The server filters, orders and pages; the table only draws what it gave.
  const table = useTable({
    features,
    columns,
    data: page.rows,
    getRowId: (row) => row.id,
    manualFiltering: true,
    manualSorting: true,
    manualPagination: true,
    rowCount: page.matching,
    state: { sorting, columnFilters, pagination },
  });
  const span = columns.length;
  const isBusy = uploads.length > 0 || page.pinned.length > 0;
  // Once shown, the group keeps its head for as long as the list is the same: a row that becomes a result moves no other.
  const [groupedFor, setGroupedFor] = useState<ListQuery | null>(null);
  if (isBusy && groupedFor !== query) setGroupedFor(query);
  const hasPinned = isBusy || groupedFor === query;
  return (
    <table
      aria-label="Trajectories"
      aria-busy={isBehind}
      className="w-full min-w-[1120px] table-fixed border-separate border-spacing-0 narrow:block narrow:min-w-0"
    >
      <colgroup className="narrow:hidden">
        {table.getAllLeafColumns().map((column) => (
          <col key={column.id} className={column.columnDef.meta?.width} />
        ))}
      </colgroup>
      <thead className="sticky top-0 z-10 narrow:hidden">
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map((header) => {
              const look = header.column.columnDef.meta;
              const key = look?.sort;
              const isOn = key === query.sort;
              const words = <table.FlexRender header={header} />;
              return (
                <th
                  key={header.id}
                  scope="col"
                  aria-sort={isOn ? query.direction : undefined}
                  className={cn(HEAD_CELL, look?.head)}
                >
                  {key === undefined ? (
                    words
                  ) : (
                    <button
                      type="button"
                      onClick={() => onSort(key)}
                      className={cn(
                        "inline-flex items-center gap-1 rounded-4 hover:text-fg",
                        isOn && "font-medium text-fg",
                      )}
                    >
                      {words}
                      {isOn && <Arrow direction={query.direction} />}
                    </button>
                  )}
                </th>
              );
            })}
          </tr>
        ))}
      </thead>
      {hasPinned && (
        <PinnedGroup
          page={page}
          uploads={uploads}
          queue={queue}
          span={span}
          now={now}
          isOneFile={isOneFile}
          onRetry={onRetry}
        />
      )}
      <tbody className="narrow:contents">
        {hasPinned && page.rows.length > 0 && (
          <tr className="narrow:block">
            <th scope="rowgroup" colSpan={span} className={GROUP_CELL}>
              Results, {orderWords(query, isOneFile || query.file !== "")}
            </th>
          </tr>
        )}
        {table.getRowModel().rows.map((row) => (
          <tr
            key={row.id}
            data-row={row.id}
            className={cn(
              "relative h-8 hover:bg-bg-hover has-[[data-row-link]:focus-visible]:outline-2 has-[[data-row-link]:focus-visible]:-outline-offset-2 has-[[data-row-link]:focus-visible]:outline-focus",
              "narrow:grid narrow:h-auto narrow:grid-cols-[auto_auto_minmax(0,1fr)_auto] narrow:gap-x-3 narrow:border-b narrow:border-line narrow:px-4 narrow:py-2",
              row.original.parts === null ? BLOCK_OF_ONE : BLOCK_OF_FILE,
            )}
          >
            {row.getAllCells().map((cell) => (
              <td
                key={cell.id}
                className={cn(
                  "truncate border-b border-line px-2 whitespace-nowrap narrow:border-0 narrow:p-0",
                  cell.column.columnDef.meta?.cell,
                )}
              >
                <table.FlexRender cell={cell} />
              </td>
            ))}
          </tr>
        ))}
        {page.rows.length === 0 && (
          <tr className="narrow:block">
            <td colSpan={span} className="narrow:block">
              {empty}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function Arrow({ direction }: { direction: ListQuery["direction"] }): ReactNode {
  const Icon = direction === "ascending" ? ArrowUp : ArrowDown;
  return <Icon aria-hidden strokeWidth={1.75} className="size-3" />;
}

/** Uploads of this browser, imports, and failed imports, which can be folded away. */
function PinnedGroup({
  page,
  uploads,
  queue,
  span,
  now,
  isOneFile,
  onRetry,
}: Pick<TrajectoryTableProps, "page" | "uploads" | "queue" | "now" | "onRetry"> & {
  span: number;
  isOneFile: boolean;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const watched = useRef(new Set<string>());
  const pinned = page.pinned.filter((row) => !isStillArriving(row, uploads));
  const moving = pinned.filter(isMoving);
  const failed = pinned.filter((row) => !isMoving(row));
  // In the order in which they came, and a row that fails while it is looked at stays: nothing changes its place.
  for (const row of moving) watched.current.add(row.id);
  const folded = failed.filter(({ id }) => !watched.current.has(id)).slice(FAILURES_SHOWN);
  const shown = isOpen ? pinned : pinned.filter((row) => !folded.includes(row));
  const title = pinnedTitle(uploads, moving.length, failed.length === 0 ? 0 : page.pinnedFailed);
  const unseen = page.pinnedTotal - page.pinned.length;
  return (
    <tbody className="narrow:contents">
      <tr className="narrow:block">
        <th scope="rowgroup" colSpan={span} className={GROUP_CELL}>
          {title === "" ? "No import is running" : `${title}. Shown whatever the filters`}
        </th>
      </tr>
      {uploads.map((entry) => (
        <UploadRow key={`upload-${entry.key}`} entry={entry} queue={queue} span={span} />
      ))}
      {shown.map((row) => (
        <PinnedRow
          key={row.id}
          row={row}
          span={span}
          now={now}
          isOneFile={isOneFile}
          isWorkerAway={page.isWorkerAway ?? false}
          onRetry={onRetry}
        />
      ))}
      {(folded.length > 0 || unseen > 0) && (
        <tr className="narrow:block">
          <td colSpan={span} className="h-8 border-b border-line px-4 text-12 text-fg-3 narrow:block narrow:py-1.5">
            {folded.length > 0 && (
              <LinkButton
                className="inline-flex items-center gap-1"
                aria-expanded={isOpen}
                onClick={() => setOpen(!isOpen)}
              >
                {isOpen ? (
                  <ChevronDown aria-hidden className="size-3.5" />
                ) : (
                  <ChevronRight aria-hidden className="size-3.5" />
                )}
                {isOpen ? "Show fewer failures" : `${folded.length} more failed`}
              </LinkButton>
            )}
            {unseen > 0 && <span className="ml-3">and {formatCount(unseen)} not shown here</span>}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** What the group holds, counted by kind: only what is on its way is "in progress". */
function pinnedTitle(uploads: readonly UploadEntry[], moving: number, failedImports: number): string {
  const kinds = uploads.map(({ state }) => (state.kind === "stored" && state.duplicate ? "duplicate" : state.kind));
  const failed = kinds.filter((kind) => kind === "failed").length;
  const duplicates = kinds.filter((kind) => kind === "duplicate").length;
  const parts: [words: string, n: number][] = [
    ["In progress", moving + kinds.length - failed - duplicates],
    ["Already here", duplicates],
    ["Upload failed", failed],
    ["Import failed", failedImports],
  ];
  return parts.flatMap(([words, n]) => (n > 0 ? [`${words}, ${formatCount(n)}`] : [])).join(" · ");
}
