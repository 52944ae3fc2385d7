import Link from "next/link";
import type { ReactNode } from "react";

/** The three bars, the last one tilted. */
export function Logo(): ReactNode {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" className="shrink-0">
      <path d="M1.5 17.5v-4h4v4zM7 17.5V9.5h4v8z" fill="currentColor" />
      <path d="M12.5 17.5v-12h4v12z" fill="currentColor" transform="rotate(15 14.5 17.5)" />
    </svg>
  );
}

/** The name, as a link home; on a shared page it is not a link. */
export function Brand({ linked = true }: { linked?: boolean }): ReactNode {
  const content = (
    <>
      <Logo />
      <b className="font-semibold">Misstep</b>
    </>
  );
  const look = "flex items-center gap-2 rounded-4 text-14";
  if (!linked) return <span className={look}>{content}</span>;
  return (
    <Link href="/" className={look}>
      {content}
    </Link>
  );
}
