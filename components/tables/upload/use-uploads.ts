"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { hashFile } from "./file-hash";
import { type UploadEntry, UploadQueue } from "./upload-queue";
import { sendFile } from "./upload-sending";

const NONE: readonly UploadEntry[] = [];

/** The upload queue of this page. Leaving the page while files are on their way asks first. */
export function useUploads(): { queue: UploadQueue; entries: readonly UploadEntry[] } {
  const [queue] = useState(() => new UploadQueue({ hash: hashFile, send: sendFile, nowMs: () => performance.now() }));
  const entries = useSyncExternalStore(queue.subscribe, queue.snapshot, () => NONE);
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent): void => {
      if (queue.isBusy()) event.preventDefault();
    };
    window.addEventListener("beforeunload", onBeforeUnload);
    return () => window.removeEventListener("beforeunload", onBeforeUnload);
  }, [queue]);
  return { queue, entries };
}
