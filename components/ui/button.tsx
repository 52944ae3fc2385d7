import { Slot } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names";

const LOOK = {
  plain: "border-line-2 bg-bg text-fg enabled:hover:bg-bg-hover [&_svg]:text-fg-2",
  primary: "border-btn-bg bg-btn-bg text-btn-fg enabled:hover:opacity-90",
  ghost: "border-transparent bg-transparent text-fg enabled:hover:bg-bg-hover [&_svg]:text-fg-2",
} as const;

const SIZE = { small: "h-6 px-2 text-12", normal: "h-7 px-2.5 text-13", large: "h-9 px-3 text-13" } as const;

export interface ButtonProps extends ComponentProps<"button"> {
  look?: keyof typeof LOOK;
  size?: keyof typeof SIZE;
  /** Draws the only child (a link, a label) as a button. */
  asChild?: boolean;
}

/** A button 28 px high (24 small). One primary button a page at most. */
export function Button({
  look = "plain",
  size = "normal",
  asChild,
  className,
  type,
  ...props
}: ButtonProps): ReactNode {
  const Root = asChild ? Slot.Root : "button";
  return (
    <Root
      {...(asChild ? {} : { type: type ?? "button" })}
      className={cn(
        "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-6 border font-medium whitespace-nowrap select-none disabled:opacity-40 [&_svg]:size-3.5 [&_svg]:shrink-0",
        SIZE[size],
        LOOK[look],
        className,
      )}
      {...props}
    />
  );
}

/** Words that act like a link: open, retry, clear. */
export function LinkButton({ className, type, ...props }: ComponentProps<"button">): ReactNode {
  return (
    <button
      type={type ?? "button"}
      className={cn(
        "shrink-0 font-medium text-accent whitespace-nowrap enabled:hover:underline disabled:opacity-50",
        className,
      )}
      {...props}
    />
  );
}
