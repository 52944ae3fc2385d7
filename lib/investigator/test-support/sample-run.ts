import {
  type ArtefactHistory,
  type FileHistory,
  type FileOperation,
  type FileVersion,
  nothingChecked,
  type Write,
} from "@/lib/artefact/model";
import type {
  CallItem,
  CallKind,
  FailureContext,
  Item,
  ReadFile,
  ResultItem,
  Trajectory,
  Turn,
} from "@/lib/trajectory/schema";

/** Builds small runs for tests: each method adds to the turn that `turn()` opened last. */
export class SampleRun {
  private readonly turns: Turn[] = [];
  private readonly files = new Map<string, FileHistory>();
  private readonly writes: Write[] = [];
  private arrival = 0;
  patch: string | null = null;
  root: string | null = "/repo";

  turn(thought: string | null = null, branch: string | null = null): this {
    const index = this.turns.length;
    this.turns.push({
      kind: "turn",
      index,
      sourceSteps: [],
      agent: "main",
      parentTurn: null,
      branch,
      model: null,
      usage: null,
      startedAt: null,
      endedAt: null,
      state: null,
      items: [],
    });
    if (thought !== null) this.add({ kind: "thought", text: thought, author: { role: "agent", name: null } });
    return this;
  }

  run(command: string, output = "", more: Partial<ResultItem> = {}, callKind: CallKind = "execute"): this {
    const call = this.call({ tool: "bash", callKind, text: command });
    return this.result(call, output, more);
  }

  submit(): this {
    this.call({ tool: "submit", callKind: "submit", text: "submit" });
    return this;
  }

  read(path: string, text = "one\ntwo\n", startLine = 1): this {
    const call = this.call({ tool: "str_replace_editor", callKind: "read", arguments: { command: "view", path } });
    const reads: ReadFile[] = [{ path, startLine, text, totalLines: null, whole: startLine === 1 }];
    return this.result(call, text, { reads });
  }

  write(path: string, after: string, more: Partial<Write> & { before?: string; startLine?: number } = {}): this {
    const { before = null, startLine = null, ...rest } = more;
    const operation: FileOperation = rest.operation ?? (before === null ? "create" : "edit");
    const call = this.call({
      tool: "str_replace_editor",
      callKind: "write",
      arguments:
        before === null
          ? { command: "create", path, file_text: after }
          : { command: "str_replace", path, old_str: before, new_str: after },
    });
    this.result(call, rest.status === "refused" ? "No replacement was performed." : "The file has been edited.", {
      isError: rest.status === "refused" ? true : null,
    });
    const turn = this.turns.length - 1;
    const versions = this.fileOf(path).versions;
    const refused = rest.status === "refused";
    const n = versions.length;
    if (!refused) versions.push(version(n, turn, call.id, this.arrival, operation));
    this.writes.push({
      turn,
      item: call.id,
      arrival: this.arrival,
      path,
      grammar: "W1",
      operation,
      status: "applied",
      versionBefore: n === 0 ? null : n - 1,
      versionAfter: refused ? null : n,
      addedLines: after.split("\n").length,
      removedLines: before === null ? 0 : before.split("\n").length,
      fragment: { before, after, startLine },
      reason: null,
      ...rest,
    });
    return this;
  }

  /** Gives a file a version that was there before the run. */
  baseline(path: string, text: string): this {
    this.fileOf(path).versions.push({ ...version(0, null, null, -1, "baseline"), content: { kind: "whole", text } });
    return this;
  }

  call(more: Partial<CallItem> & { tool: string; callKind: CallKind }): CallItem {
    return this.add<CallItem>({
      kind: "call",
      author: { role: "agent", name: null },
      callId: null,
      arguments: null,
      text: null,
      ...more,
    });
  }

  result(call: CallItem, text: string, more: Partial<ResultItem> = {}): this {
    this.add<ResultItem>({
      kind: "result",
      author: { role: "tool", name: call.tool },
      callItem: call.id,
      callId: null,
      text,
      isError: null,
      exitCode: null,
      isCut: false,
      durationMs: null,
      recorded: [],
      reads: [],
      ...more,
    });
    return this;
  }

  trajectory(): Trajectory {
    return {
      version: 1,
      format: { id: "sample", variant: "1" },
      framework: { name: "Sample", version: null },
      models: [],
      title: null,
      task: { statement: null, instance: null, repository: null, baseCommit: null },
      agents: [{ id: "main", name: "Main", startedByTurn: null }],
      entries: this.turns,
      deliveredPatch: this.patch,
      exitStatus: null,
      totals: { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null, durationMs: null },
      notes: [],
    };
  }

  history(): ArtefactHistory {
    return { root: this.root, files: this.files, writes: this.writes, conflicts: [], checks: nothingChecked() };
  }

  /** The turn itself, for functions that look at one. */
  at(index: number): Turn {
    const turn = this.turns[index];
    if (turn === undefined) throw new Error(`no turn ${index}`);
    return turn;
  }

  writesOf(index: number): Write[] {
    return this.writes.filter((write) => write.turn === index);
  }

  private fileOf(path: string): FileHistory {
    const known = this.files.get(path);
    if (known !== undefined) return known;
    const made: FileHistory = { path, aliases: [], versions: [] };
    this.files.set(path, made);
    return made;
  }

  private add<T extends Item>(item: Omit<T, "id" | "raw" | "arrival">): T {
    const turn = this.at(this.turns.length - 1);
    // The builder adds exactly the fields that Omit takes away.
    const whole = {
      ...item,
      id: `t${turn.index}.${turn.items.length}`,
      raw: [],
      arrival: this.arrival,
    } as unknown as T;
    this.arrival += 1;
    turn.items.push(whole);
    return whole;
  }
}

function version(
  n: number,
  turn: number | null,
  item: string | null,
  arrival: number,
  operation: FileOperation,
): FileVersion {
  return { n, turn, item, arrival, operation, certainty: "replayed", content: { kind: "unknown" }, note: null };
}

/** What is known of a failure, for tests. */
export function failureOf(outcome: FailureContext["outcome"]): FailureContext {
  return {
    outcome,
    failingTestCode: null,
    errorReport: null,
    referencePatch: null,
    verification: [],
    source: "person",
  };
}
