import { parseArgs } from "node:util";
import { buildHistory } from "@/lib/artefact/history";
import { structuralLocalizer } from "@/lib/investigator/structural";
import { oneFile } from "./source-file";
import { readSource } from "./source-folder";
import { chooseTrajectory } from "./trajectories-in";

/** `misstep localize FILE`: the verdict of the structural rule, without a database; on the part of `--part` of a file with several. */
export async function localize(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: "boolean" }, part: { type: "string" } },
  });
  const source = await readSource(oneFile(positionals, "localize"));
  const { trajectory, failure } = chooseTrajectory(source, values.part).read().ingested;
  const history = buildHistory(trajectory, null);
  const verdict = await structuralLocalizer.localize({ trajectory, history, failure });
  if (values.json) {
    process.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`);
    return;
  }
  const lines = verdict.candidates.map((c) => `${c.rank}. turn #${c.turn + 1}: ${c.reason}\n`);
  const head =
    verdict.status === "determined"
      ? `${verdict.engine}, reliability ${verdict.reliability.class}: ${verdict.reliability.reason}\n`
      : `undetermined: ${verdict.undeterminedReason ?? ""}\n`;
  process.stdout.write(head + lines.join(""));
}
