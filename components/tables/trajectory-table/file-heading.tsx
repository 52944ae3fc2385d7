"use client";

import { FileDown, Link as LinkIcon, RotateCw } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { z } from "zod";
import { LiveNotice, NotUpdating } from "@/components/shell/live-notice";
import { fetchJson } from "@/components/trajectory/answers";
import { copyText } from "@/components/trajectory/copy-text";
import { formatCount, formatPlural } from "@/components/trajectory/numbers";
import { positionWords } from "@/components/trajectory/positions";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { Button, LinkButton } from "@/components/ui/button";
import { ProgressBar } from "@/components/ui/progress-bar";
import { toast } from "@/components/ui/toast";
import type { FileView, TrajectoryRow } from "@/lib/views/trajectory-list";
import {
  failureWords,
  formatBytes,
  formatName,
  importWords,
  isMoving,
  NO_WORKER,
  partsWords,
  shareDone,
} from "./cell-text";
import { UploadedTime } from "./columns";

const ICON = { "aria-hidden": true, strokeWidth: 1.75 } as const;

export interface FileHeadingProps {
  /** As it was when the page was made. */
  file: FileView;
  /** The file's row as it is now. */
  row: TrajectoryRow;
  now: number;
  isWorkerAway: boolean;
  /** Why the page may be old; null when it is not. */
  problem: string | null;
  /** Called when the file is to be read again. */
  onAsked: () => void;
  tabs: ReactNode;
}

/** The head of the page of a file with several trajectories: what it is, how far they are, and what can be done with it. */
export function FileHeading({ file, row, now, isWorkerAway, problem, onAsked, tabs }: FileHeadingProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const api = `/api/v1/trajectories/${encodeURIComponent(row.id)}`;
  const again = async (): Promise<void> => {
    try {
      await fetchJson(`${api}/${row.status === "failed" ? "retry" : "read-again"}`, z.unknown(), { method: "POST" });
      onAsked();
    } catch (error) {
      toast(error instanceof Error ? error.message : "It could not be read again.");
    }
  };
  const isBusy = isMoving(row);
  return (
    // One column shows what the file is first, then what can be done with it, and the tabs beside what they filter.
    <div className="px-4 pt-2 pb-2 narrow:flex narrow:flex-col narrow:gap-1">
      <Link href="/" className="text-12 text-fg-3 hover:text-fg hover:underline narrow:self-start">
        All trajectories
      </Link>
      <div className="flex items-center gap-2 narrow:contents">
        <h1 title={row.name} className="min-w-24 shrink truncate text-20 font-semibold [unicode-bidi:plaintext]">
          <UntrustedText text={row.name} />
        </h1>
        {tabs}
        <span className="flex-1 narrow:hidden" />
        <LiveNotice>{problem !== null && <NotUpdating problem={problem} />}</LiveNotice>
        <div className="flex gap-2 narrow:order-2 narrow:flex-wrap narrow:py-1">
          <Button disabled={isBusy} onClick={() => void again()}>
            <RotateCw {...ICON} />
            Read again
          </Button>
          <Button onClick={() => void copyText(window.location.href, "Link copied")}>
            <LinkIcon {...ICON} />
            Copy link
          </Button>
          <Button asChild>
            <a href={`${api}/upload`} download>
              <FileDown {...ICON} />
              Download file
            </a>
          </Button>
        </div>
      </div>
      <div className="flex min-h-7 flex-wrap items-center gap-x-4 gap-y-1 text-fg-2 narrow:text-12">
        <span>{formatPlural(row.parts?.total ?? 0, "trajectory", "trajectories")}</span>
        {row.format !== null && <span title={row.format.reason}>{formatName(row.format)}</span>}
        <span>{formatBytes(row.sizeBytes)}</span>
        <span>
          Uploaded <UploadedTime at={row.uploadedAt} now={now} />
        </span>
        <span role="status" className="flex items-center gap-3">
          {isBusy && <ProgressBar label={`Import of ${row.name}`} value={shareDone(row)} className="w-30" />}
          <span className={row.parts !== null && row.parts.failed > 0 ? "font-medium text-fg" : undefined}>
            {stateWords(row, isWorkerAway)}
          </span>
        </span>
        {file.notes.length > 0 && (
          <LinkButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Hide what no trajectory holds" : "What no trajectory holds"}
          </LinkButton>
        )}
      </div>
      {file.givenParts > 0 && (
        <p className="my-1 border-l-2 border-line-3 pl-3 leading-6">
          <b className="font-medium">
            What was said about the failure with this file applies to none of its trajectories.
          </b>{" "}
          Each ended in its own way: say it on its page.
        </p>
      )}
      {row.status === "failed" && (
        <p className="my-1 border-l-2 border-line-3 pl-3 leading-6 [overflow-wrap:anywhere]">
          <b className="font-medium">Reading the file again failed; its trajectories are as they were.</b>{" "}
          <UntrustedText text={failureWords(row.failure)} />
        </p>
      )}
      {isOpen && (
        <ul className="max-h-40 overflow-auto border-l-2 border-line-3 pl-3 leading-6">
          {file.notes.map((note) => (
            <li key={`${note.code} ${note.message}`} className="[overflow-wrap:anywhere]">
              <UntrustedText text={note.message} /> <span className="mono text-12">({formatCount(note.count)})</span>
              {note.positions.length > 0 && (
                <span className="block text-12 text-fg-3">
                  {note.positions.map(positionWords).join("; ")}
                  {note.count > note.positions.length &&
                    `; and ${formatCount(note.count - note.positions.length)} more`}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function stateWords(row: TrajectoryRow, isWorkerAway: boolean): string {
  if (isMoving(row) && isWorkerAway) return NO_WORKER;
  if (row.status === "queued") return "Waiting to be read again";
  if (row.status === "importing") return `Reading it again: ${importWords(row.progress)}`;
  return row.parts === null ? "" : partsWords(row.parts);
}
