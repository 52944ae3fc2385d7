import type { ReactNode } from "react";
import { formatCount } from "@/components/trajectory/numbers";
import type { ListPage, ListQuery } from "@/lib/views/trajectory-list";
import { changed } from "./list-address";

/** The three questions of every day, each with its count: all, undetermined, failed imports. */
export function ViewTabs({
  query,
  page,
  onChange,
}: {
  query: ListQuery;
  page: ListPage;
  onChange: (query: ListQuery) => void;
}): ReactNode {
  const views: { name: string; count: number; status: ListQuery["status"]; verdict: ListQuery["verdict"] }[] = [
    { name: "All", count: page.total, status: "all", verdict: "all" },
    { name: "Undetermined", count: page.counts.undetermined, status: "all", verdict: "undetermined" },
    { name: "Import failed", count: page.counts.failedImports, status: "failed", verdict: "all" },
  ];
  return (
    <div className="ml-3 flex gap-1 narrow:order-3 narrow:ml-0 narrow:w-full narrow:overflow-x-auto">
      {views.map((view) => (
        <button
          key={view.name}
          type="button"
          aria-pressed={query.status === view.status && query.verdict === view.verdict}
          onClick={() => onChange(changed(query, { status: view.status, verdict: view.verdict }))}
          className="flex h-7 items-center gap-1.5 rounded-6 px-2 whitespace-nowrap text-fg-2 hover:bg-bg-hover aria-pressed:bg-bg-3 aria-pressed:font-medium aria-pressed:text-fg"
        >
          {view.name}
          <span className="mono text-12 font-normal text-fg-3">{formatCount(view.count)}</span>
        </button>
      ))}
    </div>
  );
}
