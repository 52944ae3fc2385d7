"use client";

import type { ReactNode } from "react";
import { formatMoment, formatPlural } from "@/components/trajectory/numbers";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { LinkButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Investigations } from "@/lib/views/investigation";
import { STATUS_WORDS } from "./diagnosis-words";
import { canShow } from "./shown-verdict";

/** All investigations of the upload, newest first; those of the reading that is open can be shown with their trail. */
export function EarlierDialog({
  all,
  shownId,
  onShow,
  onClose,
}: {
  all: Investigations;
  /** The one whose verdict the page shows. */
  shownId: string | null;
  /** Shows its verdict, or its trail where it has none. */
  onShow: (id: string, panel: "trail" | null) => void;
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Investigations"
      description={`${formatPlural(all.rows.length, "investigation")} of this upload, the newest first. None is ever overwritten.`}
      className="w-[min(680px,calc(100vw-32px))]"
    >
      <ul>
        {all.rows.map((row) => (
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
            {row.status === "done" && !canShow(all, row) && <span className="text-12 text-fg-3">earlier reading</span>}
            {(row.status === "failed" || row.status === "cancelled") && (
              <LinkButton onClick={() => onShow(row.id, "trail")}>Trail</LinkButton>
            )}
            {canShow(all, row) &&
              (row.id === shownId ? (
                <span className="text-12 text-fg-3">shown</span>
              ) : (
                <LinkButton onClick={() => onShow(row.id, null)}>Show</LinkButton>
              ))}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
