import type { Write } from "@/lib/artefact/model";
import { writesByTurn } from "@/lib/artefact/writes-by-turn";
import type { ResultItem, Turn } from "@/lib/trajectory/schema";
import { displayPath, fileName } from "./paths";
import { programsOf, runsWell } from "./programs";
import { quoteOpening, quoteRange } from "./quotation";
import { endLoop } from "./repetition";
import { type RunSignals, reEdits } from "./signals";
import { callsOf, quoteThought, quoteWrite } from "./turn-quotations";
import type { Candidate, Quotation } from "./verdict";
import { firstNewLine } from "./written-lines";

/** A candidate before it has a rank. */
export type Proposal = Omit<Candidate, "rank">;

/**
 * How strongly each signal points, comparable inside one verdict only. The first write to a source file leads because
 * it is the rule. On 150 labelled failed runs it named the labelled turn in 37 of the 115 runs that had one (56 within
 * two turns), the start of the closing loop in 9 of 69 (33); a last write that was never tested in 0 of 40, which is
 * why it stands last. Those traces hold no results, so the signals that need one are placed by judgement.
 */
const SCORE = {
  first_source_write: 0.9,
  overwrites_passing_code: 0.65,
  loop_start: 0.6,
  ignored_error: 0.45,
  rewrites_own_edit: 0.35,
  submits_without_source_write: 0.3,
  write_never_tested: 0.2,
} as const;
export type ReasonCode = keyof typeof SCORE;

/** Everything that the structural signals propose, unranked; one turn may come more than once. */
export function proposeCandidates(run: RunSignals, root: string | null): Proposal[] {
  return [
    firstSourceWrite(run, root),
    overwritesPassingCode(run, root),
    ...rewritesOwnEdit(run, root),
    loopStart(run),
    ignoredError(run),
    neverTested(run, root),
    submitsWithoutWrite(run),
  ].filter((proposal): proposal is Proposal => proposal !== null);
}

/** The first command before a write that may have changed a file of the work, in a way that cannot be followed. */
export function uncertainBefore(run: RunSignals, write: Write): Write | null {
  return run.sourceWrites.find((other) => other.status === "opaque" && other.arrival < write.arrival) ?? null;
}

function firstSourceWrite(run: RunSignals, root: string | null): Proposal | null {
  const write = run.sourceWrites.find((w) => w.status !== "opaque") ?? run.sourceWrites[0];
  if (write === undefined) return null;
  const name = displayPath(write.path, root);
  const sentence =
    write.status === "opaque"
      ? `The first command that may change a file of the work is here (${name}); what it changed cannot be followed.`
      : `The run first changes a file that is not its own scratch file here: ${name}.`;
  // Agents that work side by side stand one after the other in the list of turns; arrival says what came first.
  const shownEarlier = run.sourceWrites.some((w) => w.turn < write.turn && w.arrival > write.arrival);
  const inTime = " Agents worked side by side: this change came first in time, not in the order of turns.";
  const earlier = write.status === "opaque" ? null : uncertainBefore(run, write);
  const before =
    earlier === null
      ? ""
      : ` A command before it, at #${earlier.turn + 1}, may have changed ${displayPath(earlier.path, root)}; what it changed cannot be followed.`;
  return propose(run, "first_source_write", write, `${sentence}${before}${shownEarlier ? inTime : ""}`);
}

/** Changing these after the tests passed is tidying up. */
const PROSE = /\.(?:md|rst|txt|adoc)$/i;

/** True when a write takes lines away, or may: adding a test after the tests passed overwrites nothing. */
function takesAway(write: Write): boolean {
  return write.operation !== "create" && write.operation !== "append" && write.removedLines !== 0;
}

function overwritesPassingCode(run: RunSignals, root: string | null): Proposal | null {
  let passing: number | null = null;
  const written = new Set<string>();
  let found: { write: Write; passing: number } | null = null;
  const sourceWrites = writesByTurn(run.sourceWrites);
  for (const turn of run.path) {
    const writes = sourceWrites.get(turn.index) ?? [];
    const write = writes.find((w) => written.has(w.path) && takesAway(w) && !PROSE.test(w.path));
    if (write !== undefined && passing !== null) found = { write, passing };
    for (const { path } of writes) written.add(path);
    const tests = run.testRuns.get(turn.index);
    if (tests === undefined) continue;
    const last = tests[tests.length - 1];
    if (last?.outcome === "passed") passing = turn.index;
    else if (last?.outcome === "failed") passing = null;
  }
  if (found === null) return null;
  const name = displayPath(found.write.path, root);
  const proposal = propose(
    run,
    "overwrites_passing_code",
    found.write,
    `The tests passed at #${found.passing + 1}; this changes ${name} again afterwards.`,
  );
  const test = run.testRuns.get(found.passing)?.find((candidate) => candidate.outcome === "passed");
  const quotation = test === undefined ? null : quoteSummary(run, test.result, test.summary);
  if (proposal !== null && quotation !== null) proposal.quotations.push(quotation);
  return proposal;
}

function rewritesOwnEdit(run: RunSignals, root: string | null): Proposal[] {
  return reEdits(run.sourceWrites)
    .map(({ earlier, later }) =>
      propose(
        run,
        "rewrites_own_edit",
        later,
        `This replaces lines of ${displayPath(later.path, root)} that the run itself wrote at #${earlier.turn + 1}.`,
      ),
    )
    .filter((proposal): proposal is Proposal => proposal !== null);
}

function loopStart(run: RunSignals): Proposal | null {
  const loop = endLoop(run.path);
  const first = loop?.turns[0];
  if (loop === null || first === undefined) return null;
  const call = callsOf(run.turns[first])[0];
  const quotation = call === undefined ? null : quoteOpening(call, first);
  if (quotation === null) return null;
  const same = loop.distinct === 1 ? "the same action" : `the same ${loop.distinct} actions`;
  return {
    turn: first,
    score: SCORE.loop_start,
    reasonCode: "loop_start",
    reason: `From here to the end the run repeats ${same}, ${loop.turns.length} turns long.`,
    quotations: [quotation],
    file: null,
    line: null,
  };
}

/** Nothing but tests that pass makes up for tests that failed. */
const NONE: ReadonlySet<string> = new Set();

/**
 * A failed command after the last source write, and a submit with no test that passed and no run of the same program that
 * went well in between.
 */
function ignoredError(run: RunSignals): Proposal | null {
  const lastWrite = run.sourceWrites[run.sourceWrites.length - 1]?.turn ?? -1;
  const submit = run.path.find((turn) => turn.index > lastWrite && callsOf(turn).some((c) => c.callKind === "submit"));
  if (submit === undefined || lastWrite === -1) return null;
  let failure: { turn: number; quotation: Quotation; programs: ReadonlySet<string> } | null = null;
  for (const turn of run.path) {
    if (turn.index < lastWrite || turn.index >= submit.index) continue;
    const tests = run.testRuns.get(turn.index);
    const last = tests?.[tests.length - 1];
    if (last?.outcome === "passed" || (failure !== null && runsWell(turn, failure.programs))) failure = null;
    const quotation = last?.outcome === "failed" ? quoteSummary(run, last.result, last.summary) : quoteFailure(turn);
    if (quotation !== null && last?.outcome !== "passed")
      failure = { turn: turn.index, quotation, programs: last?.outcome === "failed" ? NONE : programsOf(turn) };
  }
  if (failure === null) return null;
  const call = callsOf(submit).find((c) => c.callKind === "submit");
  const submitted = call === undefined ? null : quoteOpening(call, submit.index);
  return {
    turn: submit.index,
    score: SCORE.ignored_error,
    reasonCode: "ignored_error",
    reason: `The run submits here although #${failure.turn + 1} ended in an error and no file of the work was changed since.`,
    quotations: submitted === null ? [failure.quotation] : [failure.quotation, submitted],
    file: null,
    line: null,
  };
}

function neverTested(run: RunSignals, root: string | null): Proposal | null {
  const write = run.sourceWrites[run.sourceWrites.length - 1];
  if (write === undefined) return null;
  const ranSince = run.path.some(
    (turn) => turn.index >= write.turn && callsOf(turn).some((c) => c.callKind === "execute" && c.id !== write.item),
  );
  if (ranSince) return null;
  return propose(
    run,
    "write_never_tested",
    write,
    `Nothing is run after this last change of ${displayPath(write.path, root)}.`,
  );
}

function submitsWithoutWrite(run: RunSignals): Proposal | null {
  if (run.sourceWrites.length > 0) return null;
  for (const turn of run.path) {
    const call = callsOf(turn).find((c) => c.callKind === "submit");
    const quotation = call === undefined ? null : quoteOpening(call, turn.index);
    if (quotation === null) continue;
    return {
      turn: turn.index,
      score: SCORE.submits_without_source_write,
      reasonCode: "submits_without_source_write",
      reason: "The run submits here without having changed a file other than its own scratch files.",
      quotations: [quotation],
      file: null,
      line: null,
    };
  }
  return null;
}

/** A candidate for a write: quotes what was written, and the thought of its turn that names the file. */
function propose(run: RunSignals, reasonCode: ReasonCode, write: Write, reason: string): Proposal | null {
  const call = run.items.get(write.item);
  const quotations: Quotation[] = [];
  if (call !== undefined) {
    const quotation = quoteWrite(call.item, call.turn, write);
    if (quotation !== null) quotations.push(quotation);
  }
  const thought = quoteThought(run.turns[write.turn], fileName(write.path));
  if (thought !== null) quotations.push(thought);
  if (quotations.length === 0) return null;
  return {
    turn: write.turn,
    score: SCORE[reasonCode],
    reasonCode,
    reason,
    quotations,
    file: write.path,
    line: firstNewLine(write, run.history),
  };
}

function quoteSummary(
  run: RunSignals,
  result: string | null,
  range: { start: number; end: number } | null,
): Quotation | null {
  const found = result === null ? undefined : run.items.get(result);
  if (found === undefined || range === null) return null;
  return quoteRange(found.item, found.turn, "text", range.start, range.end);
}

/** The last line of a command's failed result: tracebacks end with the error. A search that finds nothing is no failure. */
function quoteFailure(turn: Turn): Quotation | null {
  const commands = new Set(
    callsOf(turn)
      .filter((call) => call.callKind === "execute")
      .map((call) => call.id),
  );
  const failed = turn.items.findLast(
    (item): item is ResultItem =>
      item.kind === "result" &&
      commands.has(item.callItem ?? "") &&
      (item.isError === true || (item.exitCode ?? 0) !== 0),
  );
  if (failed === undefined) return null;
  const text = failed.text.trimEnd();
  return quoteRange(failed, turn.index, "text", text.lastIndexOf("\n") + 1, text.length) ?? null;
}
