"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useCallback, useState } from "react";
import { z } from "zod";
import { NotUpdating } from "@/components/shell/live-notice";
import { usePolling } from "@/components/shell/use-polling";
import {
  failureWords,
  importShare,
  importWords,
  isMoving,
  NO_WORKER,
} from "@/components/tables/trajectory-table/cell-text";
import { Button } from "@/components/ui/button";
import { ProgressBar } from "@/components/ui/progress-bar";
import { type TrajectoryRow, trajectoryRowSchema } from "@/lib/views/trajectory-list";
import { fetchJson } from "./answers";
import { UntrustedText } from "./untrusted-text";

const POLL_MS = 1_200;
const answerSchema = z.object({
  row: trajectoryRowSchema,
  run: z.object({ importId: z.string() }).nullable(),
  isWorkerAway: z.boolean().optional(),
});

/** What an import that is not over does now. */
export function statusWords(row: TrajectoryRow, isWorkerAway: boolean): string {
  if (isWorkerAway) return NO_WORKER;
  if (row.status === "queued") return "Waiting for its turn in the queue.";
  return `Importing: ${importWords(row.progress)}.`;
}

/** The page of an upload that is not a trajectory yet: how far it is, or why it failed, where, and what to do. */
export function ImportStatus({ api, initial }: { api: string; initial: TrajectoryRow }): ReactNode {
  const router = useRouter();
  const [row, setRow] = useState(initial);
  const [isWorkerAway, setWorkerAway] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const ask = useCallback(
    async (signal: AbortSignal) => {
      const answer = await fetchJson(api, answerSchema, { signal });
      if (signal.aborted) return;
      setRow(answer.row);
      setWorkerAway(answer.isWorkerAway ?? false);
      if (answer.run !== null) router.refresh();
    },
    [api, router],
  );
  const isOver = row.status === "failed";
  const { problem } = usePolling(ask, isOver ? null : POLL_MS, isMoving(initial));
  const retry = async () => {
    try {
      await fetchJson(`${api}/retry`, z.unknown(), { method: "POST" });
      setRefusal(null);
      setRow({ ...row, status: "queued", failure: null, progress: null });
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : "It could not be started again.");
    }
  };
  return (
    <main className="mx-auto w-full max-w-[72ch] px-4 pt-16 pb-8 narrow:pt-8">
      <h1 className="text-20 font-semibold [overflow-wrap:anywhere] [unicode-bidi:plaintext]">
        <UntrustedText text={row.name} />
      </h1>
      {isOver ? (
        <div className="mt-3 flex flex-col items-start gap-3">
          <p className="text-14 leading-6">The import failed. The upload is kept and can be downloaded.</p>
          <div className="w-full border-l-2 border-line-3 pl-3">
            <p className="text-14 leading-6 [overflow-wrap:anywhere]">
              <UntrustedText text={failureWords(row.failure)} />
            </p>
            {row.failure && <p className="mono text-12 text-fg-3">{row.failure.code}</p>}
          </div>
          <div className="flex flex-wrap gap-2">
            <Button asChild>
              <a href={`${api}/upload`} download>
                Download upload
              </a>
            </Button>
            <Button onClick={() => void retry()}>Import again</Button>
          </div>
          <p role="status" className="min-h-5 text-13 text-fg-2">
            {refusal}
          </p>
        </div>
      ) : (
        <div className="mt-3 flex flex-col gap-3">
          {/* Two lines in one column, so that what stands below stays where it is while the words change. */}
          <p role="status" className="text-14 leading-6 narrow:min-h-12">
            {statusWords(row, isWorkerAway)}
          </p>
          <ProgressBar
            label="Import"
            value={row.status === "queued" ? 0 : importShare(row.progress)}
            className="w-full"
          />
          <p role="status" className="min-h-5 text-13 text-fg-2">
            {problem === null ? "This page opens by itself when it is done." : <NotUpdating problem={problem} />}
          </p>
        </div>
      )}
    </main>
  );
}
