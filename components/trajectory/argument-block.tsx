"use client";

import { type ReactNode, useMemo, useState } from "react";
import type { TextView } from "@/lib/views/turn";
import { type ArgumentField, argumentFields, fieldMarks, nameMarks } from "./argument-fields";
import { cutArguments } from "./cut-arguments";
import { formatPlural } from "./numbers";
import { type BlockMarks, TerminalBlock } from "./text-block";
import { quotationMarks, textLines } from "./text-lines";
import { FoldBar, FoldedLines } from "./text-rows";
import type { TextMark } from "./text-runs";
import { UntrustedText } from "./untrusted-text";

/** Characters of a value that still stands on the line of its name. */
const ONE_LINE_CHARS = 160;

const NAME = "font-sans text-12 leading-4 text-fg-3";

function Field({
  field,
  marks,
  isRest = false,
  isCut = false,
}: {
  field: ArgumentField;
  marks: readonly TextMark[];
  /** The end of a text whose beginning stands above. */
  isRest?: boolean;
  /** The beginning of a text: how many lines it has is not known here. */
  isCut?: boolean;
}): ReactNode {
  const inside = fieldMarks(field, marks);
  const name = <UntrustedText text={field.name} marks={nameMarks(field, marks)} literal />;
  const isShort = field.side === null && field.text.length <= ONE_LINE_CHARS && !/[\n\r]/.test(field.text);
  if (!isRest && !isCut && (isShort || field.text === "")) {
    return (
      <div className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-2 px-4 py-0.5 text-12 leading-4">
        <dt className={`${NAME} truncate`} title={field.name}>
          {name}
        </dt>
        <dd className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {field.text === "" ? (
            <span className="font-sans text-fg-3">empty</span>
          ) : (
            <UntrustedText text={field.text} marks={inside} literal />
          )}
        </dd>
      </div>
    );
  }
  const shown = field.text.endsWith("\n") ? field.text.slice(0, -1) : field.text;
  const { lines } = textLines(shown, { start: 0, firstLine: 1, marks: inside });
  return (
    <div className="py-0.5">
      <dt className={`${NAME} flex gap-2 px-4`}>
        <span className="min-w-0 truncate" title={field.name}>
          {isRest && "rest of "}
          {name}
        </span>
        {lines.length > 1 && !isRest && !isCut && (
          <span className="ml-auto shrink-0">{formatPlural(lines.length, "line")}</span>
        )}
      </dt>
      <dd>
        <FoldedLines lines={lines} gutter={field.side} literal />
      </dd>
    </div>
  );
}

/**
 * The arguments of a call, a field each: text with its own line breaks, other values as JSON, the two sides of an edit
 * under each other. Of a long string the ends are shown. Arguments that are cut anywhere else stay the JSON text that they are.
 */
export function ArgumentBlock({
  view,
  item,
  quotations,
}: {
  view: TextView;
  item: string;
  quotations: BlockMarks;
}): ReactNode {
  const [isJson, setJson] = useState(false);
  const cut = useMemo(() => cutArguments(view), [view]);
  const fields = useMemo(() => (view.omittedChars > 0 ? (cut?.head ?? null) : argumentFields(view.head)), [view, cut]);
  const { marks, hidden } = useMemo(() => quotationMarks(view, quotations), [view, quotations]);
  // A quotation or the open match in the part that is not here opens from the JSON text.
  const isHidden = hidden.some((mark) => mark.kind !== "find");
  if (fields === null || fields.length === 0 || isJson || isHidden) {
    return <TerminalBlock view={view} item={item} field="arguments" quotations={quotations} numbered={false} />;
  }
  const list = "m-0 py-1 [&_dd]:m-0";
  return (
    <div className="border-y border-line bg-term font-mono [font-variant-ligatures:none]">
      <dl className={list}>
        {fields.map((field) => (
          <Field
            key={`${field.nameStart} ${field.name}`}
            field={field}
            marks={marks}
            isCut={cut !== null && field === cut.head.at(-1)}
          />
        ))}
      </dl>
      {cut && (
        <>
          <FoldBar
            words={`${formatPlural(cut.omittedChars, "character")} not shown`}
            action="Open as JSON"
            onOpen={() => setJson(true)}
          />
          <dl className={list}>
            {cut.tail.map((field, i) => (
              <Field key={`${field.nameStart} ${field.name}`} field={field} marks={marks} isRest={i === 0} />
            ))}
          </dl>
        </>
      )}
    </div>
  );
}
