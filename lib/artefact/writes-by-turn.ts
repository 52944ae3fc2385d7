import type { Write } from "./model";

/** The writes of each turn that has some, in their order. */
export function writesByTurn(writes: readonly Write[]): Map<number, Write[]> {
  const groups = new Map<number, Write[]>();
  for (const write of writes) {
    const group = groups.get(write.turn);
    if (group) group.push(write);
    else groups.set(write.turn, [write]);
  }
  return groups;
}
