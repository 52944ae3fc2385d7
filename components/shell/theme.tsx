"use client";

import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";

/** Light, dark or as the system says; the choice is remembered in the browser and set before the first paint. */
export function Theme({ nonce, children }: { nonce: string | undefined; children: ReactNode }): ReactNode {
  return (
    <ThemeProvider attribute="data-theme" defaultTheme="system" enableSystem disableTransitionOnChange nonce={nonce}>
      {children}
    </ThemeProvider>
  );
}
