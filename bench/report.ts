import os from "node:os";
import { type Figure, isKept, type Measured, type Question } from "./question";

/** The answer to one question. `error` stands in place of figures when it could not be measured. */
export interface Answer extends Pick<Question, "id" | "title" | "bound"> {
  kept: boolean | null;
  seconds: number;
  figures: (Figure & { kept: boolean | null })[];
  remarks: string[];
  error: string | null;
}

/** What `--json` prints: figures, and of the machine only what they depend on. */
export interface Report {
  machine: { cores: number; memoryMib: number; platform: string; node: string };
  answers: Answer[];
}

/** The machine's part of a report; nothing in it names the machine. */
export function describeMachine(): Report["machine"] {
  return {
    cores: os.availableParallelism(),
    memoryMib: Math.round(os.totalmem() / 1_048_576),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
  };
}

/** Puts what was measured beside the question. */
export function answerOf({ id, title, bound }: Question, measured: Measured, seconds: number): Answer {
  const figures = measured.figures.map((figure) => ({ ...figure, kept: isKept([figure]) }));
  return { id, title, bound, kept: isKept(figures), seconds, figures, remarks: measured.remarks ?? [], error: null };
}

/** The answer to a question that could not be measured: not kept, with the reason. */
export function failedAnswer({ id, title, bound }: Question, error: unknown, seconds: number): Answer {
  const message = error instanceof Error ? error.message : "something that is not an Error";
  return { id, title, bound, kept: false, seconds, figures: [], remarks: [], error: message };
}

/** One answer as a table for people. */
export function tableOf(answer: Answer): string {
  const head = [`${answer.id}: ${answer.title}`, ...(answer.bound === null ? [] : [`  bound: ${answer.bound}`])];
  const rows = answer.figures.map((figure) => [
    figure.name,
    `${amount(figure.value)} ${figure.unit}`,
    figure.spread ? `${amount(figure.spread.q1)}..${amount(figure.spread.q3)}` : "",
    figure.spread ? `${amount(figure.spread.min)}..${amount(figure.spread.max)}` : "",
    figure.spread ? `${figure.spread.count}` : "1",
    figure.atMost === null ? "" : `at most ${amount(figure.atMost)}`,
    figure.kept === null ? "" : figure.kept ? "kept" : "NOT KEPT",
  ]);
  const table = [["figure", "value", "quartiles", "range", "samples", "bound", ""], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ")}`.trimEnd());
  const said = answer.error === null ? lines : [`  could not be measured: ${answer.error}`];
  const remarks = answer.remarks.map((remark) => `  ${remark}`);
  return [...head, ...said, ...remarks, `  took ${answer.seconds.toFixed(0)} s`, ""].join("\n");
}

/** Three digits that count; whole numbers from a thousand on. */
function amount(value: number): string {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en-GB");
  return `${Number(value.toPrecision(3))}`;
}
