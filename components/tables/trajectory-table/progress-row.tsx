import { CircleAlert } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { LinkButton } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { ProgressBar } from "@/components/ui/progress-bar";
import type { TrajectoryRow } from "@/lib/views/trajectory-list";
import type { UploadEntry, UploadQueue } from "../upload/upload-queue";
import {
  failureWords,
  formatBytes,
  formatName,
  foundWords,
  importWords,
  NO_WORKER,
  partsWords,
  shareDone,
  splitName,
} from "./cell-text";
import { NameCell, UploadedTime } from "./columns";

/** In one column as high as a result, which it becomes: nothing below it moves then. */
const ROW =
  "relative h-8 hover:bg-bg-hover narrow:grid narrow:border-b narrow:border-line narrow:h-auto narrow:min-h-[107px] narrow:content-start narrow:grid-cols-[minmax(0,1fr)_auto] narrow:gap-x-3 narrow:px-4 narrow:py-2";
const CELL = "border-b border-line narrow:border-0";
const NAME = "truncate pr-2 pl-4 narrow:p-0";
const FOUND = "truncate px-2 text-fg-2 narrow:p-0 narrow:text-12";
const WORK = "px-2 narrow:col-span-2 narrow:p-0";
const TIME = "px-2 pr-4 text-right whitespace-nowrap text-fg-3 narrow:hidden";
const LINK = "relative z-1 font-medium text-accent whitespace-nowrap hover:underline";

/** What happens to a file, in one line: the state, a bar, the details, what can be done. Four lines on a narrow screen. */
function Work({
  state,
  bar,
  alert = false,
  children,
  actions,
}: {
  state: string;
  bar?: ReactNode;
  alert?: boolean;
  children?: ReactNode;
  actions?: ReactNode;
}): ReactNode {
  return (
    <div className="flex min-w-0 items-center gap-3 narrow:flex-wrap narrow:gap-y-0.5">
      <span
        className={cn("flex shrink-0 items-center gap-1.5 font-medium", bar !== undefined && "min-w-27 narrow:min-w-0")}
      >
        {alert && <CircleAlert aria-hidden strokeWidth={1.75} className="size-4 shrink-0" />}
        {state}
      </span>
      {bar}
      {children !== undefined && (
        <span className="min-w-0 truncate text-fg-2 narrow:line-clamp-2 narrow:w-full narrow:text-12 narrow:whitespace-normal">
          {children}
        </span>
      )}
      {actions !== undefined && (
        <span className="relative z-1 flex shrink-0 gap-3 narrow:text-12 narrow:leading-6">{actions}</span>
      )}
    </div>
  );
}

const BAR = "narrow:w-auto narrow:min-w-30 narrow:flex-1";

/** One file on its way from this browser. */
export function UploadRow({ entry, queue, span }: { entry: UploadEntry; queue: UploadQueue; span: number }): ReactNode {
  const { stem, ending } = splitName(entry.name);
  return (
    <tr className={ROW}>
      <td className={cn(CELL, NAME)} title={entry.name}>
        <span className="font-medium">{stem}</span>
        <span className="text-fg-3">{ending}</span>
      </td>
      <td className={cn(CELL, FOUND, "text-fg-3")}>{formatBytes(entry.sizeBytes)}</td>
      <td className={cn(CELL, WORK)} colSpan={span - 3}>
        <UploadWork entry={entry} queue={queue} />
      </td>
      <td className={cn(CELL, TIME)}>now</td>
    </tr>
  );
}

function UploadWork({ entry, queue }: { entry: UploadEntry; queue: UploadQueue }): ReactNode {
  const { state, name, key, sizeBytes } = entry;
  const cancel = (
    <LinkButton aria-label={`Cancel ${name}`} onClick={() => queue.cancel(key)}>
      Cancel
    </LinkButton>
  );
  const dismiss = (
    <LinkButton aria-label={`Dismiss ${name}`} onClick={() => queue.dismiss(key)}>
      Dismiss
    </LinkButton>
  );
  switch (state.kind) {
    case "waiting":
      return <Work state="Waiting" actions={cancel} />;
    case "hashing":
      return (
        <Work
          state="Reading"
          bar={
            <ProgressBar
              className={BAR}
              label={`Checksum of ${name}`}
              value={state.doneBytes === null ? null : state.doneBytes / sizeBytes}
            />
          }
          actions={cancel}
        >
          checksum of {formatBytes(sizeBytes)}
        </Work>
      );
    case "sending": {
      const isSent = state.sentBytes >= sizeBytes;
      return (
        <Work
          state={isSent ? "Checking" : `Uploading ${Math.floor((state.sentBytes / sizeBytes) * 100)} %`}
          bar={<ProgressBar className={BAR} label={`Upload of ${name}`} value={state.sentBytes / sizeBytes} />}
          actions={cancel}
        >
          {isSent
            ? `${formatBytes(sizeBytes)} sent, the server compares and stores them`
            : `${formatBytes(state.sentBytes)} of ${formatBytes(sizeBytes)}`}
        </Work>
      );
    }
    case "stored":
      if (!state.duplicate) {
        return (
          <Work state="Uploaded">in line for import{entry.hasGiven && ", with what is known about the failure"}</Work>
        );
      }
      return (
        <Work
          state="Already here"
          actions={
            <>
              <Link href={`/t/${state.id}`} prefetch={false} className={LINK}>
                Open the first
              </Link>
              {dismiss}
            </>
          }
        >
          {duplicateWords(entry, state.givenRefused)}
        </Work>
      );
    case "failed":
      return (
        <Work
          alert
          state="Upload failed"
          actions={
            <>
              {state.canRetry && (
                <LinkButton aria-label={`Retry ${name}`} onClick={() => queue.retry(key)}>
                  Retry
                </LinkButton>
              )}
              {dismiss}
            </>
          }
        >
          <span title={state.reason}>{state.reason}</span>
        </Work>
      );
  }
}

function duplicateWords({ hasGiven }: UploadEntry, givenRefused: string | null): string {
  const what = "the same bytes were uploaded before";
  if (!hasGiven) return `${what}; nothing was stored twice`;
  if (givenRefused === null) return `${what}; what you said about the failure stands there now`;
  return `${what}, and what you said about the failure was not taken: ${givenRefused}`;
}

/** One trajectory that the server still works on, or could not import. */
export function PinnedRow({
  row,
  span,
  now,
  isOneFile,
  isWorkerAway,
  onRetry,
}: {
  row: TrajectoryRow;
  span: number;
  isOneFile: boolean;
  now: number;
  isWorkerAway: boolean;
  onRetry: (id: string) => void;
}): ReactNode {
  return (
    <tr className={ROW} data-status={row.status}>
      <td className={cn(CELL, NAME)}>
        <NameCell row={row} isResult={false} isOneFile={isOneFile} />
      </td>
      <td className={cn(CELL, FOUND)} title={row.format === null ? undefined : row.format.reason}>
        {row.framework ?? (row.format === null ? "" : formatName(row.format))}
        <span className="text-fg-3"> {foundWords(row) ?? formatBytes(row.sizeBytes)}</span>
      </td>
      <td className={cn(CELL, WORK)} colSpan={span - 3}>
        <PinnedWork row={row} isWorkerAway={isWorkerAway} onRetry={onRetry} />
      </td>
      <td className={cn(CELL, TIME)}>
        <UploadedTime at={row.uploadedAt} now={now} />
      </td>
    </tr>
  );
}

function PinnedWork({
  row,
  isWorkerAway,
  onRetry,
}: {
  row: TrajectoryRow;
  isWorkerAway: boolean;
  onRetry: (id: string) => void;
}): ReactNode {
  if (row.status === "failed") {
    const words = failureWords(row.failure);
    return (
      <Work
        alert
        state="Import failed"
        actions={
          <>
            <LinkButton aria-label={`Retry ${row.name}`} onClick={() => onRetry(row.id)}>
              Retry
            </LinkButton>
            <a
              className={LINK}
              href={`/api/v1/trajectories/${row.id}/upload`}
              aria-label={`Download the upload ${row.name}`}
            >
              Download the upload
            </a>
          </>
        }
      >
        <span title={words}>{words}</span>
      </Work>
    );
  }
  const share = shareDone(row);
  const bar = <ProgressBar className={BAR} label={`Import of ${row.name}`} value={share} />;
  if (isWorkerAway) {
    return (
      <Work alert state="Waiting" bar={bar}>
        {NO_WORKER}
      </Work>
    );
  }
  if (row.status === "several" && row.parts !== null) {
    return (
      <Work state={`Importing ${Math.floor((share ?? 0) * 100)} %`} bar={bar}>
        {partsWords(row.parts)}
      </Work>
    );
  }
  if (row.status === "queued") {
    return (
      <Work state="Queued" bar={bar}>
        {formatBytes(row.sizeBytes)} arrived, waiting for the worker
      </Work>
    );
  }
  return (
    <Work state={share === null ? "Importing" : `Importing ${Math.floor(share * 100)} %`} bar={bar}>
      {importWords(row.progress)}
    </Work>
  );
}
