"use client";

import { CircleHelp, Keyboard, LogOut, Menu as MenuIcon, Rows3, Settings, Shapes } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { Menu, MenuItem, MenuLabel, MenuLine } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { Brand } from "./brand";
import { type KeyEntry, KeyHelp } from "./key-help";
import { useKeys } from "./keys";
import { ThemeSwitch } from "./theme-switch";

export interface TopBarProps {
  project: string;
  account: { name: string };
  /** Which entry of the navigation is this page. */
  current: "trajectories" | "settings" | null;
  /** The keys of this page, for the sheet that `?` opens; the bar adds `?` itself. */
  keys: KeyEntry[];
}

const ICON = { "aria-hidden": true, strokeWidth: 1.75 } as const;

/** The bar of every page of a signed-in person: 44 px. */
export function TopBar({ project, account, current, keys }: TopBarProps): ReactNode {
  const [helpOpen, setHelpOpen] = useState(false);
  useKeys({ "?": () => setHelpOpen(true) });
  const help = (
    <>
      <MenuItem onSelect={() => setHelpOpen(true)}>
        <Keyboard {...ICON} />
        Keys
      </MenuItem>
      <MenuItem asChild>
        <Link href="/legend">
          <Shapes {...ICON} />
          Legend
        </Link>
      </MenuItem>
    </>
  );
  const person = (
    <>
      <MenuLabel className="max-w-60">
        <span className="block truncate font-medium text-fg">{account.name}</span>
      </MenuLabel>
      <MenuItem onSelect={() => void signOut()}>
        <LogOut {...ICON} />
        Sign out
      </MenuItem>
    </>
  );
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line bg-bg-2 px-4 narrow:gap-1 narrow:pr-2">
      <Brand />
      <span aria-hidden className="mr-1 ml-2 h-5 w-px bg-line-2 narrow:mx-1" />
      <span className="max-w-60 truncate px-1 font-medium narrow:max-w-36" title={project}>
        {project}
      </span>
      <nav aria-label="Main" className="ml-2 flex gap-1 narrow:hidden">
        <NavigationLink href="/" isCurrent={current === "trajectories"}>
          Trajectories
        </NavigationLink>
        <NavigationLink href="/settings" isCurrent={current === "settings"}>
          Settings
        </NavigationLink>
      </nav>
      <span className="flex-1" />
      <ThemeSwitch />
      <span className="flex items-center gap-2 narrow:hidden">
        <Menu
          trigger={
            <IconButton label="Help">
              <CircleHelp {...ICON} />
            </IconButton>
          }
        >
          {help}
        </Menu>
        <Menu
          trigger={
            <button
              type="button"
              aria-label={`Account: ${account.name}`}
              className="inline-flex size-6 items-center justify-center rounded-full border border-line-2 bg-bg-3 text-12 font-medium tracking-tight text-fg-2"
            >
              {initials(account.name)}
            </button>
          }
        >
          {person}
        </Menu>
      </span>
      <span className="hidden narrow:block">
        <Menu
          trigger={
            <IconButton label="Menu">
              <MenuIcon {...ICON} />
            </IconButton>
          }
        >
          <MenuItem asChild>
            <Link href="/">
              <Rows3 {...ICON} />
              Trajectories
            </Link>
          </MenuItem>
          <MenuItem asChild>
            <Link href="/settings">
              <Settings {...ICON} />
              Settings
            </Link>
          </MenuItem>
          {help}
          <MenuLine />
          {person}
        </Menu>
      </span>
      <KeyHelp
        open={helpOpen}
        onOpenChange={setHelpOpen}
        entries={[...keys, { keys: ["?"], does: "This sheet" }, { keys: ["Esc"], does: "Close what is open" }]}
      />
    </header>
  );
}

function NavigationLink({
  href,
  isCurrent,
  children,
}: {
  href: string;
  isCurrent: boolean;
  children: string;
}): ReactNode {
  return (
    <Link
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      className="rounded-6 px-2 leading-7 text-fg-2 hover:bg-bg-3 aria-[current]:bg-bg-3 aria-[current]:font-medium aria-[current]:text-fg"
    >
      {children}
    </Link>
  );
}

/** At most two letters of a name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words[words.length - 1] : undefined]
    .map((word) => (word === undefined ? "" : ([...word][0] ?? "")))
    .join("");
  return letters.toUpperCase() || "?";
}

async function signOut(): Promise<void> {
  const response = await fetch("/api/auth/sign-out", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  }).catch(() => null);
  if (response?.ok) window.location.assign("/sign-in");
  else toast("Signing out failed: the server did not answer. Try again.");
}
