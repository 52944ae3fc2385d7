import type { Agent, RawSpan, ResultItem, Turn } from "@/lib/trajectory/schema";
import { type EntryWriter, HARNESS } from "../../entries";
import { ConversationWriter } from "../../langchain/conversation";
import type { NoteBook } from "../../notes";
import { type JsonObject, stringMember } from "../../safe-json";
import { type Checkpoint, pathOf } from "./checkpoint";
import { outerNamespace, VALUE_NOT_READ } from "./database";
import type { FileChange } from "./files";
import { type FileStep, type MessageRecord, REPLACED, Replay, withoutMessages } from "./replay";
import { callThatStarted } from "./sub-graphs";

const MAIN = "main";
const FILE_WRITERS = new Set(["write_file", "edit_file"]);

/** One namespace of a thread: the graph itself or one inside of it. */
interface Graph {
  namespace: string;
  checkpoints: Checkpoint[];
  replay: Replay;
  forks: Replay[];
  isWritten: boolean;
}

/** Writes the checkpoints of one thread: the conversation, graphs inside it where they were started, and the rest. */
export class GraphWriter {
  readonly agents: Agent[];
  readonly conversation: ConversationWriter;
  private readonly graphs = new Map<string, Graph>();
  /** Graphs by the call that started them, and those of which only the checkpoint around them is known. */
  private readonly startedBy = new Map<string, Graph[]>();
  private readonly unlinked = new Map<string, Graph[]>();
  private readonly turns = new Map<MessageRecord, Turn>();

  constructor(
    private readonly writer: EntryWriter,
    private readonly notes: NoteBook,
    name: string,
  ) {
    this.agents = [{ id: MAIN, name, startedByTurn: null }];
    this.conversation = new ConversationWriter(writer, notes, MAIN);
  }

  /** Whether it is a run of Deep Agents: its tools are called, or it has files of its own. */
  get isDeepAgents(): boolean {
    const calls = [...this.turns.keys()].flatMap(({ message }) => message.calls);
    const hasFiles = [...this.graphs.values()].some(({ replay }) => replay.fileSteps.length > 0);
    return hasFiles || calls.some(({ name }) => name === "write_todos");
  }

  /** Writes all checkpoints of a thread, in any order. */
  write(checkpoints: readonly Checkpoint[]): void {
    const byNamespace = new Map<string, Checkpoint[]>();
    for (const checkpoint of checkpoints) {
      const known = byNamespace.get(checkpoint.namespace);
      if (known) known.push(checkpoint);
      else byNamespace.set(checkpoint.namespace, [checkpoint]);
    }
    // A graph comes before those inside of it: their namespaces begin with its own.
    const namespaces = [...byNamespace.keys()].sort(
      (a, b) => a.split("|").length - b.split("|").length || (a < b ? -1 : 1),
    );
    for (const namespace of namespaces) this.openGraph(namespace, byNamespace.get(namespace) ?? []);
    const [main, ...others] = this.graphs.values();
    if (main !== undefined) this.writeGraph(main, MAIN, null);
    // What no call and no checkpoint leads to comes last.
    for (const graph of others) this.writeInner(graph, nodeOf(graph.namespace), null);
    for (const graph of this.graphs.values()) for (const replay of [graph.replay, ...graph.forks]) this.report(replay);
  }

  private openGraph(namespace: string, checkpoints: Checkpoint[]): void {
    const outer = namespace === "" ? undefined : this.graphs.get(outerNamespace(namespace));
    const { kept, left } = pathOf(checkpoints);
    const replay = new Replay(kept, null, outer?.replay ?? null);
    const forks = left.map((path, n) => new Replay(path, `fork ${n + 1}`, replay));
    const graph = { namespace, checkpoints, replay, forks, isWritten: false };
    this.graphs.set(namespace, graph);
    if (outer === undefined) return;
    const call = callThatStarted(namespace, replay.records, outer);
    const group = call === null ? this.unlinked : this.startedBy;
    const key = call ?? outer.namespace;
    group.set(key, [...(group.get(key) ?? []), graph]);
    if (call === null && replay.records.length > 0) {
      this.notes.add(
        "unlinked_agent",
        "information",
        "Graphs inside of which no call is known that started them",
        checkpoints[0]?.at ?? null,
      );
    }
  }

  private writeGraph(graph: Graph, agent: string, parentTurn: number | null): void {
    if (graph.isWritten) return;
    graph.isWritten = true;
    const waiting = this.unlinked.get(graph.namespace) ?? [];
    for (const replay of [graph.replay, ...graph.forks]) {
      this.writeGivenFiles(replay);
      for (const record of replay.records) {
        this.writeEarlier(waiting, record.seen);
        this.writeRecord(record, agent, parentTurn);
      }
      for (const step of replay.fileSteps) this.attachFiles(step, replay);
    }
    this.writeEarlier(waiting, null);
  }

  private writeRecord(record: MessageRecord, agent: string, parentTurn: number | null): void {
    const { message, raw, seen, branch, isFirst } = record;
    // What is in the first state already came at steps and times that it does not tell.
    const isDated = !isFirst || message.kind === "human" || message.kind === "system";
    const steps = seen.step === null || !isDated ? [] : [{ convention: "step", step: seen.step }];
    const time = isDated ? seen.time : null;
    const place = { raw, agent, parentTurn, branch, steps, time, model: null, usage: null };
    // The message in its place says the same tokens again.
    const shown = branch === REPLACED ? { ...message, usage: null } : message;
    const turn = this.conversation.add(shown, place);
    if (turn === null) return;
    this.turns.set(record, turn);
    for (const { id, arguments: given, name } of message.kind === "ai" ? message.calls : []) {
      for (const graph of id === null ? [] : (this.startedBy.get(id) ?? [])) {
        this.writeInner(graph, stringMember(given ?? undefined, "subagent_type") ?? name, turn.index);
      }
    }
  }

  private writeEarlier(waiting: Graph[], before: Checkpoint | null): void {
    for (const graph of waiting) {
      const outer = graph.checkpoints[0]?.outer ?? null;
      if (graph.isWritten || (before !== null && (outer === null || outer >= before.id))) continue;
      this.writeInner(graph, nodeOf(graph.namespace), null);
    }
  }

  private writeInner(graph: Graph, name: string, startedByTurn: number | null): void {
    if (graph.isWritten) return;
    const id = `graph ${graph.namespace}`;
    if (graph.replay.records.length + graph.forks.length > 0) this.agents.push({ id, name, startedByTurn });
    this.writeGraph(graph, id, startedByTurn);
  }

  /** Files that were there before any answer: somebody gave them. Those of the graph around are not shown again. */
  private writeGivenFiles(replay: Replay): void {
    for (const { seen, isGiven, changes } of replay.fileSteps) {
      for (const change of isGiven ? changes : []) if (!replay.inheritsFile(change)) this.addFile(change, seen);
    }
  }

  private addFile({ path, after }: FileChange, { filesAt, step }: Checkpoint): void {
    this.writer.addContext({
      contextKind: "injected",
      author: HARNESS,
      sourceSteps: step === null ? [] : [{ convention: "step", step }],
      raw: [filesAt],
      text: after === null ? `${path} is gone` : `${path}\n\n${after}`,
    });
  }

  /** Gives what changed in a step to the results of the calls that wrote it, else to what a sub-agent brought back. */
  private attachFiles({ seen, isFirst, isGiven, changes }: FileStep, replay: Replay): void {
    for (const change of isGiven ? [] : changes) {
      const { path, before, after } = change;
      if (after === null) {
        this.addFile(change, seen);
        continue;
      }
      const writers = writersOf(replay, seen, path).flatMap((id) => this.conversation.resultOf(id) ?? []);
      const [first, last] = [writers[0], writers.at(-1)];
      // In one state alone it is not known what was there before.
      const known = isFirst ? { before: null, existedBefore: null } : { before, existedBefore: before !== null };
      const unknown = { before: null, existedBefore: null };
      if (first === undefined || last === undefined) {
        if (isFirst) this.addFile(change, seen);
        else this.attachElsewhere(change, seen, replay);
      } else if (first === last) record(last, { path, ...known, after });
      else {
        if (!isFirst) record(first, { path, ...known, after: null });
        record(last, { path, ...unknown, after });
      }
    }
  }

  private attachElsewhere(change: FileChange, seen: Checkpoint, replay: Replay): void {
    const { path, before, after } = change;
    const delegated = replay.records.filter(
      ({ message, seen: at }) =>
        at === seen && message.callId !== null && this.conversation.callOf(message.callId)?.call.name === "task",
    );
    // What a graph inside recorded of its own calls is not recorded again where it comes back.
    const inner = delegated.flatMap(({ message }) => this.startedBy.get(message.callId ?? "") ?? []);
    if (inner.some((graph) => graph.replay.holdsFile(path, after))) return;
    const result = delegated.length === 1 ? this.conversation.resultOf(delegated[0]?.message.callId ?? "") : null;
    if (result === null) this.addFile(change, seen);
    else record(result, { path, before, existedBefore: before !== null, after });
  }

  private report(replay: Replay): void {
    for (const { at } of replay.unreadable) this.notes.add("value_not_read", "not_understood", VALUE_NOT_READ, at);
    for (const { raw } of replay.trimmed) {
      const message = "Messages that were taken out of the state while the run went on; they are shown where they were";
      this.notes.add("message_trimmed", "information", message, raw[0] ?? null);
    }
  }

  /** What else the checkpoints hold, as one item of context: a line for each of them and for each write. */
  writeRest(loose: readonly { at: RawSpan; text: string }[]): void {
    const raw: RawSpan[] = [];
    const rows: JsonObject[] = [];
    for (const { checkpoints, replay, forks } of this.graphs.values()) {
      const held = new Map([replay, ...forks].flatMap(({ others }) => [...others]));
      const whys = new Map([replay, ...forks].flatMap(({ unreadable }) => unreadable.map(({ at, why }) => [at, why])));
      for (const checkpoint of checkpoints) {
        const { id, parent, namespace, time, about, at, writes } = checkpoint;
        const row: JsonObject = { row: nameOf(at), id, parent, namespace, time, ...about };
        const channels = held.get(checkpoint);
        const why = whys.get(at);
        if (channels !== undefined) row.channels = channels;
        if (why !== undefined) row.notRead = why;
        raw.push(at);
        rows.push(row);
        for (const { channel, taskId, value, at: place } of writes) {
          raw.push(place);
          const row: JsonObject = { row: nameOf(place), after: id, task: taskId, channel };
          if (channel !== "messages" && channel !== "files") row.value = withoutMessages(value);
          rows.push(row);
        }
      }
    }
    for (const { at, text } of loose) {
      raw.push(at);
      rows.push({ row: nameOf(at), text });
    }
    if (rows.length === 0) return;
    const text = rows.map((row) => JSON.stringify(row)).join("\n");
    this.writer.addContext({ contextKind: "metadata", author: HARNESS, sourceSteps: [], raw, text });
  }
}

function nameOf({ file, line, pointer }: RawSpan): string {
  return file ?? (line === null ? (pointer ?? "") : `line ${line}`);
}

/** The node in which a graph ran: its namespace is `node:task`, behind those of the graphs around it. */
function nodeOf(namespace: string): string {
  const [node = ""] = (namespace.split("|").at(-1) ?? "").split(":");
  return node === "" ? "graph" : node;
}

/** The calls whose results came with a state and that wrote a path, in order; those that failed wrote nothing. */
function writersOf(replay: Replay, seen: Checkpoint, path: string): string[] {
  const results = new Set(
    replay.records.flatMap(({ message, seen: at }) =>
      at === seen && message.callId !== null && !hasFailed(message.status, message.content) ? [message.callId] : [],
    ),
  );
  return replay.records.flatMap(({ message, branch }) =>
    branch !== null
      ? []
      : message.calls.flatMap(({ id, name, arguments: given }) =>
          id !== null &&
          results.has(id) &&
          FILE_WRITERS.has(name) &&
          stringMember(given ?? undefined, "file_path") === path
            ? [id]
            : [],
        ),
  );
}

function hasFailed(status: string | null, content: unknown): boolean {
  return status === "error" || (typeof content === "string" && /^(?:Error\b|Cannot write)/.test(content));
}

function record(
  result: ResultItem,
  change: Pick<ResultItem["recorded"][number], "path" | "before" | "after" | "existedBefore">,
): void {
  result.recorded.push({ ...change, patch: null, byPerson: false });
}
