import { TRAJECTORY_VERSION, type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import type { Adapter, Parsed, ReportProgress, Sniff } from "../adapter";
import { type Content, isJsonContent, sampleValues } from "../content";
import { EntryWriter, HARNESS, unknownFailure } from "../entries";
import { NoteBook } from "../notes";
import { listMember, storable, stringMember } from "../safe-json";
import { decodeUtf8 } from "../text-decoding";
import { sumUsage, usageOfTurns } from "../usage-sum";
import { aboutLangSmith } from "./langsmith/about";
import { type Run, treesOf, usageOf } from "./langsmith/run";
import { TraceWriter } from "./langsmith/trace-writer";
import { holdsRuns, runsIn, splitTraces, traceOf } from "./langsmith/traces";

/** Runs of LangSmith (docs/formats.md). */
export const langSmith: Adapter = {
  id: "langsmith",
  about: aboutLangSmith,
  sniff: sniffLangSmith,
  split: splitTraces,
  parse: parseLangSmith,
};

function sniffLangSmith(content: Content): Sniff {
  if (!isJsonContent(content)) return { score: 0, reason: "not JSON" };
  const value = content.kind === "document" ? content.json.value : null;
  const nested = listMember(value ?? undefined, "runs");
  const values =
    content.kind === "lines"
      ? sampleValues(content)
      : Array.isArray(value)
        ? value
        : nested.length > 0
          ? nested
          : [value];
  return holdsRuns(values)
    ? { score: 0.95, reason: "runs with `run_type`" }
    : { score: 0, reason: "no runs with `run_type`" };
}

function parseLangSmith(content: Content, report: ReportProgress, key: string | null): Parsed {
  const notes = new NoteBook();
  const writer = new EntryWriter();
  const runs: Run[] = [];
  report(0, 0);
  for (const { run, at } of runsIn(content, notes)) {
    if (run !== null && (key === null || traceOf(run) === key)) runs.push(run);
    if (run !== null || key !== null) continue;
    const text = storable(decodeUtf8(content.source.bytes.subarray(at.start ?? 0, at.end ?? 0)).text);
    writer.addContext({ contextKind: "opaque", author: HARNESS, sourceSteps: [], raw: [at], text });
  }
  const isOne = runs.length === 1 && runs[0]?.children.length === 0;
  const roots = treesOf(runs);
  const [root] = roots;
  const trace = new TraceWriter(writer, notes, root?.name ?? "agent");
  trace.write(roots);
  const trajectory: Trajectory = {
    version: TRAJECTORY_VERSION,
    format: { id: "langsmith", variant: isOne ? "run" : "trace" },
    framework: { name: "LangSmith", version: null },
    models: [...trace.conversation.models],
    title: null,
    task: { statement: trace.conversation.task, instance: null, repository: null, baseCommit: null },
    agents: trace.agents,
    entries: writer.finish(),
    deliveredPatch: null,
    exitStatus: root === undefined ? null : stringMember(root.value, "status"),
    totals: { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null, durationMs: null },
    notes: notes.list(),
  };
  const counted = usageOfTurns(turnsOf(trajectory));
  // A root's tokens are those of all runs below it: they are the total, not one more part of it.
  const stated = sumUsage(roots.flatMap((one) => usageOf(one) ?? []));
  trajectory.totals = {
    inputTokens: stated.inputTokens ?? counted.inputTokens,
    cachedTokens: counted.cachedTokens,
    outputTokens: stated.outputTokens ?? counted.outputTokens,
    costUsd: stated.costUsd ?? counted.costUsd,
    durationMs: durationOf(roots),
  };
  report(content.source.bytes.length, writer.turnCount);
  return { trajectory, failure: unknownFailure() };
}

/** From the first start to the last end, in milliseconds; null where no run says both. */
function durationOf(runs: readonly Run[]): number | null {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { startedAt, endedAt } of runs) {
    const [start, end] = [Date.parse(startedAt ?? ""), Date.parse(endedAt ?? "")];
    if (!Number.isFinite(start) || !Number.isFinite(end)) continue;
    first = Math.min(first, start);
    last = Math.max(last, end);
  }
  return last >= first ? last - first : null;
}
