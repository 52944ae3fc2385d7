"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { MessagePage } from "./message-page";

/**
 * A page that broke, with a way to ask for it again.
 * @param number under which the server's log has the cause, when it is known.
 * @param reset draws again what is in the browser, where that is what broke.
 */
export function BrokenPage({ number, reset }: { number: string | undefined; reset?: () => void }): ReactNode {
  const router = useRouter();
  const [isTrying, startTransition] = useTransition();
  const tryAgain = () =>
    startTransition(() => {
      router.refresh();
      reset?.();
    });
  return (
    <MessagePage title="This page could not be shown">
      <p>
        The server met an error while it prepared the page. Your uploads are not touched by it. Try again; if it stays,
        look for the cause in the server's log
        {number === undefined ? "." : " under this number:"}
      </p>
      {number !== undefined && <code className="text-fg">{number}</code>}
      <Button look="primary" disabled={isTrying} onClick={tryAgain}>
        {isTrying ? "Trying" : "Try again"}
      </Button>
    </MessagePage>
  );
}
