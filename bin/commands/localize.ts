import { parseArgs } from "node:util";
import { buildHistory } from "@/lib/artefact/history";
import { ingest } from "@/lib/ingest/ingest";
import { structuralLocalizer } from "@/lib/investigator/structural";
import { oneFile, readSourceFile } from "./source-file";

/** `misstep localize FILE`: the verdict of the structural rule, without a database. */
export async function localize(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { json: { type: "boolean" } } });
  const source = await readSourceFile(oneFile(positionals, "localize"));
  const { trajectory, failure } = ingest(source);
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
