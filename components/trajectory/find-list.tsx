"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { cn } from "@/components/ui/class-names";
import type { FoundPlace } from "@/lib/views/find";
import { ContextIcon, contextWord, lookOfLetter } from "./activity";
import { useFind } from "./find-context";
import { placeName } from "./find-results";
import { type FindRow, findRows, rowOfMatch, shortBefore } from "./find-rows";
import { useForensics } from "./forensics-context";
import { formatCount, formatPlural } from "./numbers";
import { useTurnRows } from "./outline";
import { AddressLink } from "./turn-link";
import { UntrustedText } from "./untrusted-text";

const ROW_PX = 24;
const TOUCH_ROW_PX = 40;

/** The list lies over the code and never over the turn, where the matches are: as wide as the column of the code is. */
const BESIDE = {
  yes: "w-120 medium:w-[min(30rem,calc(100%-412px))] max-lg:w-[min(30rem,calc(100%-188px))]",
  no: "w-74",
} as const;

/** The matches by turn, as far as they are found: only the rows in view are in the page. Arrow keys walk through it. */
export function FindList({ isNarrow, onGone }: { isNarrow: boolean; onGone: () => void }): ReactNode {
  const { progress, open, current, field } = useFind();
  const hasFiles = useForensics().run.files.length > 0 ? "yes" : "no";
  const box = useRef<HTMLElement>(null);
  const places = progress?.found.places;
  const rows = useMemo(() => findRows(places ?? []), [places]);
  const rowPx = isNarrow ? TOUCH_ROW_PX : ROW_PX;
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 10,
    useFlushSync: false,
  });
  const place = open?.place ?? null;
  const openRow = place === null ? -1 : rowOfMatch(rows, place, current);
  const shown = useRef<{ place: typeof place; current: typeof current; row: number } | null>(null);
  // Another match is brought to the middle. Rows that come in above it while the search goes on move nothing.
  useLayoutEffect(() => {
    if (openRow < 0) return;
    const before = shown.current;
    shown.current = { place, current, row: openRow };
    const isSame = before !== null && before.current === current && before.place === place;
    if (!isSame) list.scrollToIndex(openRow, { align: "center" });
    else if (box.current) box.current.scrollTop += (openRow - before.row) * rowPx;
  }, [openRow, place, current, list, rowPx]);
  const visible = list.getVirtualItems();
  const { rowOf } = useTurnRows(
    visible.flatMap(({ index }) => {
      const row = rows[index];
      return row?.kind === "place" && row.place.context === null ? [row.place.turn] : [];
    }),
  );

  const [active, setActive] = useState<number | null>(null);
  useEffect(() => {
    if (active !== null) box.current?.querySelector<HTMLElement>(`[data-row="${active}"]`)?.focus();
  }, [active]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.row : undefined;
    let to = focused === undefined ? openRow : Number(focused) + by;
    while (rows[to] !== undefined && rows[to]?.kind !== "match") to += by;
    if (rows[to] === undefined) {
      if (by === -1) field.current?.focus();
      return;
    }
    list.scrollToIndex(to, { align: "auto" });
    setActive(to);
  };

  if (rows.length === 0) return null;
  return (
    <section
      ref={box}
      aria-label="Matches"
      onKeyDown={onKeyDown}
      className={cn(
        "absolute z-30 overflow-y-auto overscroll-contain bg-float",
        isNarrow
          ? "inset-x-0 top-full max-h-[50dvh] border-b border-line-2 shadow-float"
          : cn("top-[calc(100%+4px)] right-3 max-h-[min(28rem,45dvh)] rounded-6 py-1 shadow-float", BESIDE[hasFiles]),
      )}
    >
      <ol className="relative" style={{ height: list.getTotalSize() }}>
        {visible.map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <li
                key={`${row.kind} ${placeName(row.place)} ${row.kind === "match" ? `${row.match.item} ${row.match.field} ${row.match.offset}` : ""}`}
                className="absolute inset-x-0 top-0"
                style={{ height: rowPx, transform: `translateY(${start}px)` }}
              >
                <Row
                  row={row}
                  index={index}
                  isOpen={index === openRow && current !== null}
                  title={rowOf}
                  onGo={isNarrow ? onGone : undefined}
                />
              </li>
            )
          );
        })}
      </ol>
    </section>
  );
}

function Row({
  row,
  index,
  isOpen,
  title,
  onGo,
}: {
  row: FindRow;
  index: number;
  isOpen: boolean;
  title: (turn: number) => { title: string } | null;
  onGo: (() => void) | undefined;
}): ReactNode {
  const { addressOf } = useFind();
  if (row.kind === "place") return <PlaceHead place={row.place} title={title(row.place.turn)?.title ?? null} />;
  if (row.kind === "more") {
    return (
      <span className={cn("flex h-full items-center pl-9 text-12 text-fg-3", isOpen && "bg-accent-bg")}>
        and {formatPlural(row.count, "more match", "more matches")} in it
      </span>
    );
  }
  const { match, place } = row;
  return (
    <AddressLink
      to={addressOf(place, match)}
      onGo={onGo}
      aria-current={isOpen ? "true" : undefined}
      data-row={index}
      className={cn(
        "flex h-full items-center pr-3 pl-9 text-12 whitespace-pre text-fg-2 hover:bg-bg-hover",
        isOpen && "bg-accent-bg text-fg shadow-[inset_2px_0_var(--accent)] hover:bg-accent-bg",
      )}
    >
      <span className="mono min-w-0 truncate">
        <UntrustedText text={shortBefore(match.before)} literal />
        <UntrustedText
          text={match.words}
          marks={[{ start: 0, end: match.words.length, kind: isOpen ? "find-current" : "find", n: 0 }]}
          literal
        />
        <UntrustedText text={match.after} literal />
      </span>
    </AddressLink>
  );
}

function PlaceHead({ place, title }: { place: FoundPlace; title: string | null }): ReactNode {
  const { run } = useForensics();
  const look = lookOfLetter(run.strip.activity[place.turn]);
  const kind = run.contexts.find((each) => each.n === place.context)?.contextKind;
  const Icon = place.context === null ? look.icon : ContextIcon;
  return (
    <span className="flex h-full items-center gap-2 pr-3 pl-3 text-12 whitespace-nowrap text-fg-3">
      <Icon aria-hidden strokeWidth={1.75} className="size-3.5 shrink-0" />
      {place.context === null && <span className="mono shrink-0 font-medium text-fg">#{place.turn + 1}</span>}
      <span className="min-w-0 flex-1 truncate">
        {place.context === null ? <UntrustedText text={title ?? ""} /> : contextWord(kind ?? "")}
      </span>
      <span className="mono shrink-0">{formatCount(place.count)}</span>
    </span>
  );
}
