"use client";

import type { ReactNode } from "react";
import { BrokenPage } from "@/components/shell/broken-page";

/**
 * A page that broke while it was drawn, or in use. The digest is the number under which the server's log has the cause;
 * what broke in the browser has none.
 */
export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}): ReactNode {
  const { digest, message } = error;
  const by =
    digest === undefined ? ({ where: "browser", message } as const) : ({ where: "server", number: digest } as const);
  return <BrokenPage by={by} reset={reset} />;
}
