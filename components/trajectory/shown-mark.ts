"use client";

import { type RefObject, useEffect } from "react";
import { useFind } from "./find-context";
import { showInside } from "./show-inside";

/** Brings the open match into sight, once it is there and whenever another one is opened. */
export function useShownMatch(box: RefObject<HTMLElement | null>, isHere: boolean): void {
  const { current } = useFind();
  useEffect(() => {
    if (isHere && current !== null) showInside(box.current?.querySelector("mark[data-find=current]") ?? null);
  }, [box, isHere, current]);
}

/** The quotation that is asked for, else the first one there is. */
export function markIn(target: Element | null | undefined, asked: number | null): Element | null {
  const own = asked === null ? null : target?.querySelector(`mark[data-quotation="${asked}"]`);
  return own ?? target?.querySelector("mark[data-quotation]") ?? null;
}
