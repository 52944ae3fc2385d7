import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names";

interface Drawing {
  /** What the mark says when nothing stands beside it. */
  name: string;
  colour: string;
  shape: ReactNode;
}

const ring = (radius: number, width: number, dash?: string) => (
  <circle cx="6" cy="6" r={radius} fill="none" stroke="currentColor" strokeWidth={width} strokeDasharray={dash} />
);
const disc = (radius: number) => <circle cx="6" cy="6" r={radius} fill="currentColor" />;
const line = (d: string, width: number) => (
  <path d={d} fill="none" stroke="currentColor" strokeWidth={width} strokeLinecap="round" strokeLinejoin="round" />
);

const DRAWINGS = {
  decisive: {
    name: "Decisive error",
    colour: "text-dec",
    shape: <path d="M6 .5 11.5 6 6 11.5 .5 6Z" fill="currentColor" />,
  },
  candidate: {
    name: "Candidate for the decisive error",
    colour: "text-fg-2",
    shape: <path d="M6 1.6 10.4 6 6 10.4 1.6 6Z" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  },
  origin: { name: "Origin", colour: "text-ori", shape: ring(4.25, 2.25) },
  introducing: {
    name: "Introducing write",
    colour: "text-wri",
    shape: <rect x="1.25" y="1.25" width="9.5" height="9.5" rx=".75" fill="currentColor" />,
  },
  missed: { name: "Missed opportunity", colour: "text-mis", shape: line("M6 1.6 11 10.4H1Z", 1.6) },
  confirmed: { name: "Confirmed by a person", colour: "text-con", shape: line("M1.6 6.4 4.7 9.5 10.4 2.9", 2) },
  undetermined: {
    name: "Undetermined",
    colour: "text-und",
    shape: (
      <>
        {line("M3.7 4.1C3.7 2.7 4.7 1.7 6.1 1.7S8.5 2.6 8.5 3.9C8.5 5.6 6.1 5.7 6.1 7.5", 1.7)}
        <circle cx="6.1" cy="10.3" r="1.05" fill="currentColor" />
      </>
    ),
  },
  comment: {
    name: "Comment",
    colour: "text-fg-2",
    shape: line("M2 2h8a1 1 0 0 1 1 1v4.6a1 1 0 0 1-1 1H5.2L2.6 11V8.6H2a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1Z", 1.3),
  },
  failed: { name: "Failed", colour: "text-fg", shape: line("M2.4 2.4 9.6 9.6M9.6 2.4 2.4 9.6", 2) },
  resolved: { name: "Resolved", colour: "text-fg-3", shape: disc(4) },
  unknownOutcome: { name: "Outcome unknown", colour: "text-fg-3", shape: line("M2.5 6h7", 1.8) },
  given: {
    name: "Given: attached by a person",
    colour: "text-fg-2",
    shape: (
      <>
        <rect x="2" y="2" width="8" height="8" rx="1" fill="none" stroke="currentColor" strokeWidth="1.4" />
        {disc(1.6)}
      </>
    ),
  },
  recorded: { name: "Recorded: the trace held the content", colour: "text-fg-2", shape: disc(4.2) },
  replayed: {
    name: "Replayed: we applied the edit",
    colour: "text-fg-2",
    shape: (
      <>
        {ring(4.3, 1.4)}
        {disc(1.9)}
      </>
    ),
  },
  partial: {
    name: "Partial: known ranges and gaps",
    colour: "text-fg-2",
    shape: (
      <>
        {ring(4.3, 1.4)}
        <path d="M6 1.7a4.3 4.3 0 0 1 0 8.6Z" fill="currentColor" />
      </>
    ),
  },
  unknown: { name: "Unknown: may have changed unseen", colour: "text-fg-2", shape: ring(4.3, 1.4, "1.9 1.48") },
} as const satisfies Record<string, Drawing>;

export type MarkKind = keyof typeof DRAWINGS;

export interface MarkProps {
  kind: MarkKind;
  /** 12 in text, 10 in chips, 9 in the strip of a list row. */
  size?: number;
  /** Another accessible name, or null where the words stand beside the mark already. */
  label?: string | null;
  className?: string;
}

/** One mark for one meaning, everywhere. */
export function Mark({ kind, size = 12, label, className }: MarkProps): ReactNode {
  const drawing = DRAWINGS[kind];
  const name = label === undefined ? drawing.name : label;
  const shared = {
    viewBox: "0 0 12 12",
    width: size,
    height: size,
    className: cn("inline-block shrink-0", drawing.colour, className),
  };
  if (name === null) {
    return (
      <svg {...shared} aria-hidden="true">
        {drawing.shape}
      </svg>
    );
  }
  return (
    <svg {...shared} role="img" aria-label={name}>
      <title>{name}</title>
      {drawing.shape}
    </svg>
  );
}

/** The mark of a file's state, from the model's word for it; `unknown` for a word it does not know. */
export function certaintyMark(certainty: string | null): MarkKind {
  switch (certainty) {
    case "given":
    case "recorded":
    case "replayed":
    case "partial":
      return certainty;
    default:
      return "unknown";
  }
}

/** The mark of an outcome; not known is a dash, never a blank. */
export function outcomeMark(outcome: "failed" | "resolved" | "unknown" | null): MarkKind {
  if (outcome === "failed" || outcome === "resolved") return outcome;
  return "unknownOutcome";
}
