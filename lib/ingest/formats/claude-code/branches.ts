import { isMessage, type SessionRecord } from "./records";
import { MAIN } from "./threads";

/**
 * Finds what a rewind left behind. Lines form trees by `parentUuid`; the path of a tree leads from its root to its last
 * message, and a message of the main thread that is not on it was left behind. Sub-agents have no rewinds. Parallel tool
 * calls fork the tree too, which is why a whole turn counts: a turn with one line on the path is on it.
 *
 * Returns the names of the branches by turn key (`rewind 1`, `rewind 2`, in the order in which they were begun). Linear
 * in the number of lines; a circle of parents ends where it is met again.
 */
export function findBranches(records: SessionRecord[], byUuid: Map<string, SessionRecord>): Map<string, string> {
  const main = records.filter((record) => record.uuid !== null && record.thread === MAIN);
  const parentOf = (record: SessionRecord): SessionRecord | undefined =>
    record.parent === null ? undefined : byUuid.get(record.parent);
  const onPath = new Set<SessionRecord>();
  const turnsOnPath = new Set<string>();
  for (const last of lastMessages(main, parentOf)) {
    for (let at: SessionRecord | undefined = last; at && !onPath.has(at); at = parentOf(at)) {
      onPath.add(at);
      if (at.turnKey !== null) turnsOnPath.add(at.turnKey);
    }
  }
  const isKept = (record: SessionRecord): boolean =>
    onPath.has(record) || (record.turnKey !== null && turnsOnPath.has(record.turnKey));

  const names = new Map<string, string>();
  const branchOf = new Map<SessionRecord, string>();
  let branches = 0;
  for (const record of main) {
    if (record.turnKey === null || isKept(record) || names.has(record.turnKey)) continue;
    const path: SessionRecord[] = [];
    const seen = new Set<SessionRecord>();
    let at: SessionRecord | undefined = record;
    while (at && !isKept(at) && !branchOf.has(at) && !seen.has(at)) {
      seen.add(at);
      path.push(at);
      at = parentOf(at);
    }
    const name = (at && branchOf.get(at)) ?? `rewind ${++branches}`;
    for (const one of path) branchOf.set(one, name);
    names.set(record.turnKey, name);
  }
  return names;
}

/** The last message of each tree, in the order of the file. */
function lastMessages(
  main: SessionRecord[],
  parentOf: (record: SessionRecord) => SessionRecord | undefined,
): Iterable<SessionRecord> {
  const rootOf = new Map<SessionRecord, SessionRecord>();
  const lastOf = new Map<SessionRecord, SessionRecord>();
  for (const record of main) {
    const path: SessionRecord[] = [];
    let at: SessionRecord = record;
    while (!rootOf.has(at)) {
      // Its own root until the walk ends.
      rootOf.set(at, at);
      path.push(at);
      const parent = parentOf(at);
      if (!parent) break;
      at = parent;
    }
    const root = rootOf.get(at) ?? at;
    for (const one of path) rootOf.set(one, root);
    if (isMessage(record)) lastOf.set(root, record);
  }
  return lastOf.values();
}
