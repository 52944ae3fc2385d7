import type { ArtefactHistory, Write } from "@/lib/artefact/model";
import type { Item, Trajectory, Turn } from "@/lib/trajectory/schema";
import { turnsOf } from "@/lib/trajectory/schema";
import { type ScratchDecision, scratchFiles } from "./scratch";
import { type TestRun, testRunsOf } from "./test-runs";

/** What the rule looks at, read once from a run. Turns that a rewind left behind take part in nothing. */
export interface RunSignals {
  history: ArtefactHistory;
  turns: Turn[];
  /** Turns on the path that the run ended on, in order. */
  path: Turn[];
  scratch: Map<string, ScratchDecision>;
  /** Writes to files that are not scratch and that took, or may have taken, effect. */
  sourceWrites: Write[];
  /** Writes of any kind that took, or may have taken, effect. */
  effectiveWrites: Write[];
  refusedWrites: Write[];
  testRuns: Map<number, TestRun[]>;
  items: Map<string, { item: Item; turn: number }>;
}

/** Reads the signals of a run in one pass over its turns and writes. */
export function readSignals(trajectory: Trajectory, history: ArtefactHistory): RunSignals {
  const turns = turnsOf(trajectory);
  const path = turns.filter((turn) => turn.branch === null);
  const onPath = new Set(path.map((turn) => turn.index));
  const scratch = scratchFiles(trajectory, history);
  const writes = history.writes.filter((write) => onPath.has(write.turn));
  const effectiveWrites = writes.filter((write) => write.status !== "refused");
  const testRuns = new Map<number, TestRun[]>();
  const items = new Map<string, { item: Item; turn: number }>();
  for (const turn of turns) {
    for (const item of turn.items) items.set(item.id, { item, turn: turn.index });
    const runs = testRunsOf(turn);
    if (runs.length > 0) testRuns.set(turn.index, runs);
  }
  return {
    history,
    turns,
    path,
    scratch,
    sourceWrites: effectiveWrites.filter((write) => scratch.get(write.path)?.isScratch !== true),
    effectiveWrites,
    refusedWrites: writes.filter((write) => write.status === "refused"),
    testRuns,
    items,
  };
}

/** The tail of a run in which the same few actions come again and again. `turns` are indices, in order. */
export interface Loop {
  turns: number[];
  distinct: number;
}

/** A loop goes round at least this often, and is at least this many turns long. */
const LOOP_ROUNDS_MIN = 3;
const LOOP_DISTINCT_MAX = 6;

/**
 * The repeated-action loop that a run ends in: the longest tail with at most six different actions in which they come
 * three times each on average. Null when the run does not end that way. A last `submit` does not break it, and turns
 * without an action stand outside it.
 */
export function endLoop(path: Turn[]): Loop | null {
  const acting: { turn: number; signature: string }[] = [];
  for (const turn of path) {
    const signature = actionSignature(turn);
    if (signature !== null) acting.push({ turn: turn.index, signature });
  }
  const last = path.findLast((turn) => actionSignature(turn) !== null);
  if (last?.items.some((item) => item.kind === "call" && item.callKind === "submit")) acting.pop();
  const seen = new Set<string>();
  let start = acting.length;
  let found: Loop | null = null;
  for (let distinct = 1; distinct <= LOOP_DISTINCT_MAX && start > 0; distinct += 1) {
    for (; start > 0; start -= 1) {
      const signature = acting[start - 1]?.signature ?? "";
      if (!seen.has(signature) && seen.size === distinct) break;
      seen.add(signature);
    }
    const tail = withoutLeadIn(acting.slice(start));
    const kinds = new Set(tail.map(({ signature }) => signature)).size;
    if (kinds > 0 && tail.length >= LOOP_ROUNDS_MIN * kinds && tail.length > (found?.turns.length ?? 0)) {
      found = { turns: tail.map(({ turn }) => turn), distinct: kinds };
    }
  }
  return found;
}

/** The loop begins with an action that comes back often enough; what leads into it is no part of it. */
function withoutLeadIn<T extends { signature: string }>(tail: T[]): T[] {
  const counts = new Map<string, number>();
  for (const { signature } of tail) counts.set(signature, (counts.get(signature) ?? 0) + 1);
  const first = tail.findIndex(({ signature }) => (counts.get(signature) ?? 0) >= LOOP_ROUNDS_MIN);
  return first === -1 ? [] : tail.slice(first);
}

/** What a turn does, word for word: its calls with their arguments. Null for a turn without a call. */
export function actionSignature(turn: Turn): string | null {
  const calls: string[] = [];
  for (const item of turn.items) {
    if (item.kind !== "call") continue;
    calls.push(
      `${item.tool}\u0000${item.text ?? ""}\u0000${item.arguments === null ? "" : JSON.stringify(item.arguments)}`,
    );
  }
  return calls.length === 0 ? null : calls.join("\u0001");
}

/** A later write to lines that the run itself had written before: the earlier write and the later one. */
export interface ReEdit {
  earlier: Write;
  later: Write;
}

/** Lines shorter than this (without white space) are too common to say that two edits touch the same place. */
const TELLING_LINE_CHARS = 8;

/** The last re-edit of each file: it takes away a telling line that an earlier write of the run had put there. */
export function reEdits(sourceWrites: Write[]): ReEdit[] {
  const lastByPath = new Map<string, ReEdit>();
  const written = new Map<string, Map<string, Write>>();
  for (const write of sourceWrites) {
    const lines = written.get(write.path) ?? new Map<string, Write>();
    written.set(write.path, lines);
    const after = new Set(tellingLines(write.fragment?.after ?? null));
    for (const line of tellingLines(write.fragment?.before ?? null)) {
      const earlier = lines.get(line);
      if (earlier === undefined || earlier.turn === write.turn || after.has(line)) continue;
      lastByPath.set(write.path, { earlier, later: write });
      break;
    }
    for (const line of after) lines.set(line, write);
  }
  return [...lastByPath.values()];
}

function tellingLines(text: string | null): string[] {
  if (text === null) return [];
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length >= TELLING_LINE_CHARS);
}
