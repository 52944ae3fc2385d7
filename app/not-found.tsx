import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { MessagePage } from "@/components/shell/message-page";
import { Button } from "@/components/ui/button";

export const metadata: Metadata = { title: "Not found" };

/** Nothing lives at this address, or not for this person: both look the same. */
export default function NotFound(): ReactNode {
  return (
    <MessagePage title="Nothing here">
      <p>This address leads to nothing in your project. It may have been removed, or the link was cut short.</p>
      <Button asChild>
        <Link href="/">All trajectories</Link>
      </Button>
    </MessagePage>
  );
}
