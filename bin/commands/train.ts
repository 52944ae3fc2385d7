import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { buildHistory } from "@/lib/artefact/history";
import { caseOf, type LabelledCase } from "@/lib/evaluation/labelled-case";
import { turnsOfStep } from "@/lib/evaluation/step-map";
import type { Ingested } from "@/lib/ingest/ingest";
import { CHANGE_RULES, type ChangeRule, featureTable } from "@/lib/investigator/learned/features";
import { type LabelledRun, trainRanker } from "@/lib/investigator/learned/train";
import { readSignals } from "@/lib/investigator/signals";
import { Refused } from "./refused";
import { oneFile } from "./source-file";
import { readSource } from "./source-folder";
import { trajectoriesIn } from "./trajectories-in";

/**
 * The splits that the ranker learns from. Others of the same set label the same runs again (`calibration`), which would put
 * one run on both sides of a fold, or are of another kind of task (`align41`).
 */
const SPLITS: ReadonlySet<string> = new Set(["nebius", "openhands"]);

/** `misstep train FILE --out WEIGHTS.json`: learns the ranker's weights from labelled failures; twice the same, byte by byte. */
export async function train(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { out: { type: "string" } } });
  const source = await readSource(oneFile(positionals, "train"));
  if (values.out === undefined) throw new Refused("Say with --out where the weights go.");
  const cases = trajectoriesIn(source).all.flatMap(({ read, part }) => {
    const { ingested } = read();
    const labelled = caseOf(ingested.trajectory, ingested.failure, part?.name ?? source.name);
    return SPLITS.has(labelled.split) ? [{ labelled, run: runOf(labelled, ingested) }] : [];
  });
  const runs = cases.flatMap(({ run }) => run ?? []);
  if (runs.length === 0) throw new Refused(`${source.name} holds no labelled runs of ${[...SPLITS].join(" or ")}.`);
  const kinds = new Set(cases.map(({ labelled }) => labelled.definition?.kind ?? "labelled step"));
  if (kinds.size > 1) throw new Refused(`The labels mean different things: ${[...kinds].join(", ")}.`);
  const trained = trainRanker(runs, [...kinds][0] ?? "labelled step");
  await writeFile(values.out, `${JSON.stringify(trained, null, 2)}\n`);
  const [exact, near] = [sum(trained.calibration, "exact"), sum(trained.calibration, "withinTwo")];
  process.stdout.write(
    `${runs.length} of ${cases.length} runs learned from. Left out of training, each in turn: ${exact} labelled turns ` +
      `named, ${near} within two turns.\n`,
  );
}

/** A case with its features; null when its label falls on no turn of the path that the run ended on. */
function runOf(labelled: LabelledCase, { trajectory }: Ingested): LabelledRun | null {
  if (labelled.label === null) return null;
  const [turn] = turnsOfStep(labelled.map, labelled.label);
  const signals = readSignals(trajectory, buildHistory(trajectory, null));
  const label = signals.path.findIndex(({ index }) => index === turn);
  if (label === -1) return null;
  const rowsBy = (rule: ChangeRule): number[][] => featureTable(signals, rule).rows;
  const [existing, notTried, notScratch] = CHANGE_RULES;
  const rows = { [existing]: rowsBy(existing), [notTried]: rowsBy(notTried), [notScratch]: rowsBy(notScratch) };
  const { set, split, id, task } = labelled;
  return { set, split, id, task, label, rows };
}

function sum(bands: { exact: number; withinTwo: number }[], key: "exact" | "withinTwo"): number {
  return bands.reduce((total, band) => total + band[key], 0);
}
