import {
  columnFilteringFeature,
  createColumnHelper,
  metaHelper,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";
import Link, { useLinkStatus } from "next/link";
import type { ReactNode } from "react";
import { Mark, outcomeMark } from "@/components/marks/mark";
import { RunStrip } from "@/components/marks/run-strip";
import { SaidBy } from "@/components/marks/source";
import { formatCount, formatPlural } from "@/components/trajectory/numbers";
import { splitHidden } from "@/components/trajectory/text-runs";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { Tag } from "@/components/ui/chip";
import { cn } from "@/components/ui/class-names";
import type { TrajectoryRow } from "@/lib/views/trajectory-list";
import { formatName, partsWords, splitName, timeAgo } from "./cell-text";
import { OUTCOME_WORDS, type SortKey, STATUS_WORDS } from "./list-address";

/** How a column is drawn: its width, its place in the block of a narrow screen, and what its head sorts by. */
export interface ColumnLook {
  /** Of the `col`; the name has none and takes the rest. */
  width?: string;
  cell?: string;
  head?: string;
  sort?: SortKey;
}

export const features = tableFeatures({
  columnFilteringFeature,
  rowSortingFeature,
  rowPaginationFeature,
  columnMeta: metaHelper<ColumnLook>(),
});

const helper = createColumnHelper<typeof features, TrajectoryRow>();
const dash = <span className="text-fg-3 narrow:hidden">–</span>;
const MONO = "mono text-12";

/** All columns of the list, in their order. `now` makes the times relative; in the list of one file no row names it. */
export function trajectoryColumns(now: number, isOneFile: boolean) {
  return helper.columns([
    helper.accessor("name", {
      header: "Name",
      cell: ({ row }) => <NameCell row={row.original} isOneFile={isOneFile} />,
      meta: { sort: "name", cell: "pl-4 narrow:[grid-area:name] narrow:p-0", head: "pl-4" },
    }),
    helper.accessor((row) => row.framework, {
      id: "framework",
      header: "Framework, model",
      cell: ({ row }) => <FrameworkCell row={row.original} />,
      meta: { width: "w-50 medium:w-36", sort: "framework", cell: "narrow:[grid-area:framework] narrow:text-12" },
    }),
    helper.accessor((row) => row.task, {
      id: "task",
      header: "Task",
      cell: ({ row: { original: row } }) =>
        row.task === null ? (
          dash
        ) : (
          // Names of tasks are code; where a format has only the request itself, it is prose.
          <span title={row.task} className={cn("text-fg-2", /^\S*[\d_/]\S*$/.test(row.task) && MONO)}>
            <UntrustedText text={row.task} literal />
          </span>
        ),
      meta: { width: "w-45 medium:w-40", sort: "task", cell: "narrow:hidden" },
    }),
    helper.accessor((row) => row.outcome, {
      id: "outcome",
      header: "Outcome",
      cell: ({ row }) => <OutcomeCell row={row.original} />,
      meta: { width: "w-24", sort: "outcome", cell: "narrow:[grid-area:outcome] narrow:justify-self-end" },
    }),
    helper.display({
      id: "run",
      header: "Run",
      cell: ({ row: { original: row } }) =>
        row.runStrip === null || row.runStrip === "" ? null : (
          <RunStrip
            strip={row.runStrip}
            turnCount={row.turnCount ?? row.runStrip.length}
            verdictTurn={row.verdict?.turn ?? null}
            className="w-full"
          />
        ),
      meta: { width: "w-40", cell: "overflow-visible narrow:[grid-area:run] narrow:py-1 narrow:empty:hidden" },
    }),
    helper.accessor((row) => row.verdict?.turn ?? null, {
      id: "verdict",
      header: "Verdict",
      cell: ({ row }) => <VerdictCell row={row.original} />,
      meta: { width: "w-22", sort: "verdict", cell: "narrow:[grid-area:verdict]" },
    }),
    helper.accessor("turnCount", {
      id: "turns",
      header: "Turns",
      cell: ({ row: { original: row } }) =>
        row.turnCount === null ? (
          dash
        ) : (
          <>
            {formatCount(row.turnCount)}
            <span className="hidden font-sans text-fg-3 narrow:inline"> {row.turnCount === 1 ? "turn" : "turns"}</span>
          </>
        ),
      meta: {
        width: "w-17",
        sort: "turns",
        head: "text-right",
        cell: cn(MONO, "text-right narrow:text-left narrow:[grid-area:turns]"),
      },
    }),
    helper.accessor("writeCount", {
      id: "writes",
      header: "Writes",
      cell: ({ row: { original: row } }) =>
        row.writeCount === null ? (
          dash
        ) : (
          <>
            {formatCount(row.writeCount)}
            <span className="hidden font-sans text-fg-3 narrow:inline">
              {row.writeCount === 1 ? " write" : " writes"}
            </span>
          </>
        ),
      meta: {
        width: "w-17",
        sort: "writes",
        head: "text-right",
        cell: cn(MONO, "text-right text-fg-2 narrow:text-left narrow:[grid-area:writes]"),
      },
    }),
    helper.accessor("status", {
      header: "Status",
      cell: ({ row }) => <StatusCell row={row.original} />,
      meta: {
        width: "w-40 medium:w-36",
        sort: "status",
        head: "pl-4",
        cell: "pl-4 text-fg-2 narrow:pl-0 narrow:[grid-area:status] narrow:text-12 narrow:empty:hidden",
      },
    }),
    helper.accessor("uploadedAt", {
      id: "uploaded",
      header: "Uploaded",
      cell: ({ row: { original: row } }) => <UploadedTime at={row.uploadedAt} now={now} />,
      meta: {
        width: "w-24",
        sort: "uploaded",
        head: "pr-4 text-right",
        cell: "pr-4 text-right text-fg-3 narrow:pr-0 narrow:[grid-area:uploaded] narrow:text-12",
      },
    }),
  ]);
}

/**
 * The name of a trajectory with its ending drawn quieter; the whole row is its link. One of a file with several names the
 * file, unless the list is that file's. `isResult` is false for a row above the results, which comes and goes: the keys
 * walk past it.
 */
export function NameCell({
  row,
  isResult = true,
  isOneFile = false,
}: {
  row: TrajectoryRow;
  isResult?: boolean;
  isOneFile?: boolean;
}): ReactNode {
  const { stem, ending } = splitName(row.name);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link
        href={`/t/${row.id}`}
        prefetch={false}
        data-row-link={isResult || undefined}
        title={row.name}
        // Its two parts would be read as two words; one with characters in boxes is read with them.
        aria-label={splitHidden(row.name).some(({ hidden }) => hidden !== null) ? undefined : row.name}
        className={cn("flex min-w-0 after:absolute after:inset-0", isResult && "outline-none")}
      >
        <span className="truncate font-medium">
          <UntrustedText text={stem} literal />
        </span>
        <span className="shrink-0 text-fg-3">{ending}</span>
        <Opening />
      </Link>
      {row.parts !== null && <Tag className="h-4 leading-4">{formatPlural(row.parts.total, "run")}</Tag>}
      {row.file !== null && !isOneFile && (
        <span className="flex min-w-12 shrink-[8] text-fg-3" title={`In ${row.file.name}`}>
          <span className="shrink-0 whitespace-pre">in </span>
          <span className="truncate">
            <UntrustedText text={row.file.name} literal />
          </span>
        </span>
      )}
      {row.isDemo && <Tag className="h-4 leading-4">Example</Tag>}
    </span>
  );
}

/** That the page of a row is on its way: a bar along the foot of the row, when it takes longer than a moment. */
function Opening(): ReactNode {
  const { pending } = useLinkStatus();
  return (
    <span className="absolute inset-x-0 bottom-0 z-1 h-0.5 overflow-hidden">
      {pending && (
        <span role="status" className="absolute inset-y-0 left-[37.5%] w-1/4 animate-travel-late bg-accent">
          <span className="hidden-text">Opening</span>
        </span>
      )}
    </span>
  );
}

function FrameworkCell({ row }: { row: TrajectoryRow }): ReactNode {
  const title =
    row.format === null
      ? undefined
      : `Format ${row.format.id}${row.format.variant === "" ? "" : `, ${row.format.variant}`}. ${row.format.reason}${row.frameworkVersion === null ? "" : `\nVersion ${row.frameworkVersion}`}`;
  if (row.framework === null && row.model === null) {
    return row.parts === null || row.format === null ? (
      dash
    ) : (
      <span className="text-fg-2" title={title}>
        {formatName(row.format)}
      </span>
    );
  }
  return (
    <span title={title}>
      <span className="text-fg-2">{row.framework ?? row.format?.id}</span>
      {row.model !== null && (
        <span className="text-fg-3">
          {" "}
          <UntrustedText text={row.model} literal />
        </span>
      )}
    </span>
  );
}

function OutcomeCell({ row }: { row: TrajectoryRow }): ReactNode {
  if (row.status !== "ready") return null;
  const outcome = row.outcome ?? "unknown";
  return (
    <span
      className={cn(
        "flex items-center gap-1.5",
        outcome === "resolved" && "text-fg-2",
        outcome === "unknown" && "text-fg-3",
      )}
      title={row.exitStatus === null ? undefined : `Exit status: ${row.exitStatus}`}
    >
      <Mark kind={outcomeMark(outcome)} label={null} />
      {OUTCOME_WORDS[outcome]}
    </span>
  );
}

function VerdictCell({ row }: { row: TrajectoryRow }): ReactNode {
  if (row.verdict === null) return dash;
  const by = row.verdict.engine === "structural" ? "structural rule" : row.verdict.engine;
  if (row.verdict.status === "undetermined" || row.verdict.turn === null) {
    return (
      <span className="flex items-center gap-1 text-fg-3" title={`Undetermined, by ${by}`}>
        <Mark kind="undetermined" />
        none
      </span>
    );
  }
  const turn = row.verdict.turn + 1;
  return (
    <Link
      href={`/t/${row.id}?turn=${turn}`}
      prefetch={false}
      tabIndex={-1}
      title={`Decisive error at turn ${turn}, by ${by}`}
      className="relative z-1 inline-flex items-center gap-1 rounded-4 hover:underline"
    >
      <Mark kind="decisive" />
      <span className={cn(MONO, "font-medium")}>#{turn}</span>
      <SaidBy kind="rule">
        <span className="hidden-text">by {by}</span>
      </SaidBy>
    </Link>
  );
}

function StatusCell({ row }: { row: TrajectoryRow }): ReactNode {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      {row.parts === null ? (
        <span className={cn(row.status === "ready" && "narrow:hidden")}>{STATUS_WORDS[row.status]}</span>
      ) : (
        <span className="truncate" title={partsWords(row.parts)}>
          {partsWords(row.parts)}
        </span>
      )}
      {row.notUnderstood > 0 && (
        <span
          className="truncate rounded-4 border border-dashed border-line-3 px-1 text-12 leading-4 text-fg-2"
          title={`${formatPlural(row.notUnderstood, "record was", "records were")} not understood. They are kept, and open on the trajectory's page.`}
        >
          {formatCount(row.notUnderstood)} not read
        </span>
      )}
    </span>
  );
}

/** When a file came in: relative, with the exact time under the pointer. */
export function UploadedTime({ at, now }: { at: string; now: number }): ReactNode {
  return (
    // The server's time zone may not be the reader's: the browser corrects the words after loading.
    <time dateTime={at} title={new Date(at).toLocaleString("en-GB")} suppressHydrationWarning>
      {timeAgo(at, now)}
    </time>
  );
}
