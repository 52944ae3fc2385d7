"use client";

import type { ReactNode } from "react";
import "./globals.css";

/**
 * The last resort, when even the document around the pages broke: no chosen theme, no fonts, no components. Its colours are
 * the browser's own, which follow the system.
 */
export default function GlobalError({ error }: { error: Error & { digest?: string } }): ReactNode {
  return (
    <html lang="en" style={{ colorScheme: "light dark" }}>
      <body style={{ background: "Canvas", color: "CanvasText" }}>
        <title>Misstep could not start</title>
        <main className="mx-auto max-w-[60ch] px-4 pt-16">
          <h1 className="text-20 font-semibold">Misstep could not start in this browser</h1>
          <p className="mt-2 text-14 leading-6">
            Nothing that is stored was changed. Load the page again.{" "}
            {error.digest === undefined
              ? "If it stays, this is what to report:"
              : "If it stays, look for the cause in the server's log under this number:"}
          </p>
          <p className="mt-4 text-14 leading-6 [overflow-wrap:anywhere]" style={{ fontFamily: "monospace" }}>
            {error.digest ?? error.message.slice(0, 300)}
          </p>
          <p className="mt-4 text-14 leading-6">
            <button type="button" className="cursor-pointer underline" onClick={() => window.location.reload()}>
              Load it again
            </button>
          </p>
        </main>
      </body>
    </html>
  );
}
