"use client";

import { type ReactNode, useId } from "react";
import { Select } from "@/components/ui/select";
import { type ListPage, type ListQuery, OUTCOMES, SORTABLE, STATUSES } from "@/lib/views/trajectory-list";
import { capitalised } from "./cell-text";
import { OUTCOME_WORDS, orderWords, STATUS_WORDS, VERDICT_WORDS } from "./list-address";

const FIELD = "h-7 w-full rounded-6 border border-line-2 bg-bg px-2 text-13 text-fg hover:border-line-3";

interface Option {
  value: string;
  words: string;
}

/** One labelled choice, a native select: it works with every keyboard and every screen reader. */
function Choice({
  label,
  value,
  options,
  onChange,
  className,
}: {
  label: string;
  value: string;
  options: Option[];
  onChange: (value: string) => void;
  className?: string;
}): ReactNode {
  const id = useId();
  return (
    <div className={className ?? "contents"}>
      <label htmlFor={id} className="text-12 leading-7 text-fg-2">
        {label}
      </label>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.words}
          </option>
        ))}
      </Select>
    </div>
  );
}

const all: Option = { value: "all", words: "Any" };

/** Every filter of the list. A change takes effect at once and is in the address. */
export function FilterPanel({
  query,
  frameworks,
  onChange,
}: {
  query: ListQuery;
  frameworks: ListPage["frameworks"];
  onChange: (change: Partial<ListQuery>) => void;
}): ReactNode {
  const turnsId = useId();
  const names =
    query.framework === "" || frameworks.includes(query.framework) ? frameworks : [query.framework, ...frameworks];
  return (
    <div className="grid w-72 grid-cols-[88px_minmax(0,1fr)] items-center gap-x-2 gap-y-2">
      <Choice
        label="Framework"
        value={query.framework}
        options={[{ value: "", words: "Any" }, ...names.map((name) => ({ value: name, words: name }))]}
        onChange={(framework) => onChange({ framework })}
      />
      <Choice
        label="Outcome"
        value={query.outcome}
        options={[all, ...OUTCOMES.map((value) => ({ value, words: OUTCOME_WORDS[value] }))]}
        onChange={(value) => onChange({ outcome: OUTCOMES.find((known) => known === value) ?? "all" })}
      />
      <Choice
        label="Verdict"
        value={query.verdict}
        options={[
          all,
          ...(["determined", "undetermined"] as const).map((value) => ({ value, words: VERDICT_WORDS[value] })),
        ]}
        onChange={(value) => onChange({ verdict: value === "determined" || value === "undetermined" ? value : "all" })}
      />
      <Choice
        label="Status"
        value={query.status}
        options={[all, ...STATUSES.map((value) => ({ value, words: STATUS_WORDS[value] }))]}
        onChange={(value) => onChange({ status: STATUSES.find((known) => known === value) ?? "all" })}
      />
      <label htmlFor={turnsId} className="text-12 leading-7 text-fg-2">
        Turns at least
      </label>
      <input
        id={turnsId}
        type="number"
        min={0}
        step={1}
        inputMode="numeric"
        placeholder="0"
        className={FIELD}
        value={query.minTurns === 0 ? "" : query.minTurns}
        onChange={(event) => {
          const turns = Math.trunc(event.target.valueAsNumber);
          onChange({ minTurns: Number.isSafeInteger(turns) && turns > 0 ? turns : 0 });
        }}
      />
      <Choice
        label="Order"
        className="hidden narrow:contents"
        value={`${query.sort} ${query.direction}`}
        options={SORTABLE.flatMap((sort) =>
          (["ascending", "descending"] as const).map((direction) => ({
            value: `${sort} ${direction}`,
            words: capitalised(orderWords({ sort, direction })),
          })),
        )}
        onChange={(value) => {
          const [sortName, direction] = value.split(" ");
          const sort = SORTABLE.find((known) => known === sortName) ?? "uploaded";
          onChange({ sort, direction: direction === "ascending" ? "ascending" : "descending" });
        }}
      />
    </div>
  );
}
