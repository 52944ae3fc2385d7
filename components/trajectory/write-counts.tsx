import type { ReactNode } from "react";

/** What `+8 −2` says about a write; nothing when it is not known. */
export function WriteCounts({ added, removed }: { added: number | null; removed: number | null }): ReactNode {
  if (added === null && removed === null) return null;
  return (
    <span className="mono text-12 font-medium whitespace-nowrap">
      <span className="text-add-fg">+{added ?? 0}</span> <span className="text-del-fg">−{removed ?? 0}</span>
      <span className="hidden-text"> lines</span>
    </span>
  );
}
