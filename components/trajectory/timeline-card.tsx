"use client";

import type { ReactNode } from "react";
import { turnWindowSchema } from "@/lib/views/run";
import { lookOfLetter } from "./activity";
import { flagWords } from "./flags";
import { useForensics } from "./forensics-context";
import { formatPlural } from "./numbers";
import { windowPath } from "./paths";
import type { StripColumns } from "./strip-columns";
import { FlagMark } from "./turn-link";
import { UntrustedText } from "./untrusted-text";

const CARD_PX = 340;

const WRITE_WORDS: Record<string, string> = {
  w: "writes a file",
  c: "writes a scratch file",
  r: "write refused",
  o: "may write",
};
const TEST_WORDS: Record<string, string> = { p: "tests pass", f: "tests fail", u: "runs tests" };

/** What stands under the pointer on the strip: below the strip, so that it never covers what it speaks of. */
export function TimelineCard({
  turn,
  columns,
  x,
  width,
}: {
  turn: number;
  columns: StripColumns;
  x: number;
  width: number;
}): ReactNode {
  const { run, flags, answers } = useForensics();
  const { strip } = run;
  const flag = flags.get(turn);
  const window = answers.value(windowPath(turn), turnWindowSchema);
  const row = window?.rows[turn - window.from];
  const column = columns.columns[Math.floor(turn / columns.turnsPerColumn)];
  const left = Math.max(0, Math.min(x - CARD_PX / 2, width - CARD_PX));
  const facts = [
    lookOfLetter(strip.activity[turn]).word,
    WRITE_WORDS[strip.write[turn] ?? ""],
    TEST_WORDS[strip.test[turn] ?? ""],
    strip.error[turn] === "e" ? "a result failed" : undefined,
  ].filter((fact) => fact !== undefined);
  const suspicion = Number(strip.suspicion[turn] ?? 0);
  return (
    <div
      role="tooltip"
      className="pointer-events-none absolute top-full z-20 mt-1 rounded-6 bg-float px-3 py-2 text-12 leading-5 whitespace-nowrap shadow-float narrow:hidden"
      style={{ left: `calc(16px + var(--strip-label) + ${left}px)`, width: CARD_PX }}
    >
      <div className="flex items-center gap-1.5">
        <span className="mono font-semibold">#{turn + 1}</span>
        {flag && <FlagMark flag={flag} label={null} />}
        {flag && <span className="font-medium">{flagWords(flag)}</span>}
        <span className="min-w-0 truncate text-fg">{row && <UntrustedText text={row.title} />}</span>
      </div>
      <div className="flex justify-between gap-3 text-fg-2">
        <span className="truncate">{facts.join(", ")}</span>
        {suspicion > 0 && <span>suspicion .{suspicion}</span>}
      </div>
      {column && columns.turnsPerColumn > 1 && (
        <div className="truncate text-fg-3">
          Column #{column.from + 1} to #{column.to}: {formatPlural(column.writeCount, "write")},{" "}
          {formatPlural(column.testCount, "test run")}, {formatPlural(column.errorCount, "error")}
        </div>
      )}
    </div>
  );
}
