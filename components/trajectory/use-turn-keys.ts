"use client";

import { useEffect, useRef } from "react";
import { isTyping } from "@/components/shell/keys";
import { type KeyCommand, type KeyState, keyCommand } from "./key-commands";

/** Runs the page's key commands; off while somebody types and inside the editor. `isHeld` is true for a key held down. */
export function useTurnKeys(run: (command: KeyCommand, isHeld: boolean) => void): void {
  const current = useRef(run);
  current.current = run;
  useEffect(() => {
    let state: KeyState = { pendingSinceMs: null };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      const next = keyCommand(event, state, event.timeStamp);
      state = next.state;
      if (next.command === null) return;
      if (next.command !== "close") event.preventDefault();
      current.current(next.command, event.repeat);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
