import Link from "next/link";
import type { ReactNode } from "react";
import { Brand } from "./brand";
import { ThemeSwitch } from "./theme-switch";

/** The bar of pages that know no project: sign-in, legend, errors. `linked` is false where there is no way home. */
export function PlainBar({ linked = true }: { linked?: boolean }): ReactNode {
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line bg-bg-2 pr-4 pl-4 narrow:pr-2">
      <Brand linked={linked} />
      {linked && (
        <>
          <span aria-hidden className="mr-1 ml-2 h-5 w-px bg-line-2 narrow:mx-1" />
          <nav aria-label="Main">
            <Link href="/" className="rounded-6 px-2 py-1 text-fg-2 hover:bg-bg-3">
              Trajectories
            </Link>
          </nav>
        </>
      )}
      <span className="flex-1" />
      <ThemeSwitch />
    </header>
  );
}
