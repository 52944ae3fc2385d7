import { readFileSync } from "node:fs";
import path from "node:path";

/** A run that the first start puts into an empty installation. `name` is the upload's file name. */
export interface DemoRun {
  name: string;
  bytes: Uint8Array;
  /** What the story is about, for people. */
  about: string;
  /** How the run ended; its trace does not say, as real ones mostly do not. */
  outcome: "failed" | "resolved";
}

/** The demo runs, all written by us (see generate.ts), in the formats of the agents that they imitate. */
const RUNS: Omit<DemoRun, "bytes">[] = [
  { name: "ferrybook-58.traj", about: "A bug fix that failed", outcome: "failed" },
  { name: "paperdock-traversal.jsonl", about: "A repair that left a vulnerability", outcome: "failed" },
  { name: "gridlog-todo.traj", about: "A longer run with tests", outcome: "resolved" },
];

/** Reads the demo runs from disk, in the order in which they are uploaded. */
export function demoRuns(): DemoRun[] {
  return RUNS.map((run) => ({ ...run, bytes: readFileSync(path.join(import.meta.dirname, "runs", run.name)) }));
}
