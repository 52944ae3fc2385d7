import type { ReactNode } from "react";
import { MessagePage } from "./message-page";

/** What every shared link shows that opens nothing: wrong, revoked or expired, it does not say which. */
export function DeadShare(): ReactNode {
  return (
    <MessagePage title="This link does not open anything" linked={false}>
      <p>It may have expired, been revoked, or been cut short. Ask whoever sent it for a new one.</p>
    </MessagePage>
  );
}
