"use client";

import { Clock, EyeOff, LogIn } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { Brand } from "@/components/shell/brand";
import { KeyHelp } from "@/components/shell/key-help";
import { useKeys } from "@/components/shell/keys";
import { ThemeSwitch } from "@/components/shell/theme-switch";
import { Button } from "@/components/ui/button";
import type { RunView } from "@/lib/views/run";
import { KEY_HELP } from "./key-commands";
import { formatMoment } from "./numbers";

const ICON = { "aria-hidden": true, strokeWidth: 1.75, className: "size-3.5 text-fg-3" } as const;
const ENTRY =
  "inline-flex items-center gap-1.5 text-fg-2 [&+&]:border-l [&+&]:border-line-2 [&+&]:pl-4 narrow:[&+&]:border-l-0 narrow:[&+&]:pl-0";

/** The bar of a shared page: who shared it, until when, what is masked, and that nothing can be changed. */
export function SharedBar({ shared }: { shared: NonNullable<RunView["shared"]> }): ReactNode {
  const [isHelpOpen, setHelpOpen] = useState(false);
  useKeys({ "?": () => setHelpOpen(true) });
  return (
    <header className="flex min-h-11 shrink-0 items-center gap-4 border-b border-line-2 bg-bg-3 px-4 whitespace-nowrap narrow:flex-wrap narrow:gap-x-3 narrow:gap-y-1 narrow:py-2">
      <Brand linked={false} />
      <span aria-hidden className="h-5 w-px bg-line-2 narrow:hidden" />
      <span className={ENTRY}>
        Shared by <b className="max-w-60 truncate font-medium text-fg">{shared.sharedBy}</b>
      </span>
      <span className={ENTRY}>
        <Clock {...ICON} />
        Expires <b className="font-medium text-fg">{formatMoment(shared.expiresAt)}</b>
      </span>
      <span
        className={ENTRY}
        title="What these rules find is replaced on the server. A secret that they do not know is not found."
      >
        <EyeOff {...ICON} />
        <span>
          <b className="font-medium text-fg">Secrets masked</b> by rules {shared.secretRules}
        </span>
      </span>
      <span className={ENTRY}>Read only</span>
      <span className="flex-1" />
      <ThemeSwitch />
      <Button asChild>
        <Link href="/sign-in">
          <LogIn aria-hidden strokeWidth={1.75} />
          Sign in
        </Link>
      </Button>
      <KeyHelp
        open={isHelpOpen}
        onOpenChange={setHelpOpen}
        entries={[...KEY_HELP, { keys: ["?"], does: "This sheet" }, { keys: ["Esc"], does: "Close what is open" }]}
      />
    </header>
  );
}
