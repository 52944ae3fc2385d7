"use client";

import type { ReactNode } from "react";
import { rawViewSchema } from "@/lib/views/turn";
import { Failed, Waiting } from "./answer-states";
import { useAnswer } from "./answers";
import { useForensics } from "./forensics-context";
import { formatCount, formatPlural } from "./numbers";
import { rawPath } from "./paths";
import { positionWords } from "./positions";
import { ScrollBox } from "./scroll-box";
import { ROW_MAX_CHARS } from "./text-lines";
import { UntrustedText } from "./untrusted-text";

/** Pieces short enough for one element each. */
function pieces(text: string): { at: number; text: string }[] {
  const found: { at: number; text: string }[] = [];
  for (let at = 0; at < text.length; at += ROW_MAX_CHARS * 8) {
    found.push({ at, text: text.slice(at, at + ROW_MAX_CHARS * 8) });
  }
  return found;
}

/** The records of the upload that the open turn was made from, as they are. */
export function RawPane(): ReactNode {
  const { answers, turn, run } = useForensics();
  const path = rawPath(turn);
  const answer = useAnswer(answers, run.permissions.raw ? path : null, rawViewSchema);
  if (!run.permissions.raw) {
    return <p className="p-4 text-13 text-fg-2">Raw records are not part of a shared page.</p>;
  }
  return (
    <ScrollBox label="Raw records" className="h-full overflow-y-auto narrow:h-auto narrow:overflow-visible">
      <header className="flex min-h-10 flex-wrap items-center gap-x-3 border-b border-line px-4 py-2">
        <h2 className="text-14 font-semibold">
          Raw records of <span className="mono">#{turn + 1}</span>
        </h2>
        {answer.state === "here" && (
          <span className="text-12 text-fg-3">
            {answer.value.records.length === answer.value.total
              ? formatPlural(answer.value.total, "record")
              : `${formatCount(answer.value.records.length)} of ${formatPlural(answer.value.total, "record")}`}
          </span>
        )}
      </header>
      {answer.state === "waiting" && <Waiting label="Loading the records" lines={14} />}
      {answer.state === "failed" && (
        <Failed message={answer.message} onRetry={() => answers.retry(path, rawViewSchema)} />
      )}
      {answer.state === "here" &&
        answer.value.records.map((record, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: records of one turn never move
          <section key={i} className="border-b border-line">
            <h3 className="bg-bg-2 px-4 text-12 leading-6 text-fg-3 [overflow-wrap:anywhere]">
              {positionWords(record.span)}
            </h3>
            <pre className="px-4 py-2 leading-4 whitespace-pre-wrap [overflow-wrap:anywhere]">
              {pieces(record.text).map((piece) => (
                <span key={piece.at}>
                  <UntrustedText text={piece.text} />
                </span>
              ))}
            </pre>
            {record.omittedBytes > 0 && (
              <p className="border-t border-dashed border-line-3 px-4 py-1 text-12 text-fg-2">
                {formatPlural(record.omittedBytes, "byte")} of this record are not shown. The upload has all of it.
              </p>
            )}
          </section>
        ))}
    </ScrollBox>
  );
}
