import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Legend } from "@/components/marks/legend";
import { PlainBar } from "@/components/shell/plain-bar";

export const metadata: Metadata = { title: "Legend" };

/** What every mark means. It needs no project, so a reader of a shared page can open it too. */
export default function LegendPage(): ReactNode {
  return (
    <div className="flex min-h-full flex-col">
      <PlainBar />
      <main className="w-full max-w-[1440px] flex-1 px-4 pt-3 pb-8">
        <div className="mb-4 flex flex-wrap items-baseline gap-x-3 border-b border-line pb-3">
          <h1 className="text-20 font-semibold">Legend</h1>
          <p className="text-fg-2">One mark for one meaning, everywhere: table, strip, outline, gutter, badge.</p>
        </div>
        <Legend />
      </main>
    </div>
  );
}
