"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { LinkButton } from "@/components/ui/button";
import { textPieceSchema } from "@/lib/views/turn";
import { fetchJson } from "./answers";
import { useForensics } from "./forensics-context";
import { freshText, type LoadedText, pieceUntil, withPiece } from "./long-text-pieces";
import { formatCount } from "./numbers";
import { textPath } from "./paths";
import { showAlong, showInside } from "./show-inside";
import { marksOfRow } from "./text-lines";
import type { TextMark } from "./text-runs";
import { UntrustedText } from "./untrusted-text";

const ROW_PX = 16;
/** Rows left below the window when the next piece is asked for. */
const AHEAD_ROWS = 400;
const VIEWER_MAX_PX = 480;

/**
 * A text of any length, opened: pieces are fetched as a person scrolls, and only the rows in the window are in the page.
 * @param from where to begin, in characters; line numbers are known from the beginning, or with `firstLine`.
 * @param to where to end; the end of the text when it is missing.
 * @param at what is brought into sight when no match is open, in characters.
 * @param onClose is missing where something else closes it.
 */
export function LongText({
  item,
  field,
  from,
  totalChars,
  to = totalChars,
  firstLine = from === 0 ? 1 : null,
  at = null,
  marks,
  onClose,
}: {
  item: string;
  field: "text" | "arguments";
  from: number;
  totalChars: number;
  to?: number;
  firstLine?: number | null;
  at?: number | null;
  marks: readonly TextMark[];
  onClose?: () => void;
}): ReactNode {
  const { api } = useForensics();
  const box = useRef<HTMLDivElement>(null);
  const [loaded, setLoaded] = useState<LoadedText>(() => freshText(from, firstLine));
  const [failure, setFailure] = useState<string | null>(null);
  const busy = useRef(false);

  const more = useCallback(
    async (offset: number) => {
      if (busy.current) return;
      busy.current = true;
      setFailure(null);
      try {
        const piece = await fetchJson(`${api}/${textPath(item, field, offset)}`, textPieceSchema);
        setLoaded((before) => (before.nextOffset === offset ? withPiece(before, ...pieceUntil(piece, to)) : before));
      } catch (error) {
        setFailure(error instanceof Error ? error.message : "The text could not be fetched.");
      } finally {
        busy.current = false;
      }
    },
    [api, item, field, to],
  );

  const rows = useVirtualizer({
    count: loaded.lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 20,
    useFlushSync: false,
  });
  const visible = rows.getVirtualItems();
  const lastVisible = visible.at(-1)?.index ?? 0;
  const { nextOffset } = loaded;
  useEffect(() => {
    if (nextOffset !== null && failure === null && lastVisible + AHEAD_ROWS >= loaded.lines.length)
      void more(nextOffset);
  }, [nextOffset, failure, lastVisible, loaded.lines.length, more]);

  const current = marks.find((mark) => mark.kind === "find-current")?.start ?? at;
  const currentRow = useMemo(() => {
    if (current === null) return -1;
    return loaded.lines.findIndex((line) => line.start <= current && current <= line.start + line.text.length);
  }, [loaded.lines, current]);
  useEffect(() => {
    if (currentRow < 0) return;
    rows.scrollToIndex(currentRow, { align: "center" });
    showInside(box.current);
  }, [currentRow, rows]);
  const isCurrentDrawn = visible.some((row) => row.index === currentRow);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another match may stand further along the same row
  useEffect(() => {
    if (isCurrentDrawn) showAlong(box.current, box.current?.querySelector("mark[data-find=current]") ?? null);
  }, [isCurrentDrawn, current]);

  const height = Math.min(VIEWER_MAX_PX, Math.max(ROW_PX * 8, loaded.lines.length * ROW_PX));
  return (
    <div className="border-y border-line bg-term">
      <div className="flex h-6 items-center gap-2 bg-bg-3 px-4 font-sans text-12 text-fg-2">
        <span aria-live="polite">
          {loaded.nextOffset === null && from === 0
            ? `All ${formatCount(totalChars)} characters`
            : `Characters ${formatCount(from + 1)} to ${formatCount(from + loaded.chars)} of ${formatCount(totalChars)}`}
        </span>
        {loaded.nextOffset !== null && <span className="text-fg-3">scroll for more</span>}
        {onClose && (
          <LinkButton className="ml-auto" onClick={onClose}>
            Close
          </LinkButton>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section ref={box} tabIndex={0} aria-label="Opened text" className="overflow-auto" style={{ height }}>
        <div className="relative min-w-full" style={{ height: rows.getTotalSize() }}>
          {visible.map((row) => {
            const line = loaded.lines[row.index];
            return (
              line && (
                <div
                  key={row.key}
                  className="absolute top-0 left-0 grid grid-cols-[64px_auto] pr-4 text-12 leading-4"
                  style={{ transform: `translateY(${row.start}px)`, height: ROW_PX }}
                >
                  <span className="pr-3 text-right text-fg-3 select-none">
                    {line.no === null ? "" : formatCount(line.no)}
                  </span>
                  <span className="whitespace-pre">
                    <UntrustedText
                      text={line.text}
                      marks={marksOfRow(marks, line.start, line.text.length)}
                      style={line.style}
                    />
                  </span>
                </div>
              )
            );
          })}
        </div>
      </section>
      {failure !== null && (
        <p role="alert" className="flex gap-2 border-t border-line px-4 py-1 font-sans text-12 text-fg-2">
          {failure}
          <LinkButton onClick={() => setFailure(null)}>Try again</LinkButton>
        </p>
      )}
    </div>
  );
}
