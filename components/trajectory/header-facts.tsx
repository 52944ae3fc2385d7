import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names";
import { UntrustedText } from "./untrusted-text";

const DOT = "mx-2 size-[3px] shrink-0 rounded-full bg-line-3";

/**
 * What a run is, and what can be opened about it, in one line with dots between. Facts that have no room are left out whole,
 * each with its dot, and the others stand beside what can be opened, which stays. On a page of one column all of it stands in lines, and the dots that would
 * begin one are cut off.
 */
export function HeaderFacts({ facts, links }: { facts: readonly string[]; links: readonly ReactNode[] }): ReactNode {
  const hasLinks = links.length > 0;
  return (
    <div className="ml-2 min-w-0 flex-1 overflow-hidden narrow:order-4 narrow:ml-0 narrow:w-full narrow:flex-none">
      <div
        className={cn(
          "flex items-center whitespace-nowrap text-fg-2 narrow:-ml-[19px] narrow:flex-wrap narrow:text-12 narrow:leading-6",
          !hasLinks && "-ml-[19px]",
        )}
      >
        <ul className="flex h-5 min-w-0 flex-wrap justify-end overflow-hidden narrow:contents">
          {/* Where not even the first fact has room, it goes into the second line as the others do. */}
          <li aria-hidden className="h-5 w-px narrow:hidden" />
          {facts.map((fact) => (
            <li key={fact} className="flex shrink-0 items-center">
              <span aria-hidden className={cn(DOT, hasLinks && "hidden narrow:block")} />
              <span className="max-w-[32ch] truncate" title={fact}>
                <UntrustedText text={fact} />
              </span>
              {hasLinks && <span aria-hidden className={cn(DOT, "narrow:hidden")} />}
            </li>
          ))}
        </ul>
        {hasLinks && (
          <ul className="flex shrink-0 narrow:contents">
            {links.map((link, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
              <li key={i} className="flex shrink-0 items-center">
                <span aria-hidden className={cn(DOT, i === 0 && "hidden narrow:block")} />
                {link}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
