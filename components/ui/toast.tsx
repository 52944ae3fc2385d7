"use client";

import { type ReactNode, useSyncExternalStore } from "react";

interface Shown {
  id: number;
  text: string;
}

let shown: Shown[] = [];
let nextId = 1;
const listeners = new Set<() => void>();
const SHOW_MS = 4_000;

function change(next: Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Says one short sentence at the bottom of the page for four seconds: "Link copied". Not for errors that need an act. */
export function toast(text: string): void {
  const id = nextId++;
  change([...shown.slice(-2), { id, text }]);
  setTimeout(() => change(shown.filter((entry) => entry.id !== id)), SHOW_MS);
}

const NONE: Shown[] = [];

/** Where toasts appear; once in the document. */
export function Toaster(): ReactNode {
  const entries = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
    () => NONE,
  );
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-14 z-50 flex flex-col items-center gap-2"
    >
      {entries.map((entry) => (
        <div key={entry.id} className="rounded-6 bg-float px-3 py-1.5 text-13 text-fg shadow-float">
          {entry.text}
        </div>
      ))}
    </div>
  );
}
