import type { ReactNode } from "react";

/** What a place says when there is nothing to show: why, and what to do next. */
export function EmptyState({
  title,
  children,
  actions,
}: {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}): ReactNode {
  return (
    <div className="mx-auto flex max-w-[56ch] flex-col items-start gap-2 px-4 py-12">
      <h2 className="text-14 font-semibold">{title}</h2>
      {children !== undefined && <div className="text-13 text-fg-2">{children}</div>}
      {actions !== undefined && <div className="mt-2 flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
