import { Radar, Ruler, Scale, User } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names";

const SOURCES = {
  judge: { name: "Judge", icon: Scale },
  rule: { name: "Rule", icon: Ruler },
  scanner: { name: "Scanner", icon: Radar },
  person: { name: "Person", icon: User },
} as const;

export type SourceKind = keyof typeof SOURCES;

/** Who says a thing: an icon of 12 before the words (`rule`, `judge, window #26–#28`). */
export function SaidBy({
  kind,
  className,
  children,
}: {
  kind: SourceKind;
  className?: string;
  children?: ReactNode;
}): ReactNode {
  const { name, icon: Icon } = SOURCES[kind];
  return (
    <span className={cn("inline-flex items-center gap-1 text-12 leading-4 text-fg-3 whitespace-nowrap", className)}>
      <Icon aria-hidden="true" strokeWidth={1.75} className="size-3 shrink-0" />
      {children ?? name}
    </span>
  );
}
