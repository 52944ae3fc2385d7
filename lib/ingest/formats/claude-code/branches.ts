import { isMessage, type SessionRecord } from "./records";
import { ancestors, MAIN, type Threads } from "./threads";

/**
 * Finds what a rewind left behind. Lines form trees by `parentUuid`; the path of a tree leads from its root to its last
 * message, and a message of the main thread that is not on it was left behind. Sub-agents have no rewinds. Parallel tool
 * calls fork the tree too, which is why a whole turn counts: `turnKeyOf` says which lines belong together, and a turn
 * with one line on the path is on it.
 *
 * Returns the names of the branches by turn key (`rewind 1`, `rewind 2`, in the order in which they were begun).
 */
export function findBranches(
  records: SessionRecord[],
  byUuid: Map<string, SessionRecord>,
  threads: Threads,
  turnKeyOf: (record: SessionRecord) => string | null,
): Map<string, string> {
  const rootOf = new Map<SessionRecord, SessionRecord>();
  const lastOf = new Map<SessionRecord, SessionRecord>();
  const main = records.filter((record) => record.uuid !== null && threads.keyOf(record) === MAIN);
  for (const record of main) {
    const path: SessionRecord[] = [];
    let root: SessionRecord = record;
    for (const ancestor of ancestors(record, byUuid)) {
      root = rootOf.get(ancestor) ?? ancestor;
      path.push(ancestor);
      if (rootOf.has(ancestor)) break;
    }
    for (const one of path) rootOf.set(one, root);
    if (isMessage(record)) lastOf.set(root, record);
  }
  const onPath = new Set<SessionRecord>();
  const turnsOnPath = new Set<string>();
  for (const last of lastOf.values()) {
    for (const ancestor of ancestors(last, byUuid)) {
      onPath.add(ancestor);
      const key = turnKeyOf(ancestor);
      if (key !== null) turnsOnPath.add(key);
    }
  }

  const names = new Map<string, string>();
  const starts = new Map<SessionRecord, string>();
  for (const record of main) {
    const key = record.type === "assistant" ? turnKeyOf(record) : null;
    if (key === null || turnsOnPath.has(key) || names.has(key)) continue;
    let start = record;
    for (const ancestor of ancestors(record, byUuid)) {
      const ancestorKey = turnKeyOf(ancestor);
      if (onPath.has(ancestor) || (ancestorKey !== null && turnsOnPath.has(ancestorKey))) break;
      start = ancestor;
    }
    const name = starts.get(start) ?? `rewind ${starts.size + 1}`;
    starts.set(start, name);
    names.set(key, name);
  }
  return names;
}
