"use client";

import { Upload } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { changeBetween, EMPTY_DRAFT, oversized, saysSomething } from "@/components/failure/given-draft";
import { KNOWN_NAMES } from "@/components/failure/known-names";
import { Button } from "@/components/ui/button";
import { UPLOAD_MAX_BYTES } from "@/lib/catalogue/limits";
import type { GivenChange } from "@/lib/views/failure";
import { formatLimit } from "../trajectory-table/cell-text";
import { chosenFolder, droppedFiles, holdsFiles } from "./dropped-files";
import { FailurePanel, FailureTrigger } from "./failure-disclosure";
import { holdLog, packLogs } from "./folder-archive";

/** What can be read, said before anything is sent. */
export interface UploadRules {
  /** Names of the formats, as people know them, with the usual endings of their files. */
  formats: string[];
}

/**
 * Where traces come in: the zone, its file picker, and the whole page as a place to drop. `picker` opens from elsewhere
 * (the Upload button, the key `u`).
 */
export function DropZone({
  rules,
  picker,
  onFiles,
}: {
  rules: UploadRules;
  picker: RefObject<HTMLInputElement | null>;
  /** `given` is what is known about the failure of all of them; null for nothing. Answers whether any of them is taken. */
  onFiles: (files: File[], given: GivenChange | null) => boolean;
}): ReactNode {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const take = (files: File[]): void => {
    if (files.length === 0) return;
    const [tooLarge] = oversized(draft);
    if (tooLarge !== undefined) {
      setOpen(true);
      setProblem(`Nothing was sent: the ${KNOWN_NAMES[tooLarge].toLowerCase()} is larger than it may be.`);
      return;
    }
    const change = changeBetween(EMPTY_DRAFT, draft);
    if (!onFiles(files, saysSomething(change) ? change : null)) return;
    setDraft(EMPTY_DRAFT);
    setOpen(false);
    setProblem(null);
  };
  const isOver = usePageDrop(take);
  const folder = useRef<HTMLInputElement>(null);
  return (
    <>
      <section
        aria-label="Upload"
        className="mx-4 mb-3 flex h-11 items-center gap-3 rounded-6 border border-dashed border-line-3 bg-bg-2 pr-2 pl-3 text-fg-2 whitespace-nowrap narrow:h-auto narrow:flex-wrap narrow:justify-between narrow:gap-y-1 narrow:py-2"
      >
        <Upload aria-hidden strokeWidth={1.75} className="size-4 shrink-0 text-fg-3" />
        <span className="narrow:flex-1">
          <b className="font-medium text-fg">Drop trajectories here</b>
          <span className="narrow:hidden">, or</span>
        </span>
        <Button size="small" onClick={() => picker.current?.click()}>
          Choose files
        </Button>
        <Button size="small" className="narrow:hidden" onClick={() => folder.current?.click()}>
          Choose a folder
        </Button>
        <span className="min-w-0 flex-1 truncate text-fg-3 narrow:hidden">
          Up to {formatLimit(UPLOAD_MAX_BYTES)} each, any number; archives too. The format is found by content:{" "}
          {rules.formats.join(", ")}
        </span>
        <FailureTrigger draft={draft} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        <input
          ref={picker}
          type="file"
          multiple
          tabIndex={-1}
          aria-label="Trajectory files"
          className="hidden"
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            // Emptied, so that the same file can be chosen again.
            event.target.value = "";
            if (holdLog(files)) void packLogs(files).then(take);
            else take(files);
          }}
        />
        <input
          ref={folder}
          type="file"
          webkitdirectory=""
          tabIndex={-1}
          aria-label="A folder of a trajectory"
          className="hidden"
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            event.target.value = "";
            void chosenFolder(files).then(take);
          }}
        />
        {isOver && (
          <div aria-hidden className="pointer-events-none fixed inset-0 z-40 bg-bg/80 p-3">
            <div className="flex h-full items-center justify-center rounded-6 border-2 border-dashed border-accent">
              <div className="flex flex-col items-center gap-1 rounded-6 bg-float px-8 py-5 shadow-float">
                <b className="text-16 font-semibold">Drop to upload</b>
                <span className="text-fg-2">
                  Files, archives or folders, up to {formatLimit(UPLOAD_MAX_BYTES)} each
                </span>
              </div>
            </div>
          </div>
        )}
      </section>
      {isOpen && (
        <FailurePanel
          draft={draft}
          problem={problem}
          onChange={(next) => {
            setDraft(next);
            setProblem(null);
          }}
        />
      )}
    </>
  );
}

/** Files dropped anywhere on the page. Returns whether some are held over it now. */
function usePageDrop(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const handler = useRef(onFiles);
  handler.current = onFiles;
  useEffect(() => {
    // Every element on the way fires its own enter and leave.
    let depth = 0;
    const set = (next: number): void => {
      depth = Math.max(0, next);
      setOver(depth > 0);
    };
    const onEnter = (event: DragEvent): void => {
      if (holdsFiles(event.dataTransfer)) set(depth + 1);
    };
    const onLeave = (event: DragEvent): void => {
      if (holdsFiles(event.dataTransfer)) set(depth - 1);
    };
    const onOver = (event: DragEvent): void => {
      if (holdsFiles(event.dataTransfer)) event.preventDefault();
    };
    const onDrop = (event: DragEvent): void => {
      if (event.dataTransfer === null || !holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      set(0);
      void droppedFiles(event.dataTransfer).then((files) => handler.current(files));
    };
    window.addEventListener("dragenter", onEnter);
    window.addEventListener("dragleave", onLeave);
    window.addEventListener("dragover", onOver);
    window.addEventListener("drop", onDrop);
    return () => {
      window.removeEventListener("dragenter", onEnter);
      window.removeEventListener("dragleave", onLeave);
      window.removeEventListener("dragover", onOver);
      window.removeEventListener("drop", onDrop);
    };
  }, []);
  return isOver;
}
