"use client";

import { useCallback, useState } from "react";
import { usePolling } from "@/components/shell/use-polling";
import { AnswerError, fetchJson } from "@/components/trajectory/answers";
import { type ListPage, listPageSchema } from "@/lib/views/trajectory-list";
import { isMoving } from "./cell-text";

/** How often the list asks again while something is in progress. */
const POLL_MS = 1_000;
/** And while nothing is: uploads come from other windows and from scripts too. */
const IDLE_MS = 20_000;

export interface LiveList {
  page: ListPage;
  /** True when `page` is of an earlier address and the new one is on its way. */
  isBehind: boolean;
  /** Why the list may be old, in words; null when it is not. */
  problem: string | null;
  /** When the page that is shown was asked for: `performance.now()`; 0 for the one that came with the document. */
  askedAtMs: number;
  refresh: () => void;
}

/**
 * The page of the list for an address: the one that came with the document first, then from the server whenever the
 * address changes, when asked, when the window is looked at again, once a second while something moves, and now and
 * then when nothing does.
 * @param address the query string of the list.
 */
export function useListPage(
  address: string,
  initial: { address: string; page: ListPage },
  keepAsking: boolean,
): LiveList {
  const [shown, setShown] = useState({ ...initial, askedAtMs: 0 });
  const ask = useCallback(
    async (signal: AbortSignal) => {
      const askedAtMs = performance.now();
      const page = await fetchListPage(address, signal);
      if (!signal.aborted) setShown({ address, page, askedAtMs });
    },
    [address],
  );
  const { pinned, file } = shown.page;
  const isLive = keepAsking || pinned.some(isMoving) || (file !== null && isMoving(file));
  const { problem, askNow } = usePolling(ask, isLive ? POLL_MS : IDLE_MS, address === initial.address);
  return {
    page: shown.page,
    askedAtMs: shown.askedAtMs,
    isBehind: shown.address !== address,
    problem,
    refresh: askNow,
  };
}

async function fetchListPage(address: string, signal: AbortSignal): Promise<ListPage> {
  try {
    return await fetchJson(`/api/v1/trajectories${address === "" ? "" : `?${address}`}`, listPageSchema, { signal });
  } catch (error) {
    if (error instanceof AnswerError && error.status === 401) window.location.assign("/sign-in");
    throw error;
  }
}
