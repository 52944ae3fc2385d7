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
