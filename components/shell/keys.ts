"use client";

import { useEffect, useRef } from "react";

/** Whether a key press belongs to a field, an editor, a menu or a dialog and not to the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  return (
    target.closest(
      "input, textarea, select, [role=dialog], [role=menu], [role=listbox], .monaco-editor, [data-own-keys]",
    ) !== null
  );
}

export type KeyActions = Record<string, (event: KeyboardEvent) => void>;

/**
 * Runs an action when its key is pressed on the page: never while somebody types, never with Ctrl, Alt or Meta.
 * Keys are named as in `KeyboardEvent.key` (`j`, `E`, `?`, `Enter`). Enter and space stay with the focused link or button.
 */
export function useKeys(actions: KeyActions): void {
  const current = useRef(actions);
  current.current = actions;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "Enter" && event.target instanceof HTMLElement && event.target.closest("a, button")) return;
      const action = current.current[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action(event);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
