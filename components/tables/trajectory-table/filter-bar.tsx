"use client";

import { ListFilter, Plus, Search, X } from "lucide-react";
import { type ReactNode, type RefObject, useCallback, useEffect, useState } from "react";
import { formatCount } from "@/components/trajectory/numbers";
import { Button, LinkButton } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { Popover } from "@/components/ui/popover";
import type { ListPage, ListQuery } from "@/lib/views/trajectory-list";
import { FilterPanel } from "./filter-panel";
import { activeFilters } from "./list-address";

/** Typing settles for this long before the server is asked. */
const SETTLE_MS = 200;

/** The fields that take letters one by one. */
export type TypedField = "q" | "minTurns";

export interface FilterBarProps {
  query: ListQuery;
  page: ListPage;
  box: RefObject<HTMLInputElement | null>;
  /** `typed` names the field that is being typed into: the address is replaced then, not added to. */
  onChange: (change: Partial<ListQuery>, typed: TypedField | null) => void;
  onClear: () => void;
}

/** The filter box, one chip a filter, the panel of all filters, and how many match. */
export function FilterBar({ query, page, box, onChange, onClear }: FilterBarProps): ReactNode {
  const filters = activeFilters(query, page.file?.name);
  const onWords = useCallback((q: string) => onChange({ q }, "q"), [onChange]);
  const isFiltered = filters.length > 0 || query.q !== "";
  const panel = (
    <FilterPanel
      query={query}
      frameworks={page.frameworks}
      onChange={(change) => onChange(change, "minTurns" in change ? "minTurns" : null)}
    />
  );
  return (
    <div className="flex items-center gap-2 px-4 pb-2">
      <FilterBox words={query.q} box={box} onWords={onWords} />
      <span className="flex min-w-0 flex-wrap gap-2 narrow:hidden">
        {filters.map((filter) => (
          <span
            key={filter.key}
            className="inline-flex h-7 items-stretch overflow-hidden rounded-6 border border-line-2 leading-[26px] whitespace-nowrap"
          >
            <span className="px-2 text-fg-2">{filter.field}</span>
            <span className="border-l border-line-2 px-1.5 text-fg-3">{filter.operator}</span>
            <span className="max-w-48 truncate border-l border-line-2 px-2 font-medium">{filter.value}</span>
            <button
              type="button"
              aria-label={`Remove filter ${filter.field}`}
              onClick={() => onChange(filter.clear, null)}
              className="flex items-center border-l border-line-2 px-1.5 text-fg-3 hover:bg-bg-hover hover:text-fg"
            >
              <X aria-hidden strokeWidth={1.75} className="size-3.5" />
            </button>
          </span>
        ))}
        <Popover
          label="Filters"
          trigger={
            <Button look="ghost">
              <Plus aria-hidden strokeWidth={1.75} />
              Filter
            </Button>
          }
        >
          {panel}
        </Popover>
      </span>
      <span className="hidden narrow:block">
        <Popover
          label="Filters"
          align="end"
          trigger={
            <Button>
              <ListFilter aria-hidden strokeWidth={1.75} />
              Filters
              {filters.length > 0 && <span className="mono text-12">{filters.length}</span>}
            </Button>
          }
        >
          {panel}
          {isFiltered && (
            <LinkButton className="mt-3" onClick={onClear}>
              Clear all
            </LinkButton>
          )}
        </Popover>
      </span>
      <span className="flex-1 narrow:hidden" />
      <span className="text-fg-3 whitespace-nowrap narrow:hidden" role="status">
        {isFiltered && `${formatCount(page.matching)} of ${formatCount(page.total)}`}
      </span>
      {isFiltered && (
        <LinkButton className="narrow:hidden" onClick={onClear}>
          Clear all
        </LinkButton>
      )}
    </div>
  );
}

/** Words for name and task. Keeps what is typed while the address follows behind. */
function FilterBox({
  words,
  box,
  onWords,
}: {
  words: string;
  box: RefObject<HTMLInputElement | null>;
  onWords: (words: string) => void;
}): ReactNode {
  const [typed, setTyped] = useState(words);
  const [sent, setSent] = useState(words);
  const [seen, setSeen] = useState(words);
  // Back, Clear all and links change the words from outside. What was sent from here comes back too, and is no news.
  if (seen !== words) {
    setSeen(words);
    if (words !== sent) {
      setSent(words);
      setTyped(words);
    }
  }
  useEffect(() => {
    if (typed === sent) return;
    const timer = setTimeout(() => {
      setSent(typed);
      onWords(typed);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed, sent, onWords]);
  return (
    <label className="flex h-7 w-58 shrink-0 items-center gap-2 rounded-6 border border-line-2 pr-1 pl-2 text-fg-3 focus-within:border-accent focus-within:outline-1 focus-within:-outline-offset-2 focus-within:outline-accent hover:border-line-3 narrow:w-auto narrow:min-w-0 narrow:flex-1 narrow:shrink">
      <Search aria-hidden strokeWidth={1.75} className="size-3.5 shrink-0" />
      <input
        ref={box}
        type="search"
        aria-label="Filter by name or task"
        placeholder="Filter by name or task"
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          if (typed === "") event.currentTarget.blur();
          else setTyped("");
        }}
        className="min-w-0 flex-1 appearance-none text-fg outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      {typed === "" && <Kbd className="narrow:hidden">/</Kbd>}
    </label>
  );
}
