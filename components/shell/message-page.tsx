import type { ReactNode } from "react";
import { PlainBar } from "./plain-bar";

/** A page that says one thing: what happened and what to do next. */
export function MessagePage({
  title,
  linked = true,
  children,
}: {
  title: string;
  linked?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    // A page that breaks while it is drawn comes without its stylesheet: nothing is shown before that has come.
    <div className="flex min-h-full flex-col visible!" style={{ visibility: "hidden" }}>
      <PlainBar linked={linked} />
      <main className="mx-auto w-full max-w-[60ch] flex-1 px-4 pt-16 pb-8 narrow:pt-8">
        <h1 className="text-20 font-semibold">{title}</h1>
        <div className="mt-2 flex flex-col items-start gap-4 text-14 leading-6 text-fg-2">{children}</div>
      </main>
    </div>
  );
}

/** A command to type, on lines of its own; in a narrow page it goes on below, so that all of it is to be seen. */
export function Command({ children }: { children: string }): ReactNode {
  return (
    <pre className="w-full whitespace-pre-wrap [overflow-wrap:anywhere] rounded-6 border border-line bg-bg-2 px-3 py-2 text-fg">
      <code>{children}</code>
    </pre>
  );
}
