"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { type ListPage, listPageSchema } from "@/lib/views/trajectory-list";
import { isMoving } from "./cell-text";

/** How often the list asks again while something is in progress. */
const POLL_MS = 1_000;
const RETRY_MS = 4_000;
/** And while nothing is, in a window that is looked at: uploads come from other windows and from scripts too. */
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
  const [problem, setProblem] = useState<string | null>(null);
  const [wish, setWish] = useState(0);
  const refresh = useCallback(() => setWish((n) => n + 1), []);
  const isLive = keepAsking || shown.page.pinned.some(isMoving);
  const live = useRef(isLive);
  live.current = isLive;
  const isFirst = useRef(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `wish` and `isLive` are asked for on purpose: they start a new round.
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (isMovingNow: boolean): void => {
      timer = setTimeout(
        () => void (isMovingNow || document.visibilityState === "visible" ? ask() : wait(false)),
        isMovingNow ? POLL_MS : IDLE_MS,
      );
    };
    const ask = async (): Promise<void> => {
      const askedAtMs = performance.now();
      try {
        const page = await fetchListPage(address, abort.signal);
        if (abort.signal.aborted) return;
        setShown({ address, page, askedAtMs });
        setProblem(null);
        wait(live.current || page.pinned.some(isMoving));
      } catch (error) {
        if (abort.signal.aborted) return;
        setProblem(error instanceof Error ? error.message : "The list could not be read.");
        timer = setTimeout(ask, RETRY_MS);
      }
    };
    const needsNothing = isFirst.current && address === initial.address;
    isFirst.current = false;
    if (!needsNothing) void ask();
    else wait(isLive);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [address, wish, isLive]);

  useEffect(() => {
    const onLook = (): void => {
      if (document.visibilityState === "visible") refresh();
    };
    document.addEventListener("visibilitychange", onLook);
    window.addEventListener("pageshow", onLook);
    return () => {
      document.removeEventListener("visibilitychange", onLook);
      window.removeEventListener("pageshow", onLook);
    };
  }, [refresh]);

  return { page: shown.page, askedAtMs: shown.askedAtMs, isBehind: shown.address !== address, problem, refresh };
}

async function fetchListPage(address: string, signal: AbortSignal): Promise<ListPage> {
  const response = await fetch(`/api/v1/trajectories${address === "" ? "" : `?${address}`}`, { signal }).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      throw new Error("The server does not answer. Trying again.", { cause: error });
    },
  );
  if (response.status === 401) window.location.assign("/sign-in");
  if (!response.ok) throw new Error(`The list could not be read (answer ${response.status}). Trying again.`);
  const page = listPageSchema.safeParse(await response.json());
  if (!page.success) throw new Error("The server's list cannot be read by this page. Load the page again.");
  return page.data;
}
