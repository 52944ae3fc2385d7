import { parentPort } from "node:worker_threads";
import { invariant } from "@/lib/errors";
import { countNotes, errorOf, type InspectRow, rowOf, secondsSince } from "./inspect-row";
import { readSourceFile } from "./source-file";
import { trajectoriesIn } from "./trajectories-in";

// Reads files for `inspect --all`, in a thread: what does not come to its end, or needs too much memory, ends with it.

/** What the thread says: that it takes files, a row, or that the file it was given is done. */
export type InspectMessage = { kind: "ready" } | { kind: "row"; row: InspectRow } | { kind: "done" };

invariant(parentPort !== null, "inspect-thread.ts is a thread of inspect --all");
const port = parentPort;
const say = (message: InspectMessage): void => port.postMessage(message);

port.on("message", ({ at, file }: { at: string; file: string }) => void inspectOne(at, file));
say({ kind: "ready" });

async function inspectOne(at: string, file: string): Promise<void> {
  const startedMs = performance.now();
  try {
    const source = await readSourceFile(at);
    const { opened, all } = trajectoriesIn(source);
    if (opened.kind === "several") {
      const { detection, notes } = opened;
      const row = { file, format: detection.format, parts: all.length, sizeBytes: source.bytes.length };
      say({ kind: "row", row: { ...row, notes: countNotes(notes), seconds: secondsSince(startedMs) } });
    }
    for (const [n, readable] of all.entries()) {
      const row = rowOf(file, readable);
      // Opening the file is a part of reading its only trajectory.
      say({ kind: "row", row: n === 0 && all.length === 1 ? { ...row, seconds: secondsSince(startedMs) } : row });
    }
  } catch (error) {
    say({ kind: "row", row: { file, part: null, error: errorOf(error), seconds: secondsSince(startedMs) } });
  }
  say({ kind: "done" });
}
