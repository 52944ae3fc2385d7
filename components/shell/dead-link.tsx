import type { ReactNode } from "react";
import { Command, MessagePage } from "./message-page";

/** The same page for a sign-in link that was used, has expired or never was one. */
export function DeadLink(): ReactNode {
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
