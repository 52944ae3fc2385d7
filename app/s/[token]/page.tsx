import type { Metadata } from "next";
import type { ReactNode } from "react";
import { drawPage } from "@/app/drawn-page";
import { addressOf, isStripClosed, loadForensics, type Search } from "@/app/t/[id]/forensics";
import { DeadShare } from "@/components/shell/dead-share";
import { SharedBar } from "@/components/trajectory/shared-bar";
import { TrajectoryPage } from "@/components/trajectory/trajectory-page";
import { openShare } from "@/lib/store/shares";

// The same for every link, also for one that opens nothing.
export const metadata: Metadata = {
  title: "Shared trajectory",
  robots: { index: false, follow: false },
  referrer: "no-referrer",
};

interface Props {
  params: Promise<{ token: string }>;
  searchParams: Promise<Search>;
}

/** A trajectory as a link shows it: read-only, masked, pinned to one import and one analysis. */
export default function SharedRoute(props: Props): Promise<ReactNode> {
  return drawPage(<DeadShare />, () => drawShared(props));
}

async function drawShared({ params, searchParams }: Props): Promise<ReactNode | null> {
  const { token } = await params;
  const opened = await openShare(token);
  if (opened === null) return null;
  const loaded = await loadForensics(opened.scope, opened.trajectoryId, addressOf(await searchParams));
  if (loaded === null || loaded.run.shared === null) return null;
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] narrow:block narrow:h-auto">
      <SharedBar shared={loaded.run.shared} />
      <TrajectoryPage
        api={`/api/v1/shared/${encodeURIComponent(token)}`}
        {...loaded}
        isStripClosed={await isStripClosed()}
      />
    </div>
  );
}
