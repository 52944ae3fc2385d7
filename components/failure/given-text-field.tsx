"use client";

import { type ChangeEvent, type DragEvent, type ReactNode, useId, useRef, useState } from "react";
import { formatBytes, formatLimit } from "@/components/tables/trajectory-table/cell-text";
import { LinkButton } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { GIVEN_TEXT_MAX_BYTES } from "@/lib/catalogue/limits";
import { sizeOf } from "./given-draft";

/** A text that is typed, pasted, dropped as a file or read from a chosen one, with its size against the limit. */
export function GivenTextField({
  name,
  hint,
  value,
  onChange,
  grows = false,
  disabled = false,
}: {
  name: string;
  hint: ReactNode;
  value: string;
  onChange: (text: string) => void;
  /** Whether the field becomes higher with its text, to a bound. */
  grows?: boolean;
  disabled?: boolean;
}): ReactNode {
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const sizeBytes = sizeOf(value);
  const isTooLarge = sizeBytes > GIVEN_TEXT_MAX_BYTES;

  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > GIVEN_TEXT_MAX_BYTES) {
      setProblem(
        `${file.name} has ${formatBytes(file.size)}, which is more than ${formatLimit(GIVEN_TEXT_MAX_BYTES)}.`,
      );
      return;
    }
    try {
      const bytes = await file.arrayBuffer();
      onChange(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
      setProblem(null);
    } catch {
      setProblem(`${file.name} is not text in UTF-8, or cannot be read.`);
    }
  };
  // The page around takes dropped files too: what is dropped on the field is the field's.
  const own = (event: DragEvent, isHeld: boolean): void => {
    if (disabled || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    event.stopPropagation();
    setOver(isHeld);
  };

  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-13 font-medium">
          {name}
        </label>
        <span
          id={`${id}-size`}
          className={cn("mono shrink-0 text-12", isTooLarge ? "font-medium text-fg" : "text-fg-3")}
        >
          {formatBytes(sizeBytes)} of {formatLimit(GIVEN_TEXT_MAX_BYTES)}
          {isTooLarge && ": too large"}
        </span>
      </div>
      <textarea
        id={id}
        rows={3}
        value={value}
        disabled={disabled}
        spellCheck={false}
        aria-describedby={`${id}-hint ${id}-size`}
        aria-invalid={isTooLarge}
        onChange={(event) => {
          setProblem(null);
          onChange(event.target.value);
        }}
        onDragEnter={(event) => own(event, true)}
        onDragOver={(event) => own(event, true)}
        onDragLeave={(event) => own(event, false)}
        onDrop={(event) => {
          own(event, false);
          void take(event.dataTransfer.files[0]);
        }}
        className={cn(
          "mono w-full min-w-0 resize-y rounded-6 border border-line-2 bg-bg px-2 py-1.5 text-12 leading-[18px] aria-invalid:border-dec disabled:opacity-50",
          grows && "field-sizing-content max-h-64 min-h-16",
          isOver && "border-accent bg-accent-bg",
        )}
      />
      <div className="flex items-start justify-between gap-3 text-12 text-fg-3">
        <span id={`${id}-hint`} className="min-w-0 py-[3px] leading-[18px] [overflow-wrap:anywhere]">
          {problem === null ? (
            hint
          ) : (
            <span role="alert" className="text-fg">
              {problem}
            </span>
          )}
        </span>
        <LinkButton
          disabled={disabled}
          aria-label={`Choose a file for: ${name}`}
          onClick={() => picker.current?.click()}
          className="h-6 font-normal"
        >
          Choose a file
        </LinkButton>
        <input
          ref={picker}
          type="file"
          tabIndex={-1}
          aria-label={`File for: ${name}`}
          className="hidden"
          onChange={(event: ChangeEvent<HTMLInputElement>) => {
            const [file] = event.target.files ?? [];
            // Emptied, so that the same file can be chosen again.
            event.target.value = "";
            void take(file);
          }}
        />
      </div>
    </div>
  );
}
