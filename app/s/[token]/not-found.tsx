import type { ReactNode } from "react";
import { MessagePage } from "@/components/shell/message-page";

/** What every link shows that opens nothing: wrong, revoked or expired, it does not say which. */
export default function SharedNotFound(): ReactNode {
  return (
    <MessagePage title="This link does not open anything" linked={false}>
      <p>It may have expired, been revoked, or been cut short. Ask whoever sent it for a new one.</p>
    </MessagePage>
  );
}
