import { formatCount } from "@/components/trajectory/numbers";
import { type ListQuery, listQuerySchema, type SORTABLE } from "@/lib/views/trajectory-list";

export type SortKey = (typeof SORTABLE)[number];

/** What the address of the list says; anything that cannot be read falls back to the default. */
export function parseListAddress(search: Iterable<[string, string]>): ListQuery {
  return listQuerySchema.parse(Object.fromEntries(search));
}

/** As `parseListAddress`, from the query as a page gets it; a name that stands there twice says nothing. */
export function parseListSearch(search: Record<string, string | string[] | undefined>): ListQuery {
  return parseListAddress(
    Object.entries(search).flatMap(([key, value]): [string, string][] =>
      typeof value === "string" ? [[key, value]] : [],
    ),
  );
}

/** The list with nothing chosen. */
export const DEFAULT_QUERY: ListQuery = parseListAddress([]);

/** The query string of a list without its `?`; defaults are left out, so the plain list has a plain address. */
export function formatListAddress(query: ListQuery): string {
  const search = new URLSearchParams();
  const put = <Key extends keyof ListQuery>(key: Key): void => {
    if (query[key] !== DEFAULT_QUERY[key]) search.set(key, String(query[key]));
  };
  put("file");
  put("q");
  put("status");
  put("outcome");
  put("verdict");
  put("framework");
  put("minTurns");
  put("sort");
  put("direction");
  put("page");
  put("size");
  return search.toString();
}

/** One active filter, for its chip: `Turns | at least | 20`. `clear` is what the query becomes without it. */
export interface ActiveFilter {
  key: "file" | "status" | "outcome" | "verdict" | "framework" | "minTurns";
  field: string;
  operator: string;
  value: string;
  clear: Partial<ListQuery>;
}

export const STATUS_WORDS = {
  queued: "Queued",
  importing: "Importing",
  ready: "Ready",
  failed: "Import failed",
  several: "Several runs",
} as const;
export const OUTCOME_WORDS = { failed: "Failed", resolved: "Resolved", unknown: "Unknown" } as const;
export const VERDICT_WORDS = { determined: "Determined", undetermined: "Undetermined" } as const;

/**
 * The filters that are on, in the order of the columns. The words in the filter box are not among them.
 * @param fileName of the file that is asked for, when it is known
 */
export function activeFilters(query: ListQuery, fileName: string = query.file): ActiveFilter[] {
  const filters: ActiveFilter[] = [];
  if (query.file !== "") {
    filters.push({ key: "file", field: "File", operator: "is", value: fileName, clear: { file: "" } });
  }
  if (query.framework !== "") {
    const value = query.framework;
    filters.push({ key: "framework", field: "Framework", operator: "is", value, clear: { framework: "" } });
  }
  if (query.outcome !== "all") {
    const value = OUTCOME_WORDS[query.outcome];
    filters.push({ key: "outcome", field: "Outcome", operator: "is", value, clear: { outcome: "all" } });
  }
  if (query.minTurns > 0) {
    const value = formatCount(query.minTurns);
    filters.push({ key: "minTurns", field: "Turns", operator: "at least", value, clear: { minTurns: 0 } });
  }
  if (query.verdict !== "all") {
    const value = VERDICT_WORDS[query.verdict];
    filters.push({ key: "verdict", field: "Verdict", operator: "is", value, clear: { verdict: "all" } });
  }
  if (query.status !== "all") {
    const value = STATUS_WORDS[query.status];
    filters.push({ key: "status", field: "Status", operator: "is", value, clear: { status: "all" } });
  }
  return filters;
}

/** The query without filters and words; order and page size stay. */
export function withoutFilters(query: ListQuery): ListQuery {
  return { ...DEFAULT_QUERY, sort: query.sort, direction: query.direction, size: query.size };
}

/** A changed filter or order starts at the first page again. */
export function changed(query: ListQuery, change: Partial<ListQuery>): ListQuery {
  return { ...query, page: 1, ...change };
}

// What a person wants to see first: the most turns, the newest; but names from A.
const DESCENDING_FIRST: ReadonlySet<SortKey> = new Set(["turns", "writes", "uploaded"]);

/** The order after a click on a column's head: its natural direction first, then the other one. */
export function nextSort(query: ListQuery, column: SortKey): ListQuery {
  const first = DESCENDING_FIRST.has(column) ? "descending" : "ascending";
  if (query.sort !== column) return changed(query, { sort: column, direction: first });
  return changed(query, { direction: query.direction === "ascending" ? "descending" : "ascending" });
}

const ORDER_WORDS: Record<SortKey, [ascending: string, descending: string]> = {
  name: ["by name", "by name, from Z"],
  framework: ["by framework", "by framework, from Z"],
  task: ["by task", "by task, from Z"],
  outcome: ["by outcome", "by outcome, reversed"],
  turns: ["fewest turns first", "most turns first"],
  writes: ["fewest writes first", "most writes first"],
  verdict: ["earliest verdict first", "latest verdict first"],
  status: ["by status", "by status, reversed"],
  uploaded: ["oldest first", "newest first"],
};

/** How the results are ordered, in words. What came in one file came at one time. */
export function orderWords(query: Pick<ListQuery, "sort" | "direction">, isOneFile = false): string {
  if (isOneFile && query.sort === "uploaded") return "in the order of the file";
  return ORDER_WORDS[query.sort][query.direction === "ascending" ? 0 : 1];
}
