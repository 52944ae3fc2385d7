import type { ReactNode } from "react";

/** What `+8 −2` says about a write; nothing when it is not known. */
export function WriteCounts({ added, removed }: { added: number | null; removed: number | null }): ReactNode {
  if (added === null && removed === null) return null;
  const hasRemoved = (removed ?? 0) > 0;
  const hasAdded = (added ?? 0) > 0 || !hasRemoved;
  return (
    <span className="mono text-12 font-medium whitespace-nowrap">
      {hasAdded && <span className="text-add-fg">+{added ?? 0}</span>}
      {hasAdded && hasRemoved && " "}
      {hasRemoved && <span className="text-del-fg">−{removed}</span>}
      <span className="hidden-text"> lines</span>
    </span>
  );
}
