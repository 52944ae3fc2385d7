"use client";

import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { chooseFile, fileAddress } from "@/components/code/file-choice";
import { InvestigationArea } from "@/components/diagnosis/investigation-area";
import { countedReview, withShownVerdict } from "@/components/diagnosis/shown-verdict";
import { useInvestigations } from "@/components/diagnosis/use-investigations";
import { VerdictPanel } from "@/components/diagnosis/verdict-panel";
import { toast } from "@/components/ui/toast";
import type { RunView } from "@/lib/views/run";
import { turnViewSchema } from "@/lib/views/turn";
import {
  type Address,
  atTurn,
  EMPTY_ADDRESS,
  formatAddress,
  type Pane,
  paneOf,
  parseAddress,
  withPane,
} from "./address";
import { Answers } from "./answers";
import { KeyBar, NarrowBar, placeOf } from "./bars";
import { copyText } from "./copy-text";
import { FindProvider } from "./find-context";
import { flagsOf, openingTurn } from "./flags";
import { type Forensics, ForensicsProvider } from "./forensics-context";
import { TrajectoryHeader } from "./header";
import type { KeyCommand } from "./key-commands";
import { nextFlagged } from "./outline-rows";
import { Panes, viewsOf } from "./panes";
import { turnPath } from "./paths";
import { quotationsOf } from "./quotations";
import { ReadAgain } from "./read-again";
import { Timeline } from "./timeline";
import { useAddress } from "./use-address";
import { useFindState } from "./use-find-state";
import { useTurnKeys } from "./use-turn-keys";

export interface TrajectoryPageProps {
  /** The prefix of the JSON routes of this trajectory. */
  api: string;
  run: RunView;
  /** Answers that the server already has for this address, by path under the prefix. */
  initial: readonly (readonly [string, unknown])[];
  isStripClosed: boolean;
}

/** The address as a shared page has it: nothing of the investigations is there. */
const shareable = (address: Address): Address => ({ ...address, said: null, panel: null, investigation: null });

/** One trajectory: what was found, all its turns, the open turn, and the code as it was then. */
export function TrajectoryPage({ api, run: rule, initial, isStripClosed }: TrajectoryPageProps): ReactNode {
  const { address, go, href } = useAddress();
  const [answers] = useState(() => new Answers(api, initial));
  const investigations = useInvestigations(api, answers, rule.permissions.investigate, address);
  const { all, shown: investigation } = investigations;
  const { said } = address;
  const run = useMemo(() => withShownVerdict(rule, investigation, { said }), [rule, investigation, said]);
  const review = countedReview(all);
  const flags = useMemo(() => flagsOf(run.verdict, review), [run.verdict, review]);
  const diagnosis = said === "rule" ? null : (investigation?.diagnosis ?? null);
  const quotations = useMemo(() => quotationsOf(run.verdict, diagnosis), [run.verdict, diagnosis]);
  // A verdict that comes in while the page is open leads nobody away from the turn that is being read.
  const [first] = useState(() => openingTurn(run.verdict, run.strip.turns));
  const last = Math.max(0, run.strip.turns - 1);
  const turn = Math.min(last, address.turn ?? first);
  // Of very many context items not all are listed; finding leads to the others too.
  const isContextKnown =
    run.omitted.contexts > 0 || address.context === null || run.contexts.some((each) => each.n === address.context);
  const view = address.view === "raw" && !run.permissions.raw ? "code" : address.view;
  const shown: Address = useMemo(
    () => ({ ...address, view, context: isContextKnown ? address.context : null }),
    [address, view, isContextKnown],
  );

  const goTurn = useCallback(
    (next: number, how: "push" | "replace" = "push") => {
      go(atTurn(shown, Math.max(0, Math.min(last, next))), how);
    },
    [go, shown, last],
  );
  const showPane = useCallback(
    (pane: Pane) => {
      if (!window.matchMedia("(width < 40rem)").matches) return;
      // The link that was followed has changed the address already: the pane belongs to the same step.
      go(withPane(parseAddress(new URLSearchParams(window.location.search)), pane), "replace");
    },
    [go],
  );
  // The neighbours are here before they are asked for.
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const near of [turn + 1, turn - 1]) {
        if (near >= 0 && near <= last) answers.ask(turnPath(near), turnViewSchema);
      }
    }, 150);
    return () => clearTimeout(timer);
  }, [answers, turn, last]);

  const exact = useCallback((): Address => {
    const turnView = answers.value(turnPath(turn), turnViewSchema);
    const file = chooseFile(run, turnView, shown.file, shown.item);
    return { ...shown, turn, file: file === null ? null : fileAddress(run.files, file), list: EMPTY_ADDRESS.list };
  }, [answers, turn, run, shown]);
  const copyLink = useCallback(() => {
    void copyText(`${window.location.origin}${href(exact())}`, `Link to #${turn + 1} copied`);
  }, [href, exact, turn]);

  const find = useFindState({ api, answers, run, address: shown, turn, go });
  const [asked, setAsked] = useState(0);
  const onAsked = () => setAsked((count) => count + 1);
  const [areCandidatesOpen, setCandidatesOpen] = useState(false);
  useTurnKeys((command: KeyCommand, isHeld) => {
    const how = isHeld ? "replace" : "push";
    const flagged = new Set(flags.keys());
    const jump = (to: number | null, none: string) => (to === null ? toast(none) : goTurn(to, how));
    if (command === "next") goTurn(turn + 1, how);
    else if (command === "previous") goTurn(turn - 1, how);
    else if (command === "first") goTurn(0);
    else if (command === "last") goTurn(last);
    else if (command === "next-flagged") jump(nextFlagged(flagged, turn, 1), "No flagged turn after this one");
    else if (command === "previous-flagged") jump(nextFlagged(flagged, turn, -1), "No flagged turn before this one");
    else if (command === "copy-link") copyLink();
    else if (command === "find") find.openBar();
    else if (command === "close") {
      if (find.words !== null) find.close();
      else if (shown.context !== null || shown.item !== null) go({ ...shown, context: null, item: null, at: null });
      else if (shown.panel !== null) go({ ...shown, panel: null });
      else setCandidatesOpen(false);
    } else {
      const wanted = viewsOf(run)[Number(command.slice(-1)) - 1];
      if (wanted) go({ ...shown, turn, view: wanted, context: null });
    }
  });

  const value: Forensics = {
    run,
    api,
    answers,
    address: shown,
    turn,
    flags,
    quotations,
    go,
    goTurn,
    href,
    copyLink,
    pane: paneOf(shown),
    showPane,
  };
  return (
    <ForensicsProvider value={value}>
      <main className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)_auto] narrow:block narrow:pb-14">
        <div className="border-b border-line">
          <TrajectoryHeader query={formatAddress(shareable(exact()))} asked={asked} onAsked={onAsked} />
          {run.permissions.investigate ? (
            <InvestigationArea
              rule={rule}
              state={investigations}
              help={<ReadAgain onAsked={onAsked} />}
              areCandidatesOpen={areCandidatesOpen}
              onCandidatesOpen={setCandidatesOpen}
              onAsked={onAsked}
            />
          ) : (
            <VerdictPanel
              sentence={rule.sentence}
              verdict={rule.verdict}
              isOpen={areCandidatesOpen}
              onOpenChange={setCandidatesOpen}
            />
          )}
        </div>
        <Timeline initiallyClosed={isStripClosed} />
        <FindProvider value={find}>
          <Panes />
        </FindProvider>
        <KeyBar place={placeOf(href({ ...exact(), list: shown.list }))} />
        <NarrowBar />
      </main>
    </ForensicsProvider>
  );
}
