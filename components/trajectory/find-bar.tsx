"use client";

import { ArrowDown, ArrowUp, CaseSensitive, List, Search, Square, X } from "lucide-react";
import dynamic from "next/dynamic";
import { type KeyboardEvent, type ReactNode, useEffect, useState } from "react";
import { LinkButton } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { FIND_MAX_CHARS } from "@/lib/views/find";
import { useFind } from "./find-context";
import { countWords, progressWords, spokenWords } from "./find-words";

/** Fetched when something is looked for. */
const FindList = dynamic(() => import("./find-list").then((found) => found.FindList));

/** Typing settles for this long before the server is asked; Enter does not wait. */
const SETTLE_MS = 150;

const ICON = { "aria-hidden": true, strokeWidth: 1.75 } as const;

/** The field of finding with its counts and its list: right of the views, on a narrow page two rows of their own. */
export function FindBar({ isNarrow = false }: { isNarrow?: boolean }): ReactNode {
  const { words, progress, current, ordinal, open } = useFind();
  const [isListOpen, setListOpen] = useState(false);
  const isFinding = words !== null;
  const turn = current === null ? null : (open?.place.turn ?? null);
  return (
    <search
      aria-label="Find in all turns"
      className={cn(
        "flex items-center",
        isNarrow
          ? "relative flex-wrap border-t border-line bg-bg"
          : "ml-auto min-w-0 flex-1 justify-end gap-1 pr-3 pl-2 narrow:hidden",
      )}
    >
      {isFinding && !isNarrow && <Steps isListOpen={isListOpen} onListOpen={setListOpen} />}
      <FindField isNarrow={isNarrow} onTyped={() => setListOpen(!isNarrow)} onList={() => setListOpen(true)} />
      {isFinding && isNarrow && (
        <div className="flex h-10 w-full items-center gap-1 border-t border-line pr-2 pl-4">
          <Steps isListOpen={isListOpen} onListOpen={setListOpen} />
        </div>
      )}
      <span role="status" className="hidden-text">
        {spokenWords(progress, ordinal, turn)}
      </span>
      {isFinding && isListOpen && <FindList isNarrow={isNarrow} onGone={() => setListOpen(false)} />}
    </search>
  );
}

/** The counts, how far the search is, and the buttons of its steps. */
function Steps({ isListOpen, onListOpen }: { isListOpen: boolean; onListOpen: (isOpen: boolean) => void }): ReactNode {
  const { progress, step, isStepping } = useFind();
  const none = progress === null || progress.found.count === 0;
  return (
    <>
      <Counts />
      {isStepping && <span className="hidden-text">Searching on for the next match</span>}
      <span className="flex shrink-0 narrow:[&_button]:size-9">
        <IconButton
          label="Previous match"
          disabled={none}
          aria-keyshortcuts="Shift+Enter"
          onClick={() => step(-1, false)}
        >
          <ArrowUp {...ICON} />
        </IconButton>
        <IconButton label="Next match" disabled={none} aria-keyshortcuts="Enter" onClick={() => step(1, false)}>
          <ArrowDown {...ICON} />
        </IconButton>
        <IconButton
          label="List of matches"
          disabled={none}
          aria-expanded={isListOpen && !none}
          className={isListOpen && !none ? "bg-accent-bg text-accent" : undefined}
          onClick={() => onListOpen(!isListOpen)}
        >
          <List {...ICON} />
        </IconButton>
      </span>
    </>
  );
}

function Counts(): ReactNode {
  const { progress, ordinal, open, stop, goOn } = useFind();
  const failure = progress?.status === "failed" ? progress.message : open?.state === "failed" ? open.message : null;
  if (progress === null)
    return <span className="min-w-0 flex-1 text-right text-12 text-fg-3 narrow:text-left">Searching</span>;
  const far = progressWords(progress);
  return (
    <span className="flex min-w-0 flex-1 items-center justify-end gap-2 text-12 whitespace-nowrap text-fg-3 narrow:justify-start">
      {failure !== null && (
        <span role="alert" className="min-w-0 truncate" title={failure}>
          {failure}
        </span>
      )}
      {failure === null && far !== null && progress.found.count > 0 && (
        <span className="min-w-0 truncate max-xl:hidden narrow:block">{far}</span>
      )}
      <span className="shrink-0 text-fg-2">
        {failure === null && far !== null && progress.found.count === 0 ? far : countWords(progress, ordinal)}
      </span>
      {progress.status === "searching" && (
        <IconButton small label="Stop searching" onClick={stop}>
          <Square {...ICON} className="fill-current" />
        </IconButton>
      )}
      {failure !== null && <LinkButton onClick={goOn}>Try again</LinkButton>}
      {progress.status === "stopped" && <LinkButton onClick={goOn}>Go on</LinkButton>}
    </span>
  );
}

/** The words. Keeps what is typed while the address follows behind. */
function FindField({
  isNarrow,
  onTyped,
  onList,
}: {
  isNarrow: boolean;
  onTyped: () => void;
  onList: () => void;
}): ReactNode {
  const { words, look, step, close, field, rememberFocus } = useFind();
  const shown = words?.words ?? "";
  const matchCase = words?.matchCase ?? false;
  const [typed, setTyped] = useState(shown);
  const [sent, setSent] = useState(shown);
  const [seen, setSeen] = useState(shown);
  const [isStepWanted, setStepWanted] = useState(false);
  // Back and links change the words from outside. What was sent from here comes back too, and is no news.
  if (seen !== shown) {
    setSeen(shown);
    if (shown !== sent) {
      setSent(shown);
      setTyped(shown);
    }
  }
  const send = (text: string): void => {
    setSent(text);
    look(text, matchCase);
  };
  useEffect(() => {
    if (typed === sent) return;
    const timer = setTimeout(() => {
      setSent(typed);
      look(typed, matchCase);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed, sent, look, matchCase]);
  useEffect(() => {
    if (!isStepWanted || words === null || words.words !== typed) return;
    setStepWanted(false);
    step(1, false);
  }, [isStepWanted, words, typed, step]);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      setTyped("");
      setSent("");
      close();
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (typed === "") return;
      if (typed === shown) step(event.shiftKey ? -1 : 1, event.repeat);
      else {
        send(typed);
        setStepWanted(true);
      }
    } else if (event.key === "ArrowDown" && typed !== "") {
      event.preventDefault();
      onList();
    }
  };
  return (
    <label
      className={cn(
        "flex items-center gap-1.5 text-fg-3",
        isNarrow
          ? "h-11 w-full pr-2 pl-4"
          : "h-7 w-58 shrink-0 rounded-6 border border-line-2 bg-bg pr-1 pl-2 focus-within:border-accent focus-within:outline-1 focus-within:-outline-offset-2 focus-within:outline-accent hover:border-line-3 max-lg:w-44",
      )}
    >
      <Search {...ICON} className="size-3.5 shrink-0" />
      <input
        ref={field}
        type="search"
        aria-label="Find in all turns"
        placeholder="Find in all turns"
        autoComplete="off"
        spellCheck={false}
        maxLength={FIND_MAX_CHARS}
        value={typed}
        onFocus={(event) => rememberFocus(event.relatedTarget)}
        onChange={(event) => {
          setTyped(event.target.value);
          onTyped();
        }}
        onKeyDown={onKeyDown}
        className="min-w-0 flex-1 appearance-none text-13 text-fg outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      {typed !== "" && (
        <IconButton
          small={!isNarrow}
          label="Match case"
          aria-pressed={matchCase}
          className="size-5 rounded-4 aria-pressed:bg-accent-bg aria-pressed:text-accent narrow:size-9"
          onClick={() => {
            setSent(typed);
            look(typed, !matchCase);
          }}
        >
          <CaseSensitive {...ICON} />
        </IconButton>
      )}
      {typed !== "" || isNarrow ? (
        <IconButton
          small={!isNarrow}
          label="Close find"
          className="size-5 rounded-4 narrow:size-9"
          onClick={() => {
            setTyped("");
            setSent("");
            close();
          }}
        >
          <X {...ICON} />
        </IconButton>
      ) : (
        <Kbd>/</Kbd>
      )}
    </label>
  );
}
