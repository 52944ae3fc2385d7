import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names";

const WRITE = {
  write: { name: "Write to a delivered file", look: "bg-wr" },
  scratch: { name: "Scratch write, not delivered", look: "border border-wr" },
  refused: { name: "Refused write, changed nothing", look: "border border-dashed border-line-3" },
  opaque: { name: "A command that may have written", look: "border border-dotted border-wr" },
} as const;

export type WriteMarkKind = keyof typeof WRITE;

/** A write in the strip: a bar of 4 x 12. Filled: delivered; hollow: scratch; dashed: refused; dotted: may have written. */
export function WriteMark({
  kind,
  label,
  className,
}: {
  kind: WriteMarkKind;
  label?: string | null;
  className?: string;
}): ReactNode {
  return (
    <Bar
      name={label === undefined ? WRITE[kind].name : label}
      className={cn("h-3 w-1 rounded-1", WRITE[kind].look, className)}
    />
  );
}

const TEST = {
  failures: { name: "Test run with failures", look: "border-[1.5px] border-wr" },
  passed: { name: "Test run, all pass", look: "bg-wr" },
  unread: { name: "Test run, result not read", look: "border-[1.5px] border-dashed border-line-3" },
} as const;

export type TestMarkKind = keyof typeof TEST;

/** A test run in the strip: a disc of 8. Hollow: failures; filled: all pass; dashed: its result was not read. */
export function TestMark({
  kind,
  label,
  className,
}: {
  kind: TestMarkKind;
  label?: string | null;
  className?: string;
}): ReactNode {
  return (
    <Bar
      name={label === undefined ? TEST[kind].name : label}
      className={cn("size-2 rounded-full", TEST[kind].look, className)}
    />
  );
}

function Bar({ name, className }: { name: string | null; className: string }): ReactNode {
  if (name === null) return <span aria-hidden="true" className={cn("inline-block shrink-0", className)} />;
  return <span role="img" aria-label={name} title={name} className={cn("inline-block shrink-0", className)} />;
}
