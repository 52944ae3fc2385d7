"use client";

import { type ReactNode, useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { BASELINE_MAX_BYTES, BASELINE_MAX_FILES } from "@/lib/catalogue/limits";
import { fetchJson } from "./answers";
import { isArchiveName, suggestPath } from "./baseline-paths";
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

/** A picked file and where it goes. An archive has paths of its own. */
interface Picked {
  key: string;
  file: File;
  path: string;
}

/** More than this many are sent under the paths that were found for them, without a field each. */
const FIELDS_MAX = 12;

/** One file is sent as it is, several as a form with one part a path. */
function requestOf(api: string, picked: readonly Picked[]): { url: string; init: RequestInit } {
  const [only] = picked;
  if (only !== undefined && picked.length === 1) {
    const headers = { "content-type": "application/octet-stream" };
    return {
      url: `${api}/baseline?name=${encodeURIComponent(only.path)}`,
      init: { method: "POST", headers, body: only.file },
    };
  }
  const form = new FormData();
  for (const { path, file } of picked) form.append(path, file);
  return { url: `${api}/baseline`, init: { method: "POST", body: form } };
}

/** Attaches the input of the run: files, or an archive of the repository at the commit that the run began on. */
export function BaselineDialog({
  api,
  known,
  attached,
  open,
  onOpenChange,
  onAttached,
}: {
  api: string;
  /** Paths of the run's files, relative to the repository. */
  known: readonly string[];
  attached: { files: number; differing: number };
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Called when the upload is stored and the new import is queued. */
  onAttached: () => void;
}): ReactNode {
  const [picked, setPicked] = useState<Picked[]>([]);
  const [state, setState] = useState<"idle" | "sending">("idle");
  const [failure, setFailure] = useState<string | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const isTooLarge = picked.reduce((sum, { file }) => sum + file.size, 0) > BASELINE_MAX_BYTES;
  const loose = picked.filter(({ file }) => !isArchiveName(file.name));
  const matching = loose.filter(({ path }) => known.includes(path)).length;

  const send = async () => {
    if (picked.length === 0) return;
    setState("sending");
    setFailure(null);
    try {
      const { url, init } = requestOf(api, picked);
      const answer = await fetchJson(url, answerSchema, init);
      setDone(saidOf(answer));
      setPicked([]);
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
          Files, or a zip, tar or tar.gz of the repository
        </label>
        <input
          id="baseline-file"
          type="file"
          multiple
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            setPicked(
              files.map((file, n) => ({ key: `${n} ${file.name}`, file, path: suggestPath(file.name, known) })),
            );
            setFailure(null);
            setDone(null);
          }}
          className="text-12 text-fg-2 file:mr-3 file:h-7 file:rounded-6 file:border file:border-line-2 file:bg-bg file:px-2.5 file:text-13 file:font-medium file:text-fg"
        />
        <p className="text-12 text-fg-3">
          At most {BASELINE_MAX_BYTES / 1024 / 1024} MiB and {formatCount(BASELINE_MAX_FILES)} files.
        </p>
        {loose.length > 0 && loose.length <= FIELDS_MAX && (
          <ul className="flex flex-col gap-1">
            {picked.map(({ key, file, path }) =>
              isArchiveName(file.name) ? null : (
                <li key={key} className="flex items-center gap-2 text-12">
                  <label className="flex min-w-0 flex-1 items-center gap-2">
                    <span className="text-fg-3">Path in the repository</span>
                    <input
                      value={path}
                      onChange={(event) => {
                        const changed = event.target.value;
                        setPicked(picked.map((each) => (each.key === key ? { ...each, path: changed } : each)));
                      }}
                      spellCheck={false}
                      className="h-6 min-w-0 flex-1 rounded-4 border border-line-2 bg-bg px-2 font-mono text-12"
                    />
                  </label>
                  <span className="w-28 shrink-0 text-fg-3">
                    {known.includes(path) ? "a file of the run" : "not in the run"}
                  </span>
                </li>
              ),
            )}
          </ul>
        )}
        {loose.length > FIELDS_MAX && (
          <p className="text-12 text-fg-2">
            {formatPlural(loose.length, "file")}, {formatCount(matching)} of them under the path of a file of the run.
            For full control over paths, attach an archive.
          </p>
        )}
        {isTooLarge && <p className="text-12 text-fg-2">This is more than that.</p>}
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
          disabled={picked.length === 0 || isTooLarge || state === "sending"}
        >
          {state === "sending" ? "Sending" : "Attach"}
        </Button>
      </form>
    </Dialog>
  );
}
