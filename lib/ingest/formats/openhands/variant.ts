import type { OpenedRun } from "./opened-run";

/** How many events of each shape there were; `pairs`: of an action and its observation. */
export interface Seen {
  v0: number;
  v1: number;
  viewer: number;
  reprs: number;
  pairs: number;
}

/** Names what was found: the version, what it was kept in, and whether sub-agents worked in it. */
export function variantOf(seen: Seen, { around, files }: OpenedRun, hasSubAgents: boolean): string {
  const version = seen.v1 > 0 ? "V1" : seen.v0 > 0 ? "V0" : null;
  const isFolder = files.some(({ path }) => path.endsWith("base_state.json"));
  const subAgents = hasSubAgents ? " with sub-agents" : "";
  if (around?.isRow === true)
    return `${version === null ? "" : `${version} `}evaluation${version === null ? " without events" : subAgents}`;
  if (version === null) return seen.viewer > 0 ? "viewer entries" : "Python texts";
  const pairs = seen.pairs > 0 ? " in pairs" : "";
  return `${version} ${isFolder ? "conversation" : "events"}${pairs}${subAgents}`;
}
