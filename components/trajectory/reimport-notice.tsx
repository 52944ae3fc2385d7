"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useCallback, useState } from "react";
import { z } from "zod";
import { LiveNotice, NotUpdating } from "@/components/shell/live-notice";
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
  const [isOld, setOld] = useState(false);
  const [seen, setSeen] = useState(0);
  const isExpected = asked > seen;
  const ask = useCallback(
    async (signal: AbortSignal) => {
      const answer = await fetchJson(api, answerSchema, { signal });
      if (signal.aborted) return;
      setRow(answer.row);
      setSeen(asked);
      setWorkerAway(answer.isWorkerAway ?? false);
      if (answer.run === null || answer.run.importId === run.importId) return;
      setOld(true);
      router.refresh();
    },
    [api, router, run.importId, asked],
  );
  const { problem } = usePolling(ask, isExpected || isOld || isMoving(row) ? POLL_MS : null, true);
  const retry = async () => {
    try {
      await fetchJson(`${api}/retry`, z.unknown(), { method: "POST" });
      setRow({ ...row, status: "queued", failure: null, progress: null });
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
        <span className="min-w-0 truncate narrow:whitespace-normal">
          <b className="font-medium text-fg">New import.</b> {statusWords(row, isWorkerAway)}
        </span>
      </LiveNotice>
    );
  }
  if (row.status === "failed") {
    const words = failureWords(row.failure);
    return (
      <LiveNotice>
        <span className="min-w-0 truncate narrow:whitespace-normal" title={words}>
          <b className="font-medium text-fg">The new import failed.</b> <UntrustedText text={words} />
        </span>
        <LinkButton onClick={() => void retry()}>Import again</LinkButton>
      </LiveNotice>
    );
  }
  return <LiveNotice />;
}
