import type { RawSpan } from "@/lib/trajectory/schema";
import { type Content, contentLines, isJsonContent } from "../../content";
import { namedLines } from "../../named-lines";
import type { NoteBook } from "../../notes";
import type { Part } from "../../parts";
import { type JsonValue, member } from "../../safe-json";
import { isRun, type Run, readRun } from "./run";

/** A value of the content that should be a run, or why it is none. */
export type PlacedRun = { at: RawSpan; run: Run } | { at: RawSpan; run: null };

/** The runs of a content: of one document, of a list (also under `runs`), or a line each. Lines that are none are given too. */
export function* runsIn(content: Content, notes: NoteBook | null): Generator<PlacedRun> {
  if (!isJsonContent(content)) return;
  if (content.kind === "lines") {
    for (const { line, start, end, parsed } of contentLines(content)) {
      const at = { line, pointer: null, start, end };
      if (parsed === null) notes?.add("line_not_understood", "not_understood", "Lines that are not JSON", at);
      else notes?.addRepairs(parsed.repairs, at);
      yield { at, run: parsed === null ? null : readRun(parsed.value, at) };
    }
    return;
  }
  const { value, layout, repairs } = content.json;
  notes?.addRepairs(repairs, null);
  if (!Array.isArray(value)) {
    const nested = member(value, "runs");
    const at = { line: null, pointer: "", ...documentSpan(content) };
    if (Array.isArray(nested)) {
      const spans = layout.members.get("runs")?.elements ?? [];
      yield* elementsOf(nested, spans, "/runs");
    } else yield { at, run: readRun(value, at, layout.members.get("child_runs")?.elements) };
    return;
  }
  yield* elementsOf(value, layout.elements, "");
}

function* elementsOf(
  values: readonly JsonValue[],
  spans: readonly { start: number; end: number }[],
  pointer: string,
): Generator<PlacedRun> {
  for (const [n, value] of values.entries()) {
    const span = spans[n];
    const at = { line: null, pointer: `${pointer}/${n}`, start: span?.start ?? null, end: span?.end ?? null };
    yield { at, run: readRun(value, at) };
  }
}

/** A document without the blanks around it. */
function documentSpan({ source: { bytes }, start }: Extract<Content, { kind: "document" }>): {
  start: number;
  end: number;
} {
  const isBlank = (byte: number | undefined): boolean =>
    byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
  let [first, last] = [start, bytes.length];
  while (isBlank(bytes[first])) first++;
  while (last > first && isBlank(bytes[last - 1])) last--;
  return { start: first, end: last };
}

/** The trace that a run is of: its own root where it does not say. */
export function traceOf(run: Run): string {
  return run.trace ?? run.id ?? "";
}

/** A trajectory for each trace, where a file holds several. Traces that are one run each can be read one by one. */
export function splitTraces(content: Content): Part[] {
  const placed = content.kind === "lines" ? namedRuns(content) : [...runsIn(content, null)];
  const traces = new Map<string, Run>();
  let runs = 0;
  for (const { run } of placed) {
    if (run === null) continue;
    runs++;
    const known = traces.get(traceOf(run));
    // The root names its trace.
    if (known === undefined || (known.parent !== null && run.parent === null)) traces.set(traceOf(run), run);
  }
  if (traces.size < 2) return [];
  const named = (run: Run): string =>
    [run.name, run.startedAt].filter((part) => part !== null && part !== "").join(" ");
  if (runs === traces.size) {
    return placed.flatMap(({ at: { start, end, line, pointer }, run }, n) => {
      const range = start === null || end === null ? null : { start, end, line: line ?? 1, pointer: pointer ?? "" };
      return [{ key: String(n), name: run === null ? `line ${line ?? n + 1}` : named(run), range }];
    });
  }
  return [...traces].map(([key, run]) => ({ key, name: named(run) || key, range: null }));
}

/** What says which trace a run is of, and what it is called. */
const NAMING = ["id", "trace_id", "parent_run_id", "run_type", "name", "start_time"];

/** The runs of lines with no more than says which trace they are of. */
function namedRuns(content: Extract<Content, { kind: "lines" }>): PlacedRun[] {
  return [...namedLines(content, NAMING)].map(({ line, start, end, value }) => {
    const at = { line, pointer: null, start, end };
    return { at, run: value === null ? null : readRun(value, at) };
  });
}

/** Whether most of the first values of a content are runs. */
export function holdsRuns(values: readonly JsonValue[]): boolean {
  const first = values.slice(0, 50);
  return first.length > 0 && first.filter(isRun).length * 2 > first.length;
}
