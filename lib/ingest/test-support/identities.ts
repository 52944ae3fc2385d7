import { type ContextItem, type Item, type Trajectory, turnsOf } from "@/lib/trajectory/schema";

/** Everything of a trajectory that has an identifier: the items of its turns, and what stands between them. */
export function thingsOf(trajectory: Trajectory): (Item | ContextItem)[] {
  const items = turnsOf(trajectory).flatMap((turn) => turn.items);
  return [...items, ...trajectory.entries.filter((entry) => entry.kind === "context")];
}

/**
 * What does not hold in a trajectory and must, whatever the bytes were: identifiers are unique, references lead somewhere,
 * arrivals are a permutation, turns are numbered in order and none is empty. Empty when all of it holds.
 */
export function brokenIdentities(trajectory: Trajectory): string[] {
  const broken: string[] = [];
  const turns = turnsOf(trajectory);
  const things = thingsOf(trajectory);
  const ids = new Set(things.map((thing) => thing.id));
  if (ids.size !== things.length) broken.push(`${things.length - ids.size} identifiers occur twice`);
  const arrivals = things.map((thing) => thing.arrival).sort((a, b) => a - b);
  if (arrivals.some((arrival, n) => arrival !== n)) broken.push(`arrivals are no permutation: ${arrivals}`);
  const agents = new Set(trajectory.agents.map((agent) => agent.id));
  if (agents.size !== trajectory.agents.length) broken.push("agents share an identifier");
  turns.forEach((turn, n) => {
    if (turn.index !== n) broken.push(`turn ${n} has the index ${turn.index}`);
    if (turn.items.length === 0) broken.push(`turn ${n} is empty`);
    if (!agents.has(turn.agent)) broken.push(`turn ${n} is of an unknown agent ${turn.agent}`);
    if (turn.parentTurn !== null && !turns[turn.parentTurn]) broken.push(`turn ${n} was started by no turn`);
    const calls = new Set(turn.items.filter((item) => item.kind === "call").map((item) => item.id));
    for (const item of turn.items) {
      if (item.kind === "result" && item.callItem !== null && !calls.has(item.callItem)) {
        broken.push(`${item.id} answers a call that is not in its turn`);
      }
    }
  });
  for (const agent of trajectory.agents) {
    if (agent.startedByTurn !== null && !turns[agent.startedByTurn]) broken.push(`${agent.id} was started by no turn`);
  }
  return broken;
}
