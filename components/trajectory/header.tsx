"use client";

import { Ellipsis, FileArchive, FileDown, Link as LinkIcon, Share2 } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { Mark, outcomeMark } from "@/components/marks/mark";
import { Button, LinkButton } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { Menu, MenuItem } from "@/components/ui/menu";
import type { RunView } from "@/lib/views/run";
import { failureLink } from "./failure-words";
import { FoldingNotMeasured } from "./folding-not-measured";
import { useForensics } from "./forensics-context";
import { HeaderFacts } from "./header-facts";
import { formatCost, formatDuration, formatPlural, formatTokens } from "./numbers";
import { ReimportNotice } from "./reimport-notice";
import { UntrustedText } from "./untrusted-text";

// Fetched when they are opened: a link to a turn opens without them.
const NotesDialog = dynamic(() => import("./notes-dialog").then((found) => found.NotesDialog));
const ShareDialog = dynamic(() => import("./share-dialog").then((found) => found.ShareDialog));
const FailureDialog = dynamic(() => import("./failure-dialog").then((found) => found.FailureDialog));
const BaselineDialog = dynamic(() => import("./baseline-dialog").then((found) => found.BaselineDialog));

const OUTCOME: Record<"failed" | "resolved" | "unknown", string> = {
  failed: "Failed",
  resolved: "Resolved",
  unknown: "Outcome unknown",
};

const ICON = { "aria-hidden": true, strokeWidth: 1.75 } as const;

function facts(run: RunView): string[] {
  const { row, totals } = run;
  const tokens = (totals.inputTokens ?? 0) + (totals.outputTokens ?? 0);
  return [
    [row.framework, row.frameworkVersion].filter((part) => part !== null).join(" "),
    row.model ?? "",
    formatPlural(run.strip.turns, "turn"),
    totals.durationMs === null ? "" : formatDuration(totals.durationMs),
    tokens === 0 ? "" : `${formatTokens(tokens)} tokens`,
    totals.costUsd === null ? "" : formatCost(totals.costUsd),
  ].filter((fact) => fact !== "");
}

/** The title of the run with what it came to, what it cost, and what a person can do with it. */
export function TrajectoryHeader({
  query,
  asked,
  onAsked,
}: {
  /** The query of what is open, for links. */
  query: string;
  /** How many new imports this page has asked for. */
  asked: number;
  onAsked: () => void;
}): ReactNode {
  const { run, api, turn, copyLink } = useForensics();
  const [opened, setOpened] = useState<"share" | "baseline" | "notes" | "failure" | null>(null);
  const toggle = (what: "share" | "baseline" | "notes" | "failure") => (open: boolean) => setOpened(open ? what : null);
  const { row, permissions } = run;
  const outcome = row.outcome ?? "unknown";
  const noteCount = run.notes.length + run.conflicts.length + run.omitted.notes + run.omitted.conflicts;
  const failure = failureLink(run.failure, outcome, permissions.giveFailure);
  const notes =
    row.notUnderstood > 0
      ? `${formatPlural(row.notUnderstood, "record")} not understood`
      : noteCount > 0
        ? formatPlural(noteCount, "import note")
        : null;
  const links = [
    failure !== null && <LinkButton onClick={() => setOpened("failure")}>{failure}</LinkButton>,
    notes !== null && <LinkButton onClick={() => setOpened("notes")}>{notes}</LinkButton>,
    run.folding === null && <FoldingNotMeasured onAsked={onAsked} />,
  ].filter((link) => link !== false);
  return (
    <header className="flex min-h-10 items-center gap-2 px-4 narrow:flex-wrap narrow:gap-x-2 narrow:gap-y-0 narrow:py-2">
      <h1
        title={run.title}
        className="max-w-[30ch] min-w-0 truncate medium:min-w-24 [unicode-bidi:plaintext] text-16 font-semibold tracking-[-0.01em] narrow:max-w-none narrow:flex-1"
      >
        <UntrustedText text={run.title} />
      </h1>
      <span className="ml-1 inline-flex shrink-0 items-center gap-1.5 font-medium whitespace-nowrap narrow:order-3 narrow:ml-0 narrow:w-full">
        <Mark kind={outcomeMark(row.outcome)} label={null} />
        {OUTCOME[outcome]}
        {row.exitStatus !== null && (
          <span className="max-w-48 truncate font-normal text-fg-2" title={`The trace says: ${row.exitStatus}`}>
            <UntrustedText text={row.exitStatus} />
          </span>
        )}
      </span>
      <HeaderFacts facts={facts(run)} links={links} />
      {run.shared === null && <ReimportNotice asked={asked} />}
      {permissions.attachBaseline && (
        <Button className="medium:hidden" onClick={() => setOpened("baseline")}>
          <FileArchive {...ICON} />
          {run.baseline.files > 0 ? "Baseline attached" : "Attach baseline"}
        </Button>
      )}
      {permissions.download && (
        <Button asChild className="medium:hidden">
          <a href={`${api}/upload`} download>
            <FileDown {...ICON} />
            Download upload
          </a>
        </Button>
      )}
      {permissions.share ? (
        <Button onClick={() => setOpened("share")}>
          <Share2 {...ICON} />
          Share
        </Button>
      ) : (
        <Button onClick={copyLink}>
          <LinkIcon {...ICON} />
          Copy link to #{turn + 1}
        </Button>
      )}
      {(permissions.attachBaseline || permissions.download) && (
        <span className="hidden medium:inline-flex">
          <Menu
            trigger={
              <IconButton label="More actions">
                <Ellipsis {...ICON} />
              </IconButton>
            }
          >
            {permissions.attachBaseline && (
              <MenuItem onSelect={() => setOpened("baseline")}>
                <FileArchive {...ICON} />
                Attach baseline
              </MenuItem>
            )}
            {permissions.download && (
              <MenuItem asChild>
                <a href={`${api}/upload`} download>
                  <FileDown {...ICON} />
                  Download upload
                </a>
              </MenuItem>
            )}
            {noteCount > 0 && <MenuItem onSelect={() => setOpened("notes")}>What the import says</MenuItem>}
          </Menu>
        </span>
      )}
      {opened === "notes" && <NotesDialog run={run} open onOpenChange={toggle("notes")} />}
      {opened === "failure" && <FailureDialog open onOpenChange={toggle("failure")} onReadAgain={onAsked} />}
      {permissions.share && opened === "share" && (
        <ShareDialog api={api} query={query} place={`turn ${turn + 1}`} open onOpenChange={toggle("share")} />
      )}
      {permissions.attachBaseline && opened === "baseline" && (
        <BaselineDialog
          api={api}
          known={run.files.map((file) => file.display)}
          attached={run.baseline}
          open
          onOpenChange={toggle("baseline")}
          onAttached={onAsked}
        />
      )}
    </header>
  );
}
