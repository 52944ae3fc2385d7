"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useCallback, useState } from "react";
import { z } from "zod";
import { LiveNotice, NOTICE_WORDS, NotUpdating } from "@/components/shell/live-notice";
import { usePolling } from "@/components/shell/use-polling";
import { failureWords, importShare, isMoving } from "@/components/tables/trajectory-table/cell-text";
import { LinkButton } from "@/components/ui/button";
import { ProgressBar } from "@/components/ui/progress-bar";
import { toast } from "@/components/ui/toast";
import { trajectoryRowSchema } from "@/lib/views/trajectory-list";
import { fetchJson } from "./answers";
import { useForensics } from "./forensics-context";
import { statusWords } from "./import-status";
import { UntrustedText } from "./untrusted-text";

const POLL_MS = 1_500;
const answerSchema = z.object({
  row: trajectoryRowSchema,
  run: z.object({ importId: z.string() }).nullable(),
  isWorkerAway: z.boolean().optional(),
});

/**
 * What becomes of a new import of the run that is open, with a baseline or a newer parser: how far it is, that it failed,
 * that nobody knows. The page turns into the new import by itself; until then what is shown stays true.
 * @param asked how many new imports this page itself has asked for.
 */
export function ReimportNotice({ asked }: { asked: number }): ReactNode {
  const router = useRouter();
  const { run, api } = useForensics();
  const [row, setRow] = useState(run.row);
  const [isWorkerAway, setWorkerAway] = useState(false);
  const [retries, setRetries] = useState(0);
  const [failures, setFailures] = useState(0);
  // Until it is here or has failed: an answer can hold a row that is ready beside the import before.
  const wanted = asked + retries + (isMoving(run.row) ? 1 : 0);
  const ask = useCallback(
    async (signal: AbortSignal) => {
      const answer = await fetchJson(api, answerSchema, { signal });
      if (signal.aborted) return;
      setRow(answer.row);
      setWorkerAway(answer.isWorkerAway ?? false);
      if (answer.run !== null && answer.run.importId !== run.importId) router.refresh();
      else if (answer.row.status === "failed") setFailures(wanted);
    },
    [api, router, run.importId, wanted],
  );
  const { problem } = usePolling(ask, wanted > failures ? POLL_MS : null, true);
  const retry = async () => {
    try {
      await fetchJson(`${api}/retry`, z.unknown(), { method: "POST" });
      setRow({ ...row, status: "queued", failure: null, progress: null });
      setRetries((n) => n + 1);
    } catch (error) {
      toast(error instanceof Error ? error.message : "It could not be started again.");
    }
  };
  if (problem !== null) {
    return (
      <LiveNotice>
        <NotUpdating problem={problem} />
      </LiveNotice>
    );
  }
  if (isMoving(row)) {
    return (
      <LiveNotice>
        <ProgressBar
          label="New import"
          value={row.status === "queued" ? 0 : importShare(row.progress)}
          className="w-16"
        />
        <span className={NOTICE_WORDS}>
          <b className="font-medium text-fg">New import.</b> {statusWords(row, isWorkerAway)}
        </span>
      </LiveNotice>
    );
  }
  if (row.status === "failed") {
    const words = failureWords(row.failure);
    return (
      <LiveNotice>
        <span className={NOTICE_WORDS} title={words}>
          <b className="font-medium text-fg">The new import failed.</b> <UntrustedText text={words} />
        </span>
        <LinkButton onClick={() => void retry()}>Import again</LinkButton>
      </LiveNotice>
    );
  }
  return <LiveNotice />;
}
