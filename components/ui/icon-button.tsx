import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label"> {
  /** What it does, for the ears and for the tooltip that a page may add. */
  label: string;
  small?: boolean;
}

/** A square button with one icon: 28 px, or 24 with a smaller icon. */
export function IconButton({ label, small = false, className, type, ...props }: IconButtonProps): ReactNode {
  return (
    <button
      type={type ?? "button"}
      aria-label={label}
      className={cn(
        "inline-flex shrink-0 items-center justify-center rounded-6 text-fg-2 enabled:hover:bg-bg-3 enabled:hover:text-fg disabled:opacity-40",
        small ? "size-6 [&_svg]:size-3.5" : "size-7 [&_svg]:size-4",
        className,
      )}
      {...props}
    />
  );
}
