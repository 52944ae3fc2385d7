import type { Metadata } from "next";
import type { ReactNode } from "react";
import { DeadLink } from "@/components/shell/dead-link";
import { MessagePage } from "@/components/shell/message-page";
import { Button } from "@/components/ui/button";

export const metadata: Metadata = { title: "Sign in" };

/**
 * Where a one-time link leads. Opening it changes nothing (link previews and prefetching open links too): the button
 * uses it up. The route answers with the list, or with `/sign-in?reason=link` for a used, expired or broken link.
 */
export default async function SignInLinkPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}): Promise<ReactNode> {
  const { token } = await searchParams;
  if (typeof token !== "string" || token === "") return <DeadLink />;
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
