"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { z } from "zod";
import { failureWords, importShare, importWords } from "@/components/tables/trajectory-table/cell-text";
import { Button } from "@/components/ui/button";
import { ProgressBar } from "@/components/ui/progress-bar";
import { type TrajectoryRow, trajectoryRowSchema } from "@/lib/views/trajectory-list";
import { fetchJson } from "./answers";
import { UntrustedText } from "./untrusted-text";

const POLL_MS = 1_200;
const answerSchema = z.object({ row: trajectoryRowSchema, run: z.object({ importId: z.string() }).nullable() });

/** What an import that is not over does now. */
function statusWords(row: TrajectoryRow): string {
  if (row.status === "queued") return "Waiting for its turn in the queue.";
  return `Importing: ${importWords(row.progress)}.`;
}

/** The page of an upload that is not a trajectory yet: how far it is, or why it failed, where, and what to do. */
export function ImportStatus({ api, initial }: { api: string; initial: TrajectoryRow }): ReactNode {
  const router = useRouter();
  const [row, setRow] = useState(initial);
  const [failure, setFailure] = useState<string | null>(null);
  const isOver = row.status === "failed";
  useEffect(() => {
    if (isOver) return;
    let isGone = false;
    const timer = setInterval(async () => {
      try {
        const answer = await fetchJson(api, answerSchema);
        if (isGone) return;
        setFailure(null);
        setRow(answer.row);
        if (answer.run !== null) router.refresh();
      } catch (error) {
        if (!isGone) setFailure(error instanceof Error ? error.message : "The status could not be read.");
      }
    }, POLL_MS);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [api, isOver, router]);
  const retry = async () => {
    try {
      await fetchJson(`${api}/retry`, z.unknown(), { method: "POST" });
      setRow({ ...row, status: "queued", failure: null, progress: null });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : "It could not be started again.");
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
        </div>
      ) : (
        <div className="mt-3 flex flex-col gap-3" role="status">
          <p className="text-14 leading-6">{statusWords(row)}</p>
          <ProgressBar label="Import" value={importShare(row.progress)} className="w-full" />
          <p className="text-13 text-fg-2">This page opens by itself when it is done.</p>
        </div>
      )}
      {failure !== null && (
        <p role="alert" className="mt-3 text-13 text-fg-2">
          {failure}
        </p>
      )}
    </main>
  );
}
