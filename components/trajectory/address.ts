import { FIND_MAX_CHARS } from "@/lib/views/find";

/** The main views of a trajectory page, in the order of their keys `1`..`3`. */
export const VIEWS = ["code", "files", "raw"] as const;
export type View = (typeof VIEWS)[number];

/** Which rows the outline shows. */
export const OUTLINE_FILTERS = ["all", "flagged", "writes"] as const;
export type OutlineFilter = (typeof OUTLINE_FILTERS)[number];

/** The panes of the turn and its code; a page of one column shows one of them, behind tabs. */
export const PANES = ["outline", "turn", "code"] as const;
export type Pane = (typeof PANES)[number];

/** The panels of the verdict that can be open: all of what a model said, or how it came to it. */
export const PANELS = ["verdict", "trail"] as const;
export type Panel = (typeof PANELS)[number];

/** How results are folded: our rule by parts, the paper's, or not at all. */
export const FOLD_MODES = ["parts", "paper", "off"] as const;
export type FoldMode = (typeof FOLD_MODES)[number];

/** Everything a trajectory page shows that a person chose. Null means: the page's own choice. */
export interface Address {
  /** 0-based; the address shows it 1-based. */
  turn: number | null;
  view: View;
  /** A file's shown name or path. */
  file: string | null;
  /** 1-based line of the right side. */
  line: number | null;
  from: "before" | "baseline";
  to: "after" | "final";
  /** A context item opened in place of the turn. */
  context: number | null;
  list: OutlineFilter;
  /** An item whose quotation is asked for, and where in it that begins, in UTF-16 units; null for the item's first one. */
  item: string | null;
  at: number | null;
  /** The tab of a page of one column. */
  pane: Pane | null;
  fold: FoldMode;
  /** Whose verdict is shown: null for the model's where there is one. */
  said: "rule" | null;
  panel: Panel | null;
  /** Another investigation than the last one. */
  investigation: string | null;
  /** What is looked for in all turns, and whether its letters have to be of the same case. */
  find: string | null;
  findCase: boolean;
  /** The match that is open: where it begins in a text of the turn or of the context item. */
  match: AddressMatch | null;
}

/** `offset` counts UTF-16 units. */
export interface AddressMatch {
  item: string;
  field: "text" | "arguments";
  offset: number;
}

export const EMPTY_ADDRESS: Address = {
  turn: null,
  view: "code",
  file: null,
  line: null,
  from: "before",
  to: "after",
  context: null,
  list: "all",
  item: null,
  at: null,
  pane: null,
  fold: "parts",
  said: null,
  panel: null,
  investigation: null,
  find: null,
  findCase: false,
  match: null,
};

const FILE_MAX_CHARS = 4_096;
const ITEM_MAX_CHARS = 100;

function wholeNumber(text: string | null, least: number): number | null {
  if (text === null || !/^\d{1,9}$/.test(text)) return null;
  const value = Number(text);
  return value >= least ? value : null;
}

function oneOf<T extends string | null>(text: string | null, allowed: readonly T[], fallback: T): T {
  return allowed.find((value) => value === text) ?? fallback;
}

function limited(text: string | null, maxChars: number): string | null {
  return text === null || text === "" || text.length > maxChars ? null : text;
}

/**
 * Reads what an address says. Anything that cannot be read falls back to the page's own choice, so that an old or
 * mistyped link still opens.
 */
export function parseAddress(search: URLSearchParams): Address {
  const turn = wholeNumber(search.get("turn"), 1);
  const item = limited(search.get("item"), ITEM_MAX_CHARS);
  return {
    turn: turn === null ? null : turn - 1,
    view: oneOf(search.get("view"), VIEWS, EMPTY_ADDRESS.view),
    file: limited(search.get("file"), FILE_MAX_CHARS),
    line: wholeNumber(search.get("line"), 1),
    from: oneOf(search.get("from"), ["before", "baseline"], EMPTY_ADDRESS.from),
    to: oneOf(search.get("to"), ["after", "final"], EMPTY_ADDRESS.to),
    context: wholeNumber(search.get("context"), 0),
    list: oneOf(search.get("list"), OUTLINE_FILTERS, EMPTY_ADDRESS.list),
    item,
    at: item === null ? null : wholeNumber(search.get("at"), 0),
    pane: oneOf(search.get("pane"), [...PANES, null], EMPTY_ADDRESS.pane),
    fold: oneOf(search.get("fold"), FOLD_MODES, EMPTY_ADDRESS.fold),
    said: oneOf(search.get("said"), ["rule", null], EMPTY_ADDRESS.said),
    panel: oneOf(search.get("panel"), [...PANELS, null], EMPTY_ADDRESS.panel),
    investigation: limited(search.get("investigation"), ITEM_MAX_CHARS),
    ...parseFind(search),
  };
}

function parseFind(search: URLSearchParams): Pick<Address, "find" | "findCase" | "match"> {
  const find = limited(search.get("find"), FIND_MAX_CHARS);
  if (find === null) return { find, findCase: false, match: null };
  const [, offset, field, item] = /^(\d{1,9})\.(text|arguments)\.(.{1,100})$/u.exec(search.get("match") ?? "") ?? [];
  return {
    find,
    findCase: search.get("case") === "match",
    match: item === undefined ? null : { item, field: field === "text" ? "text" : "arguments", offset: Number(offset) },
  };
}

/** The query of an address without its `?`; values that are the default are left out. Slashes of paths stay readable. */
export function formatAddress(address: Address): string {
  const parts: string[] = [];
  const add = (name: string, value: string) =>
    parts.push(`${name}=${encodeURIComponent(value.toWellFormed()).replaceAll("%2F", "/")}`);
  if (address.turn !== null) add("turn", String(address.turn + 1));
  if (address.context !== null) add("context", String(address.context));
  if (address.view !== EMPTY_ADDRESS.view || address.file !== null) add("view", address.view);
  if (address.file !== null) add("file", address.file);
  if (address.line !== null) add("line", String(address.line));
  if (address.from !== EMPTY_ADDRESS.from) add("from", address.from);
  if (address.to !== EMPTY_ADDRESS.to) add("to", address.to);
  if (address.item !== null) add("item", address.item);
  if (address.item !== null && address.at !== null) add("at", String(address.at));
  if (address.list !== EMPTY_ADDRESS.list) add("list", address.list);
  if (address.pane !== null) add("pane", address.pane);
  if (address.fold !== EMPTY_ADDRESS.fold) add("fold", address.fold);
  if (address.said !== null) add("said", address.said);
  if (address.panel !== null) add("panel", address.panel);
  if (address.investigation !== null) add("investigation", address.investigation);
  if (address.find !== null) {
    const { match } = address;
    add("find", address.find);
    if (address.findCase) add("case", "match");
    if (match !== null) add("match", `${match.offset}.${match.field}.${match.item}`);
  }
  return parts.join("&");
}

/** The pane that a page of one column shows: the one that was chosen, else the code when a line of it is asked for. */
export function paneOf(address: Address): Pane {
  return address.pane ?? (address.line === null ? "turn" : "code");
}

/** The address with a pane chosen; one that would be shown anyway is left out. */
export function withPane(address: Address, pane: Pane): Address {
  return { ...address, pane: paneOf({ ...address, pane: null }) === pane ? null : pane };
}

/** The address after going to a turn: what belonged to the old turn (file, line, item, context, match) is let go. */
export function atTurn(address: Address, turn: number): Address {
  const { view, from, to, list, pane, fold, find, findCase, said, panel, investigation } = address;
  return { ...EMPTY_ADDRESS, view, from, to, list, pane, fold, find, findCase, said, panel, investigation, turn };
}

/** The address in another trajectory: how it is looked at stays, what belonged to this one is let go. */
export function atTrajectory(address: Address): Address {
  return { ...atTurn(address, 0), turn: null, panel: null, investigation: null };
}

/**
 * The address of a match: its turn, or the context item that it stands in, with the match open. In the open turn, its file
 * and line stay.
 * @param turns how many turns the run has: what stands behind the last one is shown with that.
 */
export function atMatch(
  address: Address,
  open: { turn: number; turns: number },
  place: { turn: number; context: number | null },
  match: AddressMatch,
): Address {
  const turn = Math.max(0, Math.min(place.turn, open.turns - 1));
  const there = turn === open.turn ? address : atTurn(address, turn);
  const { item, field, offset } = match;
  const shown: Address = { ...there, turn, view: "code", context: place.context, item: null, at: null };
  return withPane({ ...shown, match: { item, field, offset } }, "turn");
}
