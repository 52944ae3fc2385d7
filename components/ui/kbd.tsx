import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names";

/** A key cap. `small` is the 16 px form of footers. */
export function Kbd({ small = false, className, ...props }: ComponentProps<"kbd"> & { small?: boolean }): ReactNode {
  return (
    <kbd
      className={cn(
        "inline-flex items-center justify-center rounded-4 border border-line-2 bg-bg text-12 leading-none font-medium text-fg-2",
        small ? "h-4 min-w-4 px-1" : "h-5 min-w-5 px-1.5",
        className,
      )}
      {...props}
    />
  );
}

/** The hint of a key footer: `j k row`. */
export function KeyHint({ keys, children }: { keys: string[]; children: ReactNode }): ReactNode {
  return (
    <span className="inline-flex items-center gap-1">
      {keys.map((key) => (
        <Kbd key={key} small>
          {key}
        </Kbd>
      ))}
      <span>{children}</span>
    </span>
  );
}
