import type { ReactNode, Ref } from "react";

/** A part of the page that scrolls by itself: named, and reachable by keyboard. */
export function ScrollBox({
  label,
  className,
  ref,
  turn,
  children,
}: {
  label: string;
  className: string;
  ref?: Ref<HTMLElement>;
  /** 1-based number of the turn that it shows, if any. */
  turn?: number;
  children: ReactNode;
}): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section ref={ref} tabIndex={0} aria-label={label} className={className} data-turn={turn}>
      {children}
    </section>
  );
}
