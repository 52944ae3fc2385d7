"use client";

import { useCallback, useEffect, useRef, useState } from "react";

/** After a failure: soon, but not so often that a server that comes back is met by a crowd. */
const RETRY_MS = 4_000;

export interface Polling {
  /** Why what is shown may be old, in words; null while it is fresh. */
  problem: string | null;
  /** Asks now, and goes on from there. */
  askNow: () => void;
}

/**
 * Keeps something on the page fresh: asks every `everyMs` while the window is looked at, never while it is hidden, and at
 * once when it is looked at again or the network has come back. A failed question is asked again after four seconds.
 * @param ask throws with words for a person; another `ask` (it must be memoised) is another question and asked at once.
 * @param everyMs null: nothing is asked.
 * @param isFresh whether what is shown at first needs no question.
 */
export function usePolling(
  ask: (signal: AbortSignal) => Promise<void>,
  everyMs: number | null,
  isFresh: boolean,
): Polling {
  const [problem, setProblem] = useState<string | null>(null);
  const [wish, setWish] = useState(0);
  const askNow = useCallback(() => setWish((n) => n + 1), []);
  const waitsFirst = useRef(isFresh);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a wish starts a new round
  useEffect(() => {
    const isFirst = waitsFirst.current;
    waitsFirst.current = false;
    if (everyMs === null) {
      setProblem(null);
      return;
    }
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    const isSeen = (): boolean => document.visibilityState === "visible";
    const wait = (ms: number): void => {
      timer = setTimeout(() => void (isSeen() && run()), ms);
    };
    const run = async (): Promise<void> => {
      if (isAsking) return;
      clearTimeout(timer);
      isAsking = true;
      try {
        await ask(abort.signal);
        if (abort.signal.aborted) return;
        setProblem(null);
        wait(everyMs);
      } catch (error) {
        if (abort.signal.aborted) return;
        setProblem(error instanceof Error ? error.message : "The question failed.");
        wait(RETRY_MS);
      } finally {
        isAsking = false;
      }
    };
    const onLook = (): void => void (isSeen() && run());
    // A page that comes back whole from the browser's memory is as old as when it was left.
    const onRestored = (event: PageTransitionEvent): void => void (event.persisted && onLook());
    if (isFirst) wait(everyMs);
    else void run();
    document.addEventListener("visibilitychange", onLook);
    window.addEventListener("pageshow", onRestored);
    window.addEventListener("online", onLook);
    return () => {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onLook);
      window.removeEventListener("pageshow", onRestored);
      window.removeEventListener("online", onLook);
    };
  }, [ask, everyMs, wish]);

  return { problem, askNow };
}
