import { ChevronLeft, ChevronRight } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names";
import type { Neighbours, TrajectoryRow } from "@/lib/views/trajectory-list";
import { formatCount } from "./numbers";
import { UntrustedText } from "./untrusted-text";

const STEP =
  "flex size-6 items-center justify-center rounded-6 text-fg-2 hover:bg-bg-hover hover:text-fg [&_svg]:size-4";

/** Above a trajectory that came in a file with others: the file, which of them it is, and the way to the next one. */
export function PartBar({
  file,
  neighbours,
}: {
  file: NonNullable<TrajectoryRow["file"]>;
  neighbours: Neighbours | null;
}): ReactNode {
  return (
    <nav
      aria-label="File"
      className="flex h-8 items-center gap-2 border-b border-line bg-bg-2 px-4 text-12 whitespace-nowrap text-fg-3"
    >
      <span className="shrink-0">From</span>
      <Link
        href={`/t/${file.id}`}
        prefetch={false}
        className="min-w-0 truncate font-medium text-accent hover:underline"
      >
        <UntrustedText text={file.name} literal />
      </Link>
      {file.index !== null && file.total !== null ? (
        <span className="flex shrink-0 items-center gap-1">
          <Step to={neighbours?.previous ?? null} label="Previous trajectory of the file">
            <ChevronLeft aria-hidden strokeWidth={1.75} />
          </Step>
          <span>
            <span className="mono text-fg-2">{formatCount(file.index + 1)}</span> of{" "}
            <span className="mono">{formatCount(file.total)}</span>
          </span>
          <Step to={neighbours?.next ?? null} label="Next trajectory of the file">
            <ChevronRight aria-hidden strokeWidth={1.75} />
          </Step>
        </span>
      ) : (
        <span className="truncate">a later reading of the file does not find this one any more</span>
      )}
    </nav>
  );
}

function Step({ to, label, children }: { to: string | null; label: string; children: ReactNode }): ReactNode {
  if (to === null) {
    return (
      <span aria-hidden className={cn(STEP, "opacity-40 hover:bg-transparent")}>
        {children}
      </span>
    );
  }
  return (
    <Link href={`/t/${to}`} prefetch={false} aria-label={label} title={label} className={STEP}>
      {children}
    </Link>
  );
}
