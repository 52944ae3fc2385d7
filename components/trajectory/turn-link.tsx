"use client";

import type { MouseEvent, ReactNode } from "react";
import { Mark } from "@/components/marks/mark";
import { Chip } from "@/components/ui/chip";
import { type Address, atTurn } from "./address";
import { type Flag, flagWords } from "./flags";
import { useForensics } from "./forensics-context";

/** The mark of a flag. */
export function FlagMark({ flag, size = 12, label }: { flag: Flag; size?: number; label?: string | null }): ReactNode {
  const name = label === undefined ? flagWords(flag) : label;
  if (flag.role === "person") return <Mark kind="confirmed" size={size} label={name} />;
  if (flag.namedBy === null) return <Mark kind={flag.role} size={size} label={name} />;
  return (
    <span className="inline-flex shrink-0 items-center gap-0.5">
      <Mark kind={flag.role} size={size} label={name} />
      <Mark kind="confirmed" size={size - 2} label={null} />
    </span>
  );
}

/** True when a click on a link should stay with the browser: a new tab, a new window, a download. */
export function isBrowserClick(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
}

/** A link inside the page: a click goes there without a round trip, everything else is the browser's. */
export function AddressLink({
  to,
  className,
  children,
  title,
  onGo,
  ...rest
}: {
  to: Address;
  className?: string;
  children: ReactNode;
  title?: string;
  onGo?: (() => void) | undefined;
  "aria-current"?: "true" | "page";
  "aria-label"?: string;
  "data-row"?: number;
}): ReactNode {
  const { go, href } = useForensics();
  return (
    <a
      {...rest}
      href={href(to)}
      title={title}
      className={className}
      onClick={(event) => {
        if (isBrowserClick(event)) return;
        event.preventDefault();
        go(to);
        onGo?.();
      }}
    >
      {children}
    </a>
  );
}

/** The one form of a link to a turn. */
export function TurnChip({ turn, to }: { turn: number; to?: Partial<Address> }): ReactNode {
  const { address, flags, showPane } = useForensics();
  const flag = flags.get(turn);
  return (
    <Chip asChild>
      <AddressLink to={{ ...atTurn({ ...address, view: "code" }, turn), ...to }} onGo={() => showPane("turn")}>
        {flag && <FlagMark flag={flag} size={10} />}#{turn + 1}
      </AddressLink>
    </Chip>
  );
}
