import type { Metadata } from "next";
import type { ReactNode } from "react";
import { DeadLink } from "@/components/shell/dead-link";
import { Command, MessagePage } from "@/components/shell/message-page";

export const metadata: Metadata = { title: "Sign in" };

/** How to get in: a one-time link, made on the machine that runs Misstep. `reason=link` says that one did not work. */
export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}): Promise<ReactNode> {
  const { reason } = await searchParams;
  if (reason === "link") return <DeadLink />;
  return (
    <MessagePage title="Sign in" linked={false}>
      <p>
        Misstep signs you in with a one-time link. <code className="text-fg">npm start</code> prints one; to make
        another, run this on the same machine, in Misstep's folder:
      </p>
      <Command>npm run -s misstep -- link</Command>
      <p>Open the address that it prints. A link works once, for 15 minutes.</p>
    </MessagePage>
  );
}
