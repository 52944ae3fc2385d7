import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { Engine, OpenCase } from "@/lib/evaluation/engine";
import { evaluateEngine, type ScoredCase } from "@/lib/evaluation/evaluation";
import { type LabelFile, readLabelFile } from "@/lib/evaluation/label-file";
import { reportSets } from "@/lib/evaluation/report";
import { type EvaluationFacts, reportJson, scoresJson } from "@/lib/evaluation/report-json";
import { reportText } from "@/lib/evaluation/report-text";
import { EVALUATION_ENGINES, REFERENCE_ENGINE } from "@/workers/evaluation-engines";
import { labelledCases } from "./labelled-cases";
import { Refused } from "./refused";
import { oneFile } from "./source-file";
import { readSource } from "./source-folder";

const RUNS_MAX = 20;
const ENGINE_NAMES = Object.keys(EVALUATION_ENGINES).join(", ");

/** `misstep evaluate FILE`: holds an engine against the labels of a set, without a database. */
export async function evaluate(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      engine: { type: "string" },
      labels: { type: "string" },
      reference: { type: "boolean" },
      runs: { type: "string" },
      json: { type: "boolean" },
      scores: { type: "string" },
    },
  });
  const source = await readSource(oneFile(positionals, "evaluate"));
  const make = engineNamed(values.engine);
  const runs = runsFrom(values.runs);
  const labels = values.labels === undefined ? null : await readLabels(values.labels);
  const { cases, unreadable, unmatched } = labelledCases(source, values.reference === true, labels);
  const unlabelled = countReasons(cases);
  if (cases.every(({ labelled }) => labelled.unlabelled !== null)) {
    throw new Refused(`${source.name} holds no label to score by: ${cases.length} trajectories without one.`);
  }
  const engine = await make();
  const scored = await evaluateEngine(engine, cases, runs, showProgress);
  const against = engine.id === REFERENCE_ENGINE ? null : await scoreReference(cases);
  const facts: EvaluationFacts = {
    engine: engine.id,
    engineVersion: engine.version,
    remark: engine.remark,
    reference: values.reference === true,
    runs: scored[0]?.predictions.length ?? 0,
    against: against === null ? null : REFERENCE_ENGINE,
    unlabelled,
    unreadable,
    unmatched,
  };
  const sets = reportSets(scored, against);
  if (values.scores !== undefined) {
    await writeFile(values.scores, `${JSON.stringify(scoresJson(facts, scored), null, 1)}\n`);
  }
  process.stdout.write(values.json ? `${JSON.stringify(reportJson(facts, sets), null, 2)}\n` : reportText(facts, sets));
}

function engineNamed(name: string | undefined): () => Promise<Engine> {
  const make = name !== undefined && Object.hasOwn(EVALUATION_ENGINES, name) ? EVALUATION_ENGINES[name] : undefined;
  if (make === undefined) throw new Refused(`Choose an engine with --engine: one of ${ENGINE_NAMES}.`);
  return make;
}

/** @throws Refused when the file is of no set that is known. */
async function readLabels(path: string): Promise<LabelFile> {
  const labels = readLabelFile(await readFile(path, "utf8"));
  if (labels === null) throw new Refused(`${path} holds no labels of a set that is known (AgentRx, CodeTraceBench).`);
  if (labels.unread > 0) process.stderr.write(`${path}: ${labels.unread} rows are of another shape.\n`);
  return labels;
}

function runsFrom(text: string | undefined): number {
  const runs = text === undefined ? 1 : Number(text);
  if (Number.isInteger(runs) && runs >= 1 && runs <= RUNS_MAX) return runs;
  throw new Refused(`--runs takes a whole number from 1 to ${RUNS_MAX}.`);
}

function countReasons(cases: readonly OpenCase[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { labelled } of cases) {
    if (labelled.unlabelled !== null) counts.set(labelled.unlabelled, (counts.get(labelled.unlabelled) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

async function scoreReference(cases: readonly OpenCase[]): Promise<ScoredCase[] | null> {
  const make = EVALUATION_ENGINES[REFERENCE_ENGINE];
  return make === undefined ? null : evaluateEngine(await make(), cases, 1, () => undefined);
}

/** For people who wait before a terminal; a script reads the output alone. */
function showProgress(done: number, total: number): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(done === total ? "\r\u001b[K" : `\r${done} of ${total}`);
}
