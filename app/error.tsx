"use client";

import type { ReactNode } from "react";
import { BrokenPage } from "@/components/shell/broken-page";

/** A page that broke while it was drawn, or in the browser. The digest is the number under which the server's log has the cause. */
export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}): ReactNode {
  return <BrokenPage number={error.digest} reset={reset} />;
}
