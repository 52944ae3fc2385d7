import { writeFileSync } from "node:fs";
import path from "node:path";
import { recordClaudeCode } from "./recorder/claude-code";
import { recordSweAgent } from "./recorder/swe-agent";
import { ferrybook } from "./stories/ferrybook";
import { gridlog } from "./stories/gridlog";
import { paperdock } from "./stories/paperdock";

/**
 * Writes the demo runs: `node --import tsx prisma/demo/generate.ts`. The stories are written by us; files, diffs and
 * outputs are what really happens when they are played (needs bash, git, and Python 3 with pytest). Its results are
 * kept in `runs/`, so that seeding needs none of that.
 */
function main(): void {
  const folder = path.join(import.meta.dirname, "runs");
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  write("ferrybook-58.traj", `${recordSweAgent(ferrybook)}\n`);
  write("gridlog-todo.traj", `${recordSweAgent(gridlog)}\n`);
  write("paperdock-traversal.jsonl", recordClaudeCode(paperdock));
}

main();
