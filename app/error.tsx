"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useTransition } from "react";
import { MessagePage } from "@/components/shell/message-page";
import { Button } from "@/components/ui/button";

/** A page that broke. The digest is the number under which the server's log has the cause. */
export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}): ReactNode {
  const router = useRouter();
  const [isTrying, startTransition] = useTransition();
  // `reset` draws again what is here; what the server made has to be asked for.
  const tryAgain = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return (
    <MessagePage title="This page could not be shown">
      <p>
        The server met an error while it prepared the page. Your uploads are not touched by it. Try again; if it stays,
        look for the cause in the server's log
        {error.digest === undefined ? "." : " under this number:"}
      </p>
      {error.digest !== undefined && <code className="text-fg">{error.digest}</code>}
      <Button look="primary" disabled={isTrying} onClick={tryAgain}>
        {isTrying ? "Trying" : "Try again"}
      </Button>
    </MessagePage>
  );
}
