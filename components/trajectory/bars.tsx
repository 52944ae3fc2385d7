"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { KeyHint } from "@/components/ui/kbd";
import { useForensics } from "./forensics-context";
import { formatCount } from "./numbers";
import { nextFlagged } from "./outline-rows";
import { viewsOf } from "./panes";
import { FlagMark } from "./turn-link";
import { UntrustedText } from "./untrusted-text";

/**
 * An address as the key bar shows it: file names in their own letters. The token of a link is a secret, and pages are
 * filmed and shown.
 */
export function placeOf(href: string): string {
  const place = href.replace(/^\/s\/[^?]+/, "/s/…");
  try {
    return decodeURI(place);
  } catch {
    return place;
  }
}

/** The keys at the foot of a wide page, and the address of what is open. */
export function KeyBar({ place }: { place: string }): ReactNode {
  const { run, flags } = useForensics();
  return (
    <footer className="flex h-7 shrink-0 items-center gap-4 overflow-hidden border-t border-line bg-bg-2 px-4 text-12 whitespace-nowrap text-fg-3 narrow:hidden">
      <KeyHint keys={["j", "k"]}>turn</KeyHint>
      {flags.size > 0 && <KeyHint keys={["e"]}>next flagged</KeyHint>}
      <span className="inline-flex items-center gap-1">
        <KeyHint keys={["1"]}>–</KeyHint>
        <KeyHint keys={[String(viewsOf(run).length)]}>view</KeyHint>
      </span>
      {(run.row.file?.index ?? null) !== null && <KeyHint keys={["[", "]"]}>trajectory</KeyHint>}
      <KeyHint keys={["/"]}>find</KeyHint>
      <KeyHint keys={["y"]}>copy link</KeyHint>
      <KeyHint keys={["?"]}>all keys</KeyHint>
      <span className="mono ml-auto min-w-0 truncate" title={place}>
        <UntrustedText text={place} />
      </span>
    </footer>
  );
}

/** Previous, next and next flagged, at the foot of a narrow page. */
export function NarrowBar(): ReactNode {
  const { turn, run, goTurn, flags, showPane } = useForensics();
  const flagged = new Set(flags.keys());
  const next = nextFlagged(flagged, turn, 1) ?? (flagged.size > 0 ? Math.min(...flagged) : null);
  const flag = next === null ? undefined : flags.get(next);
  // Beside longer numbers the place of the open turn would have none.
  const hasNumbers = run.strip.turns < 100;
  return (
    <nav
      aria-label="Turn"
      className="fixed inset-x-0 bottom-0 z-20 hidden h-13 items-center gap-2 border-t border-line bg-bg-2 px-4 narrow:flex"
    >
      <Button
        size="large"
        disabled={turn === 0}
        aria-label={turn === 0 ? "Previous turn" : `Previous turn, ${turn}`}
        onClick={() => goTurn(turn - 1)}
      >
        <ChevronLeft aria-hidden strokeWidth={1.75} />
        {turn === 0 || !hasNumbers ? "" : turn}
      </Button>
      <Button
        size="large"
        disabled={turn >= run.strip.turns - 1}
        aria-label={turn >= run.strip.turns - 1 ? "Next turn" : `Next turn, ${turn + 2}`}
        onClick={() => goTurn(turn + 1)}
      >
        <ChevronRight aria-hidden strokeWidth={1.75} />
        {turn >= run.strip.turns - 1 || !hasNumbers ? "" : turn + 2}
      </Button>
      <span className="mono min-w-0 flex-1 truncate text-center text-12 text-fg-2">
        #{turn + 1}
        <span className="max-[22.5rem]:hidden"> of {formatCount(run.strip.turns)}</span>
      </span>
      {next !== null && flag && (
        <Button
          size="large"
          disabled={next === turn}
          // Icons of buttons are grey; a mark keeps its colour.
          className={flag.role === "decisive" ? "[&_svg]:text-dec" : undefined}
          onClick={() => {
            goTurn(next);
            showPane("turn");
          }}
        >
          <FlagMark flag={flag} label={null} />
          Next flagged
        </Button>
      )}
    </nav>
  );
}
