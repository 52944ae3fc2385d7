"use client";

import type { ReactNode } from "react";
import "./globals.css";

/** The last resort, when even the document around the pages broke: no theme, no fonts, no components. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }): ReactNode {
  return (
    <html lang="en">
      <body>
        <main className="mx-auto max-w-[60ch] px-4 pt-16">
          <h1 className="text-20 font-semibold">Misstep could not start this page</h1>
          <p className="mt-2 text-14 leading-6 text-fg-2">
            Load the page again. If it stays, look for the cause in the server's log
            {error.digest === undefined ? "." : ` under ${error.digest}.`}
          </p>
        </main>
      </body>
    </html>
  );
}
