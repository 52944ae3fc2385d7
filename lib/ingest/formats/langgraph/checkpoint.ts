import type { RawSpan } from "@/lib/trajectory/schema";
import type { JsonObject, JsonValue } from "../../safe-json";

/** What a task wrote into a channel after a checkpoint: it becomes part of the next one. */
export interface ChannelWrite {
  taskId: string;
  channel: string;
  value: JsonValue;
  at: RawSpan;
}

/** The values of the channels at a checkpoint, what stands beside them, and where each message stands. */
export interface ChannelValues {
  values: JsonObject;
  rest: JsonObject;
  messageAt(n: number): RawSpan;
}

/**
 * One state of a graph: a row of `checkpoints`, or a state of a JSON file. Its values are read when they are asked for,
 * because every checkpoint repeats all messages before it.
 */
export interface Checkpoint {
  id: string;
  parent: string | null;
  /** Empty for the graph itself, `node:task` (several with `|`) for a graph inside of it. */
  namespace: string;
  time: string | null;
  step: string | null;
  /** Why it was made: `input`, `loop`, `update`, `fork`. */
  source: string | null;
  /** What else is known of it, for people. */
  about: JsonObject;
  /** For a graph inside: the checkpoint of the graph around it at which it ran. */
  outer: string | null;
  at: RawSpan;
  /** Where its virtual files stand. */
  filesAt: RawSpan;
  read(): ChannelValues | { why: string };
  writes: ChannelWrite[];
}

/** The checkpoints of one namespace on the path to the last one, oldest first, and what was left behind by forks. */
export interface Path {
  kept: Checkpoint[];
  /** Each left path with its checkpoints that are on no other, oldest first. */
  left: Checkpoint[][];
}

/**
 * Orders checkpoints by their parents. The last one by its identifier (they grow with time) is where the run ended;
 * others without children end paths that a fork left behind. Parents that are missing or lead in circles end a path.
 */
export function pathOf(checkpoints: readonly Checkpoint[]): Path {
  const sorted = [...checkpoints].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const byId = new Map(sorted.map((checkpoint) => [checkpoint.id, checkpoint]));
  const parents = new Set(sorted.map(({ parent }) => parent));
  const taken = new Set<Checkpoint>();
  const pathTo = (end: Checkpoint): Checkpoint[] => {
    const path: Checkpoint[] = [];
    let next: Checkpoint | undefined = end;
    while (next !== undefined && !taken.has(next)) {
      taken.add(next);
      path.push(next);
      next = next.parent === null ? undefined : byId.get(next.parent);
    }
    return path.reverse();
  };
  const last = sorted.at(-1);
  if (last === undefined) return { kept: [], left: [] };
  const kept = pathTo(last);
  const leaves = sorted.filter(({ id }) => !parents.has(id));
  // What only circles lead to has no end of its own; it is taken as it comes.
  const left = [...leaves, ...sorted].flatMap((end) => (taken.has(end) ? [] : [pathTo(end)]));
  return { kept, left };
}
