"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { ProgressBar } from "@/components/ui/progress-bar";
import { type TrajectoryRow, trajectoryRowSchema } from "@/lib/views/trajectory-list";
import { fetchJson } from "./answers";
import { formatCount, formatPlural } from "./numbers";
import { UntrustedText } from "./untrusted-text";

const POLL_MS = 1_200;
const answerSchema = z.object({ row: trajectoryRowSchema, run: z.object({ importId: z.string() }).nullable() });

function positionOf(row: TrajectoryRow): string | null {
  const at = row.failure?.at;
  if (!at) return null;
  const parts = [
    at.line === null ? null : `line ${formatCount(at.line)}`,
    at.byte === null ? null : `byte ${formatCount(at.byte)}`,
    at.pointer === null || at.pointer === "" ? null : at.pointer,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(", ");
}

/** What is said when the page waits for another import than the one it shows; null when nothing is under way. */
export function statusWords(row: TrajectoryRow): string {
  if (row.status === "queued") return "Waiting for its turn in the queue.";
  if (row.progress === null) return "Importing.";
  const { phase, done, total, turns } = row.progress;
  const far = total > 0 ? `, ${Math.min(100, Math.floor((done / total) * 100))} %` : "";
  return `Importing: ${phase}${far}${turns > 0 ? `, ${formatPlural(turns, "turn")} so far` : ""}.`;
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
  const at = positionOf(row);
  return (
    <main className="mx-auto w-full max-w-[72ch] px-4 pt-16 pb-8 narrow:pt-8">
      <h1 className="text-20 font-semibold [overflow-wrap:anywhere]">
        <UntrustedText text={row.name} />
      </h1>
      {isOver ? (
        <div className="mt-3 flex flex-col items-start gap-3">
          <p className="text-14 leading-6">The import failed. The upload is kept and can be downloaded.</p>
          <div className="w-full border-l-2 border-line-3 pl-3">
            <p className="text-14 leading-6 [overflow-wrap:anywhere]">
              <UntrustedText text={row.failure?.message ?? "No reason was recorded."} />
            </p>
            {at !== null && <p className="mono text-12 text-fg-2 [overflow-wrap:anywhere]">at {at}</p>}
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
          <ProgressBar
            label="Import"
            value={row.progress && row.progress.total > 0 ? row.progress.done / row.progress.total : null}
            className="w-full"
          />
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
