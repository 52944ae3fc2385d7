"use client";

import type { ReactNode } from "react";
import { formatMoment, formatPlural } from "@/components/trajectory/numbers";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { LinkButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { InvestigationRow } from "@/lib/views/investigation";
import { STATUS_WORDS } from "./diagnosis-words";

/** All investigations of this reading of the upload, newest first; each with a verdict can be shown, each has its trail. */
export function EarlierDialog({
  rows,
  shownId,
  onShow,
  onClose,
}: {
  rows: readonly InvestigationRow[];
  /** The one whose verdict the page shows. */
  shownId: string | null;
  onShow: (id: string) => void;
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Investigations"
      description={`${formatPlural(rows.length, "investigation")} of this reading of the upload, the newest first. None is ever overwritten.`}
      className="w-[min(680px,calc(100vw-32px))]"
    >
      <ul>
        {rows.map((row) => (
          <li
            key={row.id}
            className="grid grid-cols-[76px_88px_minmax(0,1fr)_auto] items-baseline gap-x-3 border-b border-line py-2 text-13 last:border-b-0 narrow:grid-cols-[76px_minmax(0,1fr)_auto]"
          >
            <span className="font-medium">{STATUS_WORDS[row.status]}</span>
            <span className="mono text-12 narrow:hidden">
              {row.turn !== null ? `#${row.turn + 1}` : row.status === "done" ? "undetermined" : ""}
            </span>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {formatMoment(row.createdAt)}
              <span className="block text-12 text-fg-3">
                <UntrustedText text={[row.model, row.version, row.createdBy].filter(Boolean).join(", ")} />
              </span>
            </span>
            {row.status === "done" &&
              (row.id === shownId ? (
                <span className="text-12 text-fg-3">shown</span>
              ) : (
                <LinkButton onClick={() => onShow(row.id)}>Show</LinkButton>
              ))}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
