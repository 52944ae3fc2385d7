import type { ReactNode } from "react";
import { cn } from "./class-names";

export interface Segment<Value extends string> {
  value: Value;
  label: ReactNode;
  disabled?: boolean;
}

export interface SegmentedControlProps<Value extends string> {
  /** What is chosen here, for the ears. */
  label: string;
  segments: Segment<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  className?: string;
}

/** Two to four choices, one pressed: 24 px high. */
export function SegmentedControl<Value extends string>({
  label,
  segments,
  value,
  onChange,
  className,
}: SegmentedControlProps<Value>): ReactNode {
  return (
    <fieldset
      aria-label={label}
      className={cn("m-0 inline-flex h-6 shrink-0 overflow-hidden rounded-6 border border-line-2 bg-bg p-0", className)}
    >
      {segments.map((segment) => (
        <button
          key={segment.value}
          type="button"
          aria-pressed={segment.value === value}
          disabled={segment.disabled}
          onClick={() => onChange(segment.value)}
          className="border-l border-line-2 px-2 text-12 leading-[22px] text-fg-2 whitespace-nowrap first:border-l-0 enabled:hover:bg-bg-hover disabled:opacity-40 aria-pressed:bg-accent-bg aria-pressed:font-medium aria-pressed:text-accent"
        >
          {segment.label}
        </button>
      ))}
    </fieldset>
  );
}
