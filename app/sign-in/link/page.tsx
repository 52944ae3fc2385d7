import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Command, MessagePage } from "@/components/shell/message-page";
import { Button } from "@/components/ui/button";

export const metadata: Metadata = { title: "Sign in" };

/**
 * Where a one-time link leads. Opening it changes nothing (link previews and prefetching open links too): the button
 * uses it up. A used, expired or broken link comes back here with `failed`, and without its token.
 */
export default async function SignInLinkPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}): Promise<ReactNode> {
  const { token, failed } = await searchParams;
  if (failed !== undefined || typeof token !== "string" || token === "") {
    return (
      <MessagePage title="This link does not work any more" linked={false}>
        <p>
          A sign-in link works once and for 15 minutes. This one was used already, is too old, or was cut short. Make a
          new one on the machine that runs Misstep, in its folder:
        </p>
        <Command>npm run -s misstep -- link</Command>
      </MessagePage>
    );
  }
  return (
    <MessagePage title="Sign in to Misstep" linked={false}>
      <p>The link is used up when you press the button.</p>
      <form method="post" action="/api/auth/link">
        <input type="hidden" name="token" value={token} />
        <Button type="submit" look="primary" size="large">
          Sign in
        </Button>
      </form>
    </MessagePage>
  );
}
