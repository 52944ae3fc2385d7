import type { ArtefactHistory, Write } from "@/lib/artefact/model";
import { scratchFiles } from "@/lib/investigator/scratch";
import { type TestRun, testRunsOf } from "@/lib/investigator/test-runs";
import type { Verdict } from "@/lib/investigator/verdict";
import { type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import { type Activity, activityOf, hasFailedResult, turnSizeChars } from "./activity";

/** The timeline strip: one character a turn in every lane. The letters are those of lib/views/strip.ts. */
export interface PackedStrip {
  turns: number;
  activity: string;
  size: string;
  write: string;
  test: string;
  error: string;
  suspicion: string;
  agent: string;
}

const ACTIVITY_LETTER: Record<Activity, string> = {
  read: "r",
  search: "s",
  write: "w",
  execute: "x",
  test: "t",
  delegate: "d",
  submit: "m",
  think: "k",
  other: "o",
};
const AGENT_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Packs the strip of a run. Everything is told from the trajectory, its history and the verdict; null means none yet. */
export function packStrip(trajectory: Trajectory, history: ArtefactHistory, verdict: Verdict | null): PackedStrip {
  const turns = turnsOf(trajectory);
  const scratch = scratchFiles(trajectory, history);
  const isScratch = (write: Write) => scratch.get(write.path)?.isScratch === true;
  const writes = new Map<number, Write[]>();
  for (const write of history.writes) {
    const group = writes.get(write.turn);
    if (group === undefined) writes.set(write.turn, [write]);
    else group.push(write);
  }
  const suspicion = new Map(verdict?.suspicion.map(({ turn, value }) => [turn, value]) ?? []);
  const agents = new Map(trajectory.agents.map((agent, i) => [agent.id, i]));
  const strip: PackedStrip = {
    turns: turns.length,
    activity: "",
    size: "",
    write: "",
    test: "",
    error: "",
    suspicion: "",
    agent: "",
  };
  for (const turn of turns) {
    const own = writes.get(turn.index) ?? [];
    strip.activity += ACTIVITY_LETTER[activityOf(turn, own)];
    strip.size += sizeDigit(turnSizeChars(turn));
    strip.write += writeLetter(own, isScratch);
    strip.test += testLetter(testRunsOf(turn));
    strip.error += hasFailedResult(turn) ? "e" : ".";
    strip.suspicion += String(Math.min(9, Math.max(0, Math.floor((suspicion.get(turn.index) ?? 0) * 10))));
    strip.agent += AGENT_LETTERS[Math.min(AGENT_LETTERS.length - 1, agents.get(turn.agent) ?? 0)] ?? "0";
  }
  return strip;
}

/** 0 up to 64 characters, then one more for every factor of four, at most 9. */
export function sizeDigit(chars: number): string {
  let digit = 0;
  for (let limit = 64; digit < 9 && chars > limit; limit *= 4) digit += 1;
  return String(digit);
}

/** The strongest write of the turn: delivered file, scratch file, opaque, refused only. */
function writeLetter(writes: Write[], isScratch: (write: Write) => boolean): string {
  if (writes.length === 0) return ".";
  const known = writes.filter((write) => write.status === "applied" || write.status === "assumed");
  if (known.some((write) => !isScratch(write))) return "w";
  if (known.length > 0) return "c";
  return writes.some((write) => write.status === "opaque") ? "o" : "r";
}

/** Failures of any run of the turn show; a run whose result cannot be read is never counted as passed. */
function testLetter(runs: TestRun[]): string {
  if (runs.length === 0) return ".";
  if (runs.some((run) => run.outcome === "failed")) return "f";
  return runs.some((run) => run.outcome === "unread") ? "u" : "p";
}

/** Characters of the small strip of a list row. */
export const RUN_STRIP_CHARS = 64;

/**
 * The small strip of a list row: at most 64 buckets of consecutive turns, each with the strongest thing in it.
 * `W` a write to a delivered file, `w` another write that took effect, `x` something ran, `.` only reads and thought.
 */
export function packRunStrip(strip: PackedStrip): string {
  const buckets = Math.min(RUN_STRIP_CHARS, strip.turns);
  let packed = "";
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const from = Math.floor((bucket * strip.turns) / buckets);
    const to = Math.floor(((bucket + 1) * strip.turns) / buckets);
    const writes = strip.write.slice(from, to);
    const activity = strip.activity.slice(from, to);
    packed += writes.includes("w") ? "W" : /[co]/.test(writes) ? "w" : /[xtd]/.test(activity) ? "x" : ".";
  }
  return packed;
}
