import { type ContextItem, TRAJECTORY_VERSION, type Trajectory } from "@/lib/trajectory/schema";
import type { Parsed } from "../../adapter";
import { type EntryWriter, unknownFailure } from "../../entries";
import type { NoteBook } from "../../notes";

/** The one agent of a history. */
export const MAIN = "main";

/** What was written of a history, whichever kind it is. */
export interface Written {
  writer: EntryWriter;
  variant: string;
  version: string | null;
  models: ReadonlySet<string>;
  task: ContextItem | null;
  totals: Trajectory["totals"];
}

/** The canonical trajectory of what was written. */
export function aiderTrajectory(written: Written, notes: NoteBook): Parsed {
  const trajectory: Trajectory = {
    version: TRAJECTORY_VERSION,
    format: { id: "aider", variant: written.variant },
    framework: { name: "aider", version: written.version },
    models: [...written.models],
    title: null,
    task: { statement: written.task?.text ?? null, instance: null, repository: null, baseCommit: null },
    agents: [{ id: MAIN, name: "aider", startedByTurn: null }],
    entries: written.writer.finish(),
    deliveredPatch: null,
    exitStatus: null,
    totals: written.totals,
    notes: notes.list(),
  };
  return { trajectory, failure: unknownFailure() };
}
