"use client";

import type { ReactNode } from "react";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";

/** One row of the key sheet: what it does, and the keys (alternatives apart). */
export interface KeyEntry {
  keys: string[];
  does: string;
}

/** All keys that do something on this page. */
export function KeyHelp({
  open,
  onOpenChange,
  entries,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  entries: KeyEntry[];
}): ReactNode {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keys" description="They rest while you type in a field.">
      <dl className="-my-1">
        {entries.map((entry) => (
          <div key={entry.does} className="flex min-h-8 items-center gap-3 border-b border-line last:border-b-0">
            <dt className="flex w-28 shrink-0 gap-1">
              {entry.keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd className="text-fg-2">{entry.does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
