import { Fragment, type ReactNode } from "react";
import { cn } from "@/components/ui/class-names";
import type { AnsiColour, AnsiStyle } from "./ansi";
import { hiddenLabel, isFindMark, type TextMark, type TextRun, textRuns } from "./text-runs";

const COLOUR: Record<AnsiColour, string> = {
  black: "text-fg-3",
  red: "text-a-red",
  green: "text-a-green",
  yellow: "text-a-yellow",
  blue: "text-a-blue",
  magenta: "text-a-magenta",
  cyan: "text-a-cyan",
  white: "text-fg",
};

function styleClasses(style: AnsiStyle): string {
  return cn(
    style.colour && COLOUR[style.colour],
    // Grounds become an outline: eight more pairs of colours could not all be read on both themes.
    style.ground && "rounded-2 outline outline-1 outline-line-2",
    style.bold && "font-semibold",
    style.dim && "text-fg-3",
    style.italic && "italic",
    style.underline && "underline decoration-1 underline-offset-2",
  );
}

const MARK: Record<TextMark["kind"], string> = {
  decisive: "bg-dec-bg shadow-[inset_0_-2px_var(--dec)]",
  candidate: "bg-bg-3 shadow-[inset_0_-2px_var(--line-3)]",
  find: "bg-accent-bg text-current shadow-[inset_0_-2px_var(--accent-line)]",
  "find-current": "bg-accent text-bg",
};

function Hidden({ run }: { run: TextRun }): ReactNode {
  return (
    <span
      title={run.hidden ?? undefined}
      className="mx-px inline-block rounded-2 border border-line-3 px-0.5 align-baseline font-mono text-12 leading-[14px] text-fg-3 select-none [text-indent:0]"
    >
      <span className="hidden-text">{run.hidden} </span>
      <span aria-hidden>{hiddenLabel(run.text)}</span>
    </span>
  );
}

function Run({ run }: { run: TextRun }): ReactNode {
  if (run.hidden !== null) return <Hidden run={run} />;
  const className = styleClasses(run.style);
  const words = run.isCode
    ? run.text.slice(run.text.startsWith("`") ? 1 : 0, run.text.endsWith("`") ? -1 : undefined)
    : run.text;
  const inner = run.isCode ? <code>{words}</code> : words;
  if (run.mark !== null) {
    const { kind, n } = run.mark;
    if (isFindMark(run.mark)) {
      const isCurrent = kind === "find-current";
      return (
        <mark
          data-find={isCurrent ? "current" : "other"}
          className={cn("box-decoration-clone rounded-2 py-px", MARK[kind], !isCurrent && className)}
        >
          {inner}
        </mark>
      );
    }
    return (
      <mark data-quotation={n} className={cn("box-decoration-clone py-px text-current", MARK[kind], className)}>
        {inner}
      </mark>
    );
  }
  if (className !== "") return <span className={className}>{inner}</span>;
  return inner;
}

/**
 * Text of a trace: always text nodes, never markup. Escape sequences become colours, characters that would be invisible
 * or would reorder the line become small boxes, quotations are highlighted.
 */
export function UntrustedText({
  text,
  marks,
  prose = false,
  literal = false,
  style,
}: {
  text: string;
  marks?: readonly TextMark[];
  prose?: boolean;
  /** For files and arguments: escape sequences are content there and no looks. */
  literal?: boolean;
  style?: AnsiStyle;
}): ReactNode {
  return textRuns(text, { marks, prose, literal, style }).map((run, i) => (
    // Runs have no identity of their own and are never reordered.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <Fragment key={i}>
      <Run run={run} />
    </Fragment>
  ));
}
