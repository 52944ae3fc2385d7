"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import Link from "next/link";
import { type ReactNode, type RefObject, useRef } from "react";
import { useKeys } from "@/components/shell/keys";
import { cn } from "@/components/ui/class-names";
import { toast } from "@/components/ui/toast";
import type { Neighbours, TrajectoryRow } from "@/lib/views/trajectory-list";
import { atTrajectory, formatAddress } from "./address";
import { formatCount } from "./numbers";
import { UntrustedText } from "./untrusted-text";
import { useAddress } from "./use-address";

const STEP =
  "flex size-6 items-center justify-center rounded-6 text-fg-2 hover:bg-bg-hover hover:text-fg [&_svg]:size-4";

/**
 * Above a trajectory that came in a file with others: the file, which of them it is, and the way to the next one, by `]` too.
 * How the page is looked at (view, filter of the turns, folding, what is looked for) goes along.
 */
export function PartBar({
  file,
  neighbours,
}: {
  file: NonNullable<TrajectoryRow["file"]>;
  neighbours: Neighbours | null;
}): ReactNode {
  const { address } = useAddress();
  const previous = useRef<HTMLAnchorElement>(null);
  const next = useRef<HTMLAnchorElement>(null);
  const hasPlace = file.index !== null && file.total !== null;
  const step = (link: HTMLAnchorElement | null, isHeld: boolean, end: string): void => {
    // A key that is held down would run through the file without showing anything of it.
    if (isHeld || !hasPlace) return;
    if (link === null) toast(`This is the ${end} trajectory of the file`);
    else link.click();
  };
  useKeys({
    "[": (event) => step(previous.current, event.repeat, "first"),
    "]": (event) => step(next.current, event.repeat, "last"),
  });
  const query = formatAddress(atTrajectory(address));
  const href = (id: string | null | undefined) => (id ? `/t/${id}${query === "" ? "" : `?${query}`}` : null);
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
          <Step ref={previous} href={href(neighbours?.previous)} label="Previous trajectory of the file">
            <ChevronLeft aria-hidden strokeWidth={1.75} />
          </Step>
          <span>
            <span className="mono text-fg-2">{formatCount(file.index + 1)}</span> of{" "}
            <span className="mono">{formatCount(file.total)}</span>
          </span>
          <Step ref={next} href={href(neighbours?.next)} label="Next trajectory of the file">
            <ChevronRight aria-hidden strokeWidth={1.75} />
          </Step>
        </span>
      ) : (
        <span className="truncate">a later reading of the file does not find this one any more</span>
      )}
    </nav>
  );
}

function Step({
  ref,
  href,
  label,
  children,
}: {
  ref: RefObject<HTMLAnchorElement | null>;
  href: string | null;
  label: string;
  children: ReactNode;
}): ReactNode {
  if (href === null) {
    return (
      <span aria-hidden className={cn(STEP, "opacity-40 hover:bg-transparent")}>
        {children}
      </span>
    );
  }
  return (
    <Link ref={ref} href={href} prefetch={false} aria-label={label} title={label} className={STEP}>
      {children}
    </Link>
  );
}
