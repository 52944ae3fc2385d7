import type { CallItem, ReadFile, RecordedFile, ResultItem, Trajectory, Turn } from "@/lib/trajectory/schema";

/** A call of a test and what answers it. `result: null` leaves the call without an answer. */
export interface TestCall {
  tool: string;
  arguments?: CallItem["arguments"];
  text?: string | null;
  isCut?: boolean;
  result?:
    | (Partial<Pick<ResultItem, "text" | "isError" | "exitCode" | "isCut" | "reads" | "recorded">> & { late?: number })
    | null;
  state?: Partial<NonNullable<Turn["state"]>>;
  agent?: string;
}

/** A small trajectory for tests: one turn a call, in order. `late` moves an answer's arrival behind later calls. */
export function trajectoryOf(
  calls: readonly TestCall[],
  more: Partial<Pick<Trajectory, "deliveredPatch">> & { directory?: string | null } = {},
): Trajectory {
  const directory = more.directory === undefined ? "/repo" : more.directory;
  return {
    version: 1,
    format: { id: "test", variant: "test" },
    framework: { name: "test", version: null },
    models: [],
    title: null,
    task: { statement: null, instance: null, repository: null, baseCommit: null },
    agents: [{ id: "main", name: "main", startedByTurn: null }],
    entries: calls.map((call, index) => turnOf(call, index, directory)),
    deliveredPatch: more.deliveredPatch ?? null,
    exitStatus: null,
    totals: { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null, durationMs: null },
    notes: [],
  };
}

function turnOf(call: TestCall, index: number, directory: string | null): Turn {
  const id = `t${index}.0`;
  const item: CallItem = {
    id,
    kind: "call",
    author: { role: "agent", name: null },
    raw: [],
    arrival: index * 10,
    callKind: /bash/i.test(call.tool) ? "execute" : "write",
    tool: call.tool,
    callId: null,
    arguments: call.arguments ?? null,
    text: call.text ?? null,
    ...(call.isCut === undefined ? {} : { isCut: call.isCut }),
  };
  const items: Turn["items"] = [item];
  const answer = call.result === undefined ? {} : call.result;
  if (answer !== null) {
    items.push({
      id: `t${index}.1`,
      kind: "result",
      author: { role: "tool", name: null },
      raw: [],
      arrival: index * 10 + 1 + (answer.late ?? 0) * 10,
      callItem: id,
      callId: null,
      text: answer.text ?? "",
      isError: answer.isError ?? null,
      exitCode: answer.exitCode ?? null,
      isCut: answer.isCut ?? false,
      durationMs: null,
      recorded: answer.recorded ?? [],
      reads: answer.reads ?? [],
    });
  }
  return {
    kind: "turn",
    index,
    sourceSteps: [],
    agent: call.agent ?? "main",
    parentTurn: null,
    branch: null,
    model: null,
    usage: null,
    startedAt: null,
    endedAt: null,
    state: { when: "before", workingDirectory: directory, openFile: null, cumulativeDiff: null, ...call.state },
    items,
  };
}

/** A read of some lines, or of a whole file. */
export function readOf(path: string, text: string, startLine = 1, more: Partial<ReadFile> = {}): ReadFile {
  return { path, startLine, text, totalLines: null, whole: false, ...more };
}

/** A whole file as a read shows it. */
export function wholeRead(path: string, text: string): ReadFile {
  return readOf(path, text, 1, { whole: true });
}

/** What a trace records of a file's change. */
export function recordOf(path: string, more: Partial<RecordedFile> = {}): RecordedFile {
  return { path, before: null, after: null, existedBefore: null, patch: null, byPerson: false, ...more };
}
