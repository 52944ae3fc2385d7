import { parseArgs } from "node:util";
import { buildHistory } from "@/lib/artefact/history";
import type { ArtefactHistory } from "@/lib/artefact/model";
import { foldTrajectory } from "@/lib/folding/fold";
import type { FoldSavings, RuleSavings } from "@/lib/folding/shape";
import { estimateTokens } from "@/lib/folding/tokens";
import type { Ingested } from "@/lib/ingest/ingest";
import { turnsOf } from "@/lib/trajectory/schema";
import { inspectAll } from "./inspect-all";
import { rowOf, versionsByCertainty, writesByStatus } from "./inspect-row";
import { asLine, HEAD } from "./inspect-text";
import { Refused } from "./refused";
import { oneFile } from "./source-file";
import { readSource } from "./source-folder";
import { chooseTrajectory, trajectoriesIn } from "./trajectories-in";

/**
 * `misstep inspect FILE`: what is read in a trace, without a database. A file with several trajectories is a row each,
 * unless one is chosen with `--part`. A folder is read as one, as the browser sends it; with `--all` each file alone.
 */
export async function inspect(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      json: { type: "boolean" },
      full: { type: "boolean" },
      all: { type: "boolean" },
      part: { type: "string" },
    },
  });
  if (values.all) {
    if (values.full || values.part !== undefined) throw new Refused("inspect --all takes neither --full nor --part.");
    await inspectAll(oneFile(positionals, "inspect --all"), values.json ?? false);
    return;
  }
  const file = oneFile(positionals, "inspect");
  const source = await readSource(file);
  const { opened, all } = trajectoriesIn(source);
  if (opened.kind === "several" && values.part === undefined && !values.full) {
    if (!values.json) process.stdout.write(`${HEAD}\n`);
    for (const readable of all) {
      const row = rowOf(source.name, readable);
      process.stdout.write(`${values.json ? JSON.stringify(row) : asLine(row)}\n`);
    }
    return;
  }
  const { ingested } = chooseTrajectory(source, values.part).read();
  const history = buildHistory(ingested.trajectory, null);
  const summary = summarise(ingested, history);
  if (values.full) {
    print({ ...summary, trajectory: ingested.trajectory, failure: ingested.failure });
  } else if (values.json) print(summary);
  else process.stdout.write(asText(summary));
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** What `inspect --json` prints. `writes` are those that took effect; the others are in `writesByStatus`. */
export function summarise({ trajectory, failure, detection }: Ingested, history: ArtefactHistory) {
  const turns = turnsOf(trajectory);
  const items = turns.flatMap((turn) => turn.items);
  const byStatus = writesByStatus(history);
  return {
    format: detection.format,
    variant: detection.variant,
    detection: { score: detection.score, reason: detection.reason },
    framework: trajectory.framework,
    models: trajectory.models,
    outcome: failure.outcome,
    turns: turns.length,
    calls: items.filter((item) => item.kind === "call").length,
    results: items.filter((item) => item.kind === "result").length,
    context: trajectory.entries.length - turns.length,
    writes: byStatus.applied + byStatus.assumed,
    writesByStatus: byStatus,
    files: history.files.size,
    versions: versionsByCertainty(history),
    conflicts: history.conflicts.length,
    folding: foldTrajectory(trajectory).savings,
    notes: trajectory.notes,
  };
}

function asText(summary: ReturnType<typeof summarise>): string {
  const counts = (of: Record<string, number>): string =>
    Object.entries(of)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ") || "none";
  const notes = summary.notes.map((note) => `  ${note.level}: ${note.message} (${note.count})\n`);
  return [
    `format    ${summary.format} ${summary.variant} (${summary.detection.reason})\n`,
    `turns     ${summary.turns}, with ${summary.calls} calls; ${summary.context} items of context\n`,
    `writes    ${counts(summary.writesByStatus)}\n`,
    `versions  ${counts(summary.versions)}, of ${summary.files} files\n`,
    `folding   ${foldingLine(summary.folding, summary.folding.parts)}\n`,
    `          ${foldingLine(summary.folding, summary.folding.paper)}\n`,
    `notes     ${notes.length === 0 ? "none\n" : `\n${notes.join("")}`}`,
  ].join("");
}

/** What a rule folds: `parts@1: 12 of 40 observations, 310402 of 402110 characters, about 77601 tokens`. */
function foldingLine(all: FoldSavings, { rule, observations, foldedChars }: RuleSavings): string {
  const folded = `${observations} of ${all.observations} observations, ${foldedChars} of ${all.observationChars} characters`;
  return `${rule}: ${folded} folded, about ${estimateTokens(foldedChars)} tokens`;
}
