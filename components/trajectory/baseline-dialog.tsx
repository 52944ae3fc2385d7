"use client";

import { type ReactNode, useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { BASELINE_MAX_BYTES, BASELINE_MAX_FILES } from "@/lib/catalogue/limits";
import { fetchJson } from "./answers";
import { formatCount, formatPlural } from "./numbers";

const answerSchema = z.object({
  files: z.number(),
  skipped: z.array(z.object({ reason: z.string(), count: z.number() })),
  strippedFolder: z.string().nullable(),
});

function saidOf(answer: z.infer<typeof answerSchema>): string {
  const skipped = answer.skipped.map(({ reason, count }) => `${formatCount(count)} ${reason.replaceAll("_", " ")}`);
  return [
    `${formatPlural(answer.files, "file")} attached`,
    skipped.length > 0 ? `; skipped: ${skipped.join(", ")}` : "",
    answer.strippedFolder !== null
      ? `; the folder ${answer.strippedFolder} of the archive was taken for the repository`
      : "",
    ". The trajectory is imported again with them; this page changes when that is done.",
  ].join("");
}

/** Attaches the input of the run: a file, or an archive of the repository at the commit that the run began on. */
export function BaselineDialog({
  api,
  attached,
  open,
  onOpenChange,
  onAttached,
}: {
  api: string;
  attached: { files: number; differing: number };
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Called when the upload is stored and the new import is queued. */
  onAttached: () => void;
}): ReactNode {
  const [file, setFile] = useState<File | null>(null);
  const [state, setState] = useState<"idle" | "sending">("idle");
  const [failure, setFailure] = useState<string | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const isTooLarge = file !== null && file.size > BASELINE_MAX_BYTES;

  const send = async () => {
    if (file === null) return;
    setState("sending");
    setFailure(null);
    try {
      const answer = await fetchJson(`${api}/baseline?name=${encodeURIComponent(file.name)}`, answerSchema, {
        method: "POST",
        headers: { "content-type": "application/octet-stream" },
        body: file,
      });
      setDone(saidOf(answer));
      setFile(null);
      onAttached();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : "The file could not be sent.");
    } finally {
      setState("idle");
    }
  };

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Attach baseline"
      description="The files as they were before the run. They fill what the trace does not show, and are checked against what the run read. Links to this import keep showing what they showed."
      className="w-[min(560px,calc(100vw-32px))]"
    >
      <p className="text-13 text-fg-2">
        {attached.files === 0
          ? "Nothing is attached yet."
          : `${formatPlural(attached.files, "file")} attached${attached.differing > 0 ? `, ${formatCount(attached.differing)} of them differ from what the run read` : ", none differs from what the run read"}.`}
      </p>
      <form
        className="mt-3 flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <label htmlFor="baseline-file" className="text-13 font-medium">
          One file, or a zip, tar or tar.gz of the repository
        </label>
        <input
          id="baseline-file"
          type="file"
          onChange={(event) => {
            setFile(event.target.files?.[0] ?? null);
            setFailure(null);
            setDone(null);
          }}
          className="text-12 text-fg-2 file:mr-3 file:h-7 file:rounded-6 file:border file:border-line-2 file:bg-bg file:px-2.5 file:text-13 file:font-medium file:text-fg"
        />
        <p className="text-12 text-fg-3">
          At most {BASELINE_MAX_BYTES / 1024 / 1024} MiB and {formatCount(BASELINE_MAX_FILES)} files. A single file is
          taken under its own name, relative to the repository.
        </p>
        {isTooLarge && <p className="text-12 text-fg-2">This file is larger than that.</p>}
        {failure !== null && (
          <p role="alert" className="rounded-6 border border-dashed border-line-3 px-3 py-2 text-13 text-fg-2">
            {failure}
          </p>
        )}
        {done !== null && (
          <p role="status" className="text-13 text-fg-2">
            {done}
          </p>
        )}
        <Button
          type="submit"
          look="primary"
          className="self-start"
          disabled={file === null || isTooLarge || state === "sending"}
        >
          {state === "sending" ? "Sending" : "Attach"}
        </Button>
      </form>
    </Dialog>
  );
}
