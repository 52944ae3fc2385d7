"use client";

import { type ReactNode, useMemo, useState } from "react";
import { certaintyMark, Mark } from "@/components/marks/mark";
import { useAnswer } from "@/components/trajectory/answers";
import { useForensics } from "@/components/trajectory/forensics-context";
import { formatCount, formatPlural } from "@/components/trajectory/numbers";
import { PathName } from "@/components/trajectory/path-name";
import { codePath, turnPath } from "@/components/trajectory/paths";
import { AddressLink } from "@/components/trajectory/turn-link";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { Chip } from "@/components/ui/chip";
import { cn } from "@/components/ui/class-names";
import { codeViewSchema } from "@/lib/views/code";
import { turnViewSchema } from "@/lib/views/turn";
import { FileAtTurn } from "./code-pane";
import { chooseFile, fileAddress } from "./file-choice";

/** Files drawn at once; a filter finds the others. */
const ROWS_MAX = 400;

function Versions({ file }: { file: number }): ReactNode {
  const { answers, address, run, turn } = useForensics();
  const answer = useAnswer(answers, codePath(file, turn, address.from, address.to), codeViewSchema);
  const row = run.files.find((each) => each.n === file);
  if (!row) return null;
  const versions = answer.state === "here" ? answer.value.versions : [];
  return (
    <div className="shrink-0 border-b border-line px-3 py-2">
      <h2 className="text-14 font-semibold [overflow-wrap:anywhere]">
        <UntrustedText text={row.display} />
      </h2>
      {row.path !== row.display && (
        <p className="text-12 text-fg-3 [overflow-wrap:anywhere]">
          <UntrustedText text={row.path} />
        </p>
      )}
      <ol aria-label="Versions" className="mt-1 flex max-h-18 min-h-6 flex-wrap gap-1 overflow-y-auto">
        {versions.map((version) => {
          const words = version.turn === null ? "base" : `#${version.turn + 1}`;
          return (
            <li key={version.n} className="flex">
              <Chip asChild className={cn(version.turn === turn && "border-accent-line bg-accent-bg text-accent")}>
                {version.turn === null ? (
                  <span title={`${version.operation}, ${version.certainty}`}>
                    <Mark kind={certaintyMark(version.certainty)} size={10} label={null} />
                    {words}
                  </span>
                ) : (
                  <AddressLink
                    to={{
                      ...address,
                      turn: version.turn,
                      file: fileAddress(run.files, file),
                      line: null,
                      from: "before",
                      to: "after",
                    }}
                    title={`${version.operation}, ${version.certainty}`}
                  >
                    <Mark kind={certaintyMark(version.certainty)} size={10} label={null} />
                    {words} <span className="font-sans font-normal text-fg-3">{version.operation}</span>
                  </AddressLink>
                )}
              </Chip>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** All files of the run with their versions; the chosen one as it was at the open turn. */
export function FilesView(): ReactNode {
  const { answers, run, address, turn, showPane } = useForensics();
  const [filter, setFilter] = useState("");
  // A run without turns has no turn to ask for.
  const turnAnswer = useAnswer(answers, run.strip.turns === 0 ? null : turnPath(turn), turnViewSchema);
  const turnView = turnAnswer.state === "here" ? turnAnswer.value : null;
  const open = chooseFile(run, turnView, address.file);
  const matching = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    const order = [...run.files].sort(
      (a, b) =>
        Number(b.writeCount > 0) - Number(a.writeCount > 0) ||
        Number(a.isScratch) - Number(b.isScratch) ||
        (a.display < b.display ? -1 : 1),
    );
    return wanted === "" ? order : order.filter((file) => file.path.toLowerCase().includes(wanted));
  }, [run.files, filter]);
  const hidden = Math.max(0, matching.length - ROWS_MAX);
  return (
    <div className="grid h-full min-h-0 grid-cols-[416px_minmax(0,1fr)] narrow:block narrow:h-auto">
      <div className="flex min-h-0 flex-col border-r border-line narrow:border-r-0">
        <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line px-3">
          <input
            type="search"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            placeholder="Filter by path"
            aria-label="Filter files by path"
            className="h-6 min-w-0 flex-1 rounded-6 border border-line-2 bg-bg px-2 text-12"
          />
          <span className="text-12 whitespace-nowrap text-fg-3">
            {matching.length === run.files.length
              ? formatPlural(run.files.length, "file")
              : `${formatCount(matching.length)} of ${formatPlural(run.files.length, "file")}`}
          </span>
        </div>
        <ul aria-label="Files" className="min-h-0 flex-1 overflow-y-auto narrow:max-h-80">
          {matching.slice(0, ROWS_MAX).map((file) => (
            <li key={file.n}>
              <AddressLink
                to={{ ...address, turn, view: "files", file: fileAddress(run.files, file.n), line: null }}
                onGo={() => showPane("code")}
                aria-current={file.n === open ? "true" : undefined}
                title={file.path}
                className={cn(
                  "grid min-h-7 grid-cols-[minmax(0,1fr)_auto] items-center gap-3 px-3 text-13 hover:bg-bg-hover narrow:min-h-10",
                  file.n === open && "bg-accent-bg shadow-[inset_2px_0_var(--accent)] hover:bg-accent-bg",
                )}
              >
                <span className={cn("flex min-w-0 text-fg-2", file.writeCount > 0 && "text-fg")} dir="ltr">
                  <PathName path={file.display} />
                </span>
                <span className="flex items-center gap-3 text-12 whitespace-nowrap text-fg-3">
                  {file.isScratch && <span>scratch</span>}
                  {file.writeCount > 0 ? formatPlural(file.writeCount, "write") : "read"}
                  <Mark kind={certaintyMark(file.lastCertainty)} />
                </span>
              </AddressLink>
            </li>
          ))}
        </ul>
        {hidden + run.omitted.files > 0 && (
          <p className="border-t border-line px-3 py-1 text-12 text-fg-3">
            {hidden > 0 && `${formatPlural(hidden, "more file")}: filter to find ${hidden === 1 ? "it" : "them"}. `}
            {run.omitted.files > 0 && `${formatPlural(run.omitted.files, "file")} of this run are not listed.`}
          </p>
        )}
      </div>
      <div className="flex min-h-0 min-w-0 flex-col overflow-hidden narrow:overflow-visible">
        {open === null ? (
          <p className="p-4 text-13 text-fg-3">This run neither reads nor writes a file that we can follow.</p>
        ) : (
          <>
            <Versions file={open} />
            <FileAtTurn file={open} turnView={turnView} />
          </>
        )}
      </div>
    </div>
  );
}
