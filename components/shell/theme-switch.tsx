"use client";

import { Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import type { ReactNode } from "react";
import { IconButton } from "@/components/ui/icon-button";

/** Light to dark and back. Both icons are in the page and CSS shows one, so that nothing changes after hydration. */
export function ThemeSwitch(): ReactNode {
  const { resolvedTheme, setTheme } = useTheme();
  return (
    <IconButton label="Switch theme" onClick={() => setTheme(resolvedTheme === "dark" ? "light" : "dark")}>
      <Sun aria-hidden strokeWidth={1.75} className="hidden dark:block" />
      <Moon aria-hidden strokeWidth={1.75} className="dark:hidden" />
    </IconButton>
  );
}
