import type { ReactNode } from "react";

/** A row of what a verdict says: its name, then the words. Stands in a `dl`. */
export function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div className="grid grid-cols-[104px_minmax(0,1fr)] gap-x-3 border-b border-line py-1.5 text-13 last:border-b-0">
      <dt className="text-12 leading-5 text-fg-3">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere] [unicode-bidi:plaintext]">{children}</dd>
    </div>
  );
}
