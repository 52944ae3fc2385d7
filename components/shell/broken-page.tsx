"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { MessagePage } from "./message-page";

/** Where a page broke: on the server, whose log has the cause under `number`, or in the browser, which says `message`. */
export type Breakage = { where: "server"; number: string } | { where: "browser"; message: string };

const MESSAGE_MAX_CHARS = 300;

/**
 * A page that broke, with what a person can do about it.
 * @param reset draws again what is in the browser, where that is what broke.
 */
export function BrokenPage({ by, reset }: { by: Breakage; reset?: () => void }): ReactNode {
  const router = useRouter();
  const [isTrying, startTransition] = useTransition();
  const tryAgain = () =>
    startTransition(() => {
      router.refresh();
      reset?.();
    });
  return (
    <MessagePage title="This page could not be shown">
      {by.where === "server" ? (
        <>
          <p>
            The server met an error while it prepared the page. Your uploads are not touched by it. Try again; if it
            stays, look for the cause in the server's log under this number:
          </p>
          <code className="text-fg">{by.number}</code>
        </>
      ) : (
        <>
          <p>
            Your browser met an error while it drew the page. Nothing that is stored was changed by it. Try again; if it
            stays, this is what to report, with the address of the page:
          </p>
          <code className="max-w-full text-fg [overflow-wrap:anywhere]">
            {by.message.slice(0, MESSAGE_MAX_CHARS) || "an error without words"}
          </code>
        </>
      )}
      <Button look="primary" disabled={isTrying} onClick={tryAgain}>
        {isTrying ? "Trying" : "Try again"}
      </Button>
    </MessagePage>
  );
}
