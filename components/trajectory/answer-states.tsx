import type { ReactNode } from "react";
import { LinkButton } from "@/components/ui/button";
import type { Answer } from "./answers";

/** What stands in place of an answer that failed. */
export function Failed({ message, onRetry }: { message: string; onRetry: () => void }): ReactNode {
  return (
    <div
      role="alert"
      className="m-4 flex items-start gap-3 rounded-6 border border-dashed border-line-3 px-3 py-2 text-13"
    >
      <span className="min-w-0 flex-1 text-fg-2">{message}</span>
      <LinkButton onClick={onRetry}>Try again</LinkButton>
    </div>
  );
}

/** Grey bars of the size of what is coming. */
export function Waiting({ label, lines = 8 }: { label: string; lines?: number }): ReactNode {
  return (
    <div role="status" aria-label={label} className="p-4">
      {Array.from({ length: lines }, (_, i) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: all alike
          key={i}
          className="my-2 h-3 rounded-2 bg-bg-3"
          style={{ width: `${55 + ((i * 37) % 40)}%` }}
        />
      ))}
    </div>
  );
}

/** What a dialog shows of an answer: that it is on its way, why there is none, or the answer itself. */
export function DialogAnswer<T>({
  answer,
  onRetry,
  children,
}: {
  answer: Answer<T>;
  onRetry: () => void;
  children: (value: T) => ReactNode;
}): ReactNode {
  if (answer.state === "here") return children(answer.value);
  // As high as most answers: the dialog does not jump when it comes.
  if (answer.state === "waiting") {
    return (
      <p role="status" className="min-h-[40dvh] text-13 text-fg-2">
        Loading…
      </p>
    );
  }
  return (
    <p role="alert" className="flex flex-wrap gap-x-3 text-13">
      {answer.message}
      <LinkButton onClick={onRetry}>Try again</LinkButton>
    </p>
  );
}
