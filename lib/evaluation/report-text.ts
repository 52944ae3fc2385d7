import type { Interval } from "./bootstrap";
import { type ConstantGuess, TOLERANCES } from "./metrics";
import type { Figures, SetReport } from "./report";
import type { EvaluationFacts } from "./report-json";

const HEADS = ["exact", "within 1", "within 2", "within 3", "within 5"];
const CELL_CHARS = 20;

/** A report for people who read it in a terminal: what the label is stands beside what was scored by it. */
export function reportText(facts: EvaluationFacts, sets: readonly SetReport[]): string {
  const { engine, engineVersion, remark, reference, runs } = facts;
  const name = engine === engineVersion ? engine : `${engine} (${engineVersion})`;
  const setting = `${reference ? "with" : "without"} the reference, ${runs === 1 ? "one run" : `mean of ${runs} runs`}`;
  const lines = [`${name}, ${setting}`];
  if (remark !== null) lines.push(remark);
  for (const set of sets) lines.push("", ...setLines(set, facts));
  const left = Object.entries(facts.unlabelled);
  if (left.length > 0) {
    const told = left.map(([reason, count]) => `${count} (${reason})`).join(", ");
    lines.push("", `Not scored, because they have no label: ${told}`);
  }
  for (const { part, reason } of facts.unreadable) lines.push(`Not read: ${part}: ${reason}`);
  const [some] = facts.unmatched;
  if (some !== undefined) lines.push(`Labels without a run: ${facts.unmatched.length}, such as ${some}`);
  return `${lines.join("\n")}\n`;
}

function setLines(report: SetReport, facts: EvaluationFacts): string[] {
  const { definition, conventions, all } = report;
  const text = definition.text ?? "Nobody has told what its label means.";
  const source = definition.source === null ? "" : ` (${definition.source})`;
  return [
    `${report.set}, labelled: ${definition.kind}`,
    `  ${text}${source}`,
    `  compared by ${conventions.map((one) => `\`${one}\``).join(", ")}; ${all.metrics.n} cases of ${all.tasks} tasks; per cent, with 95 % intervals over tasks`,
    ...labelLines(report),
    "",
    ...table([
      ["", ["n", "covered", ...HEADS]],
      figuresRow("all", all),
      ...groupRows("split", report.bySplit),
      ...groupRows("steps", report.byLength),
      ...groupRows("reliability", report.byReliability),
      ["chance", ["", "", ...TOLERANCES.map((key) => perCent(all.chance[key]))]],
      ["best constant turn", ["", "", ...TOLERANCES.map((key) => constantCell(all.bestConstant[key]))]],
      ...differenceRows(facts.against, "all", all),
      ...Object.entries(report.bySplit).flatMap(([split, figures]) => differenceRows(facts.against, split, figures)),
    ]),
  ];
}

function labelLines({ labels, all }: SetReport): string[] {
  const told: string[] = [];
  const off = labels.between + labels.outside + labels.unreadable;
  if (off > 0) {
    const where = [
      [labels.between, "between turns"],
      [labels.outside, "on a step that the run does not have"],
      [labels.unreadable, "no whole number"],
    ].flatMap(([count, place]) => (count === 0 ? [] : [`${count} ${place}`]));
    told.push(
      `  labels that fall on no turn: ${off} of ${all.metrics.n} (${where.join(", ")}); they count as any other`,
    );
  } else told.push("  every label falls on a turn");
  if (labels.several > 0) told.push(`  ${labels.several} cases have several labelled steps; the earliest counts`);
  return told;
}

/** The name of a row and its cells: how many cases, coverage, and one for each tolerance. */
type Row = [name: string, cells: string[]];

function groupRows(what: string, groups: Record<string, Figures>): Row[] {
  return Object.entries(groups).map(([name, figures]) => figuresRow(`${what} ${name}`, figures));
}

function figuresRow(name: string, { metrics, intervals }: Figures): Row {
  const cells = TOLERANCES.map((key) => withInterval(perCent(metrics[key]), intervals?.[key] ?? null));
  return [name, [String(metrics.n), perCent(metrics.coverage), ...cells]];
}

function differenceRows(against: string | null, name: string, { difference }: Figures): Row[] {
  if (difference === null) return [];
  const cells = TOLERANCES.map((key) => withInterval(signed(difference[key].value), difference[key]));
  return [[`less ${against ?? ""}, ${name}`, ["", "", ...cells]]];
}

function withInterval(value: string, interval: Interval | null): string {
  return interval === null ? value : `${value} [${perCent(interval.low)}, ${perCent(interval.high)}]`;
}

function constantCell({ value, guess }: { value: number; guess: ConstantGuess }): string {
  const { from, offset } = guess;
  const turn = from === "start" ? `#${offset + 1}` : offset === 0 ? "last" : `last - ${offset}`;
  return `${perCent(value)} (${turn})`;
}

function signed(value: number): string {
  return `${value < 0 ? "" : "+"}${perCent(value)}`;
}

function perCent(value: number): string {
  return value.toFixed(1);
}

function table(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, [n = "", covered = "", ...rest]]) => {
    const columns = rest.map((cell) => cell.padEnd(CELL_CHARS));
    return `  ${name.padEnd(width)}${n.padStart(6)}${covered.padStart(9)}  ${columns.join(" ")}`.trimEnd();
  });
}
