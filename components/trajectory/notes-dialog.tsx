"use client";

import type { ReactNode } from "react";
import { Dialog } from "@/components/ui/dialog";
import type { RunView } from "@/lib/views/run";
import { CertaintySection } from "./certainty-section";
import { formatCount, formatPlural } from "./numbers";
import { positionWords } from "./positions";
import { TurnChip } from "./turn-link";
import { UntrustedText } from "./untrusted-text";

const LEVELS: Record<RunView["notes"][number]["level"], string> = {
  not_understood: "Not understood",
  repaired: "Repaired",
  information: "Good to know",
};

/** Everything that the import skipped, repaired or guessed, with counts and positions. */
export function NotesDialog({
  run,
  open,
  onOpenChange,
}: {
  run: RunView;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}): ReactNode {
  const order = ["not_understood", "repaired", "information"] as const;
  const hidden = run.omitted.notes + run.omitted.conflicts;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      isText
      title="What the import says"
      description={`Read by ${run.row.format?.id ?? "unknown"} ${run.row.format?.variant ?? ""}, parser ${run.parserVersion}. Nothing is dropped: what is not understood is kept and can be opened as raw records.`}
      className="w-[min(640px,calc(100vw-32px))]"
    >
      {run.notes.length === 0 && run.conflicts.length === 0 && (
        <p className="text-13 text-fg-2">Every record was understood.</p>
      )}
      {order.map((level) => {
        const notes = run.notes.filter((note) => note.level === level);
        if (notes.length === 0) return null;
        return (
          <section key={level} className="pb-3">
            <h3 className="border-b border-line pb-1 text-12 font-medium text-fg-3">{LEVELS[level]}</h3>
            <ul>
              {notes.map((note) => (
                <li key={`${note.code} ${note.message}`} className="border-b border-line py-2 last:border-b-0">
                  <p className="flex gap-3 text-13">
                    <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                      <UntrustedText text={note.message} />
                    </span>
                    <span className="mono text-12 text-fg-3">{formatCount(note.count)}</span>
                  </p>
                  {note.positions.length > 0 && (
                    <p className="text-12 text-fg-3 [overflow-wrap:anywhere]">
                      {note.positions.slice(0, 5).map(positionWords).join("; ")}
                      {note.count > Math.min(5, note.positions.length) &&
                        `; and ${formatCount(note.count - Math.min(5, note.positions.length))} more`}
                    </p>
                  )}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      <CertaintySection run={run} />
      {run.conflicts.length > 0 && (
        <section className="pb-3">
          <h3 className="border-b border-line pb-1 text-12 font-medium text-fg-3">
            Files that differ from their record
          </h3>
          <ul>
            {run.conflicts.map((conflict) => (
              <li
                key={`${conflict.path} ${conflict.turn} ${conflict.kind}`}
                className="border-b border-line py-2 last:border-b-0"
              >
                <p className="flex items-center gap-2 text-13 [overflow-wrap:anywhere]">
                  {conflict.turn !== null && <TurnChip turn={conflict.turn} />}
                  <code className="min-w-0">
                    <UntrustedText text={conflict.path} />
                  </code>
                </p>
                <p className="text-12 text-fg-2">
                  <UntrustedText text={conflict.message} />
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {hidden > 0 && (
        <p className="text-12 text-fg-3">{formatPlural(hidden, "more entry", "more entries")} not listed here.</p>
      )}
    </Dialog>
  );
}
