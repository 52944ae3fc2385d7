"use client";

import { useCallback, useState } from "react";
import { z } from "zod";
import { usePolling } from "@/components/shell/use-polling";
import type { Address } from "@/components/trajectory/address";
import { type Answers, fetchJson, useAnswer } from "@/components/trajectory/answers";
import {
  type Investigation,
  type InvestigationSettings,
  type Investigations,
  investigationSchema,
  investigationsSchema,
  type ReviewRequest,
  reviewSchema,
} from "@/lib/views/investigation";
import { INVESTIGATIONS_PATH, investigationPath, openInvestigation, shownInvestigation } from "./shown-verdict";

const POLL_MS = 1_200;
const reviewsSchema = z.object({ reviews: z.array(reviewSchema) });
const JSON_HEADERS = { "content-type": "application/json" };

/** The investigations of the trajectory that is open, and what a person can do with them. */
export interface InvestigationsState {
  /** Null while they are not known, or are none of the reader's business. */
  all: Investigations | null;
  /** The one whose verdict is shown. */
  shown: Investigation | null;
  /** The one that the address names, whether it has a verdict or not. */
  named: Investigation | null;
  /** Why what is shown may be old, in words. */
  problem: string | null;
  /** These three throw with words for a person. */
  start: (settings: InvestigationSettings) => Promise<void>;
  cancel: (id: string) => Promise<void>;
  review: (review: ReviewRequest) => Promise<void>;
}

/**
 * Reads them, and follows the one that runs until it has ended.
 * @param may false on a shared page: nothing is asked.
 */
export function useInvestigations(api: string, answers: Answers, may: boolean, address: Address): InvestigationsState {
  // Kept here and not among the answers, of which the oldest go.
  const [all, setAll] = useState(() => answers.value(INVESTIGATIONS_PATH, investigationsSchema));
  const ask = useCallback(
    async (signal: AbortSignal) => {
      const next = await fetchJson(`${api}/${INVESTIGATIONS_PATH}`, investigationsSchema, { signal });
      if (!signal.aborted) setAll(next);
    },
    [api],
  );
  const isFollowed = may && (all === null || openInvestigation(all) !== null);
  const { problem } = usePolling(ask, isFollowed ? POLL_MS : null, all !== null);

  const shownId = all === null ? null : shownInvestigation(all, address);
  const namedId = all?.rows.find(({ id }) => id === address.investigation)?.id ?? null;
  const latest = all?.latest ?? null;
  const shown = useInvestigation(answers, shownId, latest);
  const named = useInvestigation(answers, namedId, latest);

  const start = useCallback(
    async (settings: InvestigationSettings) => {
      const init = { method: "POST", headers: JSON_HEADERS, body: JSON.stringify(settings) };
      setAll(await fetchJson(`${api}/${INVESTIGATIONS_PATH}`, investigationsSchema, init));
    },
    [api],
  );
  const cancel = useCallback(
    async (id: string) => {
      setAll(await fetchJson(`${api}/${investigationPath(id)}`, investigationsSchema, { method: "DELETE" }));
    },
    [api],
  );
  const review = useCallback(
    async (given: ReviewRequest) => {
      const init = { method: "POST", headers: JSON_HEADERS, body: JSON.stringify(given) };
      const { reviews } = await fetchJson(`${api}/reviews`, reviewsSchema, init);
      setAll((now) => (now === null ? null : { ...now, reviews }));
    },
    [api],
  );
  return { all, shown, named, problem, start, cancel, review };
}

/** One investigation by its id, asked for unless it is the latest one. Kept here, because the oldest answers go. */
function useInvestigation(answers: Answers, id: string | null, latest: Investigation | null): Investigation | null {
  const isLatest = id === latest?.id;
  const answer = useAnswer(answers, id === null || isLatest ? null : investigationPath(id), investigationSchema);
  const [kept, keep] = useState<Investigation | null>(null);
  if (answer.state === "here" && answer.value !== kept) keep(answer.value);
  const known = [isLatest ? latest : null, answer.state === "here" ? answer.value : null, kept];
  return known.find((each) => id !== null && each?.id === id) ?? null;
}
