import { TRAJECTORY_VERSION, type Trajectory, turnsOf, type Usage } from "@/lib/trajectory/schema";
import type { Parsed } from "../../adapter";
import { HARNESS } from "../../entries";
import { isObject, type JsonObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";
import { usageOfTurns } from "../../usage-sum";
import { RunWriter, type Speaker } from "./run-writer";
import { readStep, readUsage } from "./steps";
import type { AtifDocument, Documents } from "./trials";
import { readVerdict } from "./verdict";

/** Reads a trajectory with everything that it names: continuations and sub-agents, and how the trial was judged. */
export function readRun(documents: Documents): Parsed {
  const run = new Run(documents);
  return run.read();
}

/** Members of a document that stand elsewhere in the trajectory. */
const SHOWN: ReadonlySet<string> = new Set(["steps", "subagent_trajectories"]);

class Run {
  private readonly out: RunWriter;
  /** Documents that were read: references may go round in circles. */
  private readonly done = new Set<JsonObject>();

  constructor(private readonly documents: Documents) {
    this.out = new RunWriter(documents.notes);
  }

  read(): Parsed {
    const { root, around, notes } = this.documents;
    const about = member(root.value, "agent");
    const name = stringMember(about, "name") ?? "Agent";
    this.out.agents.push({ id: "main", name, startedByTurn: null });
    const last = this.addChain(root);
    for (const document of this.documents.linked.values()) this.addSubAgent(document, null);
    const { failure, exitStatus, task } = readVerdict(root.value, around, notes);
    const model = stringMember(about, "model_name");
    const version = stringMember(root.value, "schema_version") ?? "ATIF";
    this.out.begin();
    const entries = this.out.writer.finish();
    const trajectory: Trajectory = {
      version: TRAJECTORY_VERSION,
      format: { id: "atif", variant: `${version} ${name}` },
      framework: { name, version: stringMember(about, "version") },
      models: [...new Set([...(model === null ? [] : [model]), ...this.out.models])],
      title: null,
      task: { statement: this.out.statement, instance: task, repository: null, baseCommit: null },
      agents: this.out.agents,
      entries,
      deliveredPatch: null,
      exitStatus,
      totals: { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null, durationMs: null },
      notes: [],
    };
    trajectory.totals = { ...this.totals(trajectory, last), durationMs: this.durationMs };
    trajectory.notes = notes.list();
    return { trajectory, failure };
  }

  /** Adds a document and those that continue it; returns the last one, whose totals are those of all. */
  private addChain(root: AtifDocument): AtifDocument {
    let document = root;
    for (let part = 0; ; part++) {
      const prefix = part === 0 ? "" : `continuation ${part}:`;
      this.addDocument(document, { agent: "main", prefix, parentTurn: null });
      const name = stringMember(document.value, "continued_trajectory_ref");
      const next = name === null ? null : this.linkedBy(document, name);
      if (name !== null && next === null) {
        const message = "The run goes on in another file, which is not here";
        const place = document.places.member("continued_trajectory_ref");
        this.documents.notes.add("continuation_missing", "information", message, place);
      }
      if (next === null || this.done.has(next.value)) return document;
      document = next;
    }
  }

  private addDocument(document: AtifDocument, who: Pick<Speaker, "agent" | "prefix" | "parentTurn">): void {
    this.done.add(document.value);
    this.addAbout(document);
    this.out.begin();
    const steps = listMember(document.value, "steps");
    const model = stringMember(member(document.value, "agent"), "model_name");
    const hasMetrics = steps.some((step) => readUsage(member(step, "metrics")) !== null);
    const speaker: Speaker = { ...who, model, hasMetrics };
    for (const [index, value] of steps.entries()) {
      const raw = document.places.element("steps", index);
      const step = readStep(value, index, raw);
      if (step === null) {
        this.out.addUnknown("something that is no object", JSON.stringify(value), raw);
        continue;
      }
      const turn = this.out.add(step, speaker);
      for (const reference of step.results.flatMap((result) => result.references)) {
        const found = this.resolve(document, reference);
        if (found !== null) this.addSubAgent(found, turn?.index ?? null);
        else {
          const message = "Trajectories of sub-agents that a step names and that are not here";
          this.documents.notes.add("sub_agent_missing", "information", message, raw);
        }
      }
    }
    for (const embedded of embeddedIn(document)) this.addSubAgent(embedded, null);
  }

  /** Adds a sub-agent's trajectory, once. */
  private addSubAgent(document: AtifDocument, startedByTurn: number | null): void {
    if (this.done.has(document.value)) return;
    const id = `sub-${this.out.agents.length}`;
    const name = stringMember(member(document.value, "agent"), "name") ?? "Sub-agent";
    this.out.agents.push({ id, name, startedByTurn });
    this.addDocument(document, { agent: id, prefix: `${id}:`, parentTurn: startedByTurn });
    this.out.begin();
  }

  /** What a reference names: an embedded document by its identifier, or a file. Before v1.7 the session told them apart. */
  private resolve(document: AtifDocument, reference: JsonValue): AtifDocument | null {
    const embedded = embeddedIn(document);
    const id = stringMember(reference, "trajectory_id");
    const byId = id === null ? undefined : embedded.find(({ value }) => stringMember(value, "trajectory_id") === id);
    const path = stringMember(reference, "trajectory_path");
    const byPath = path === null ? null : this.linkedBy(document, path);
    if (byId ?? byPath) return byId ?? byPath;
    const session = stringMember(reference, "session_id");
    if (id !== null || session === null) return null;
    return embedded.find(({ value }) => stringMember(value, "session_id") === session) ?? null;
  }

  private linkedBy(document: AtifDocument, name: string): AtifDocument | null {
    const folder = document.path?.slice(0, document.path.lastIndexOf("/") + 1) ?? "";
    const { linked } = this.documents;
    return linked.get(`${folder}${name}`) ?? linked.get(`${folder}${name.slice(name.lastIndexOf("/") + 1)}`) ?? null;
  }

  /** Keeps what stands beside the steps of a document as one item of context. */
  private addAbout(document: AtifDocument): void {
    const entries = Object.entries(document.value).filter(([key]) => !SHOWN.has(key));
    if (entries.length === 0) return;
    const raw = entries.map(([key]) => document.places.member(key));
    const shown = entries.map(([key, value]): [string, JsonValue] => {
      const rest = withoutVerdict(key, value);
      if (rest !== value) {
        const message = "What a trajectory says about how it was judged; shown as such, outside the trace";
        this.documents.notes.add("failure_context", "information", message, document.places.member(key));
      }
      return [key, rest];
    });
    const text = JSON.stringify(Object.fromEntries(shown), null, 2);
    this.out.writer.addContext({ contextKind: "metadata", author: HARNESS, sourceSteps: [], raw, text });
  }

  /** What the run states for all of it; the sum over its turns where it states nothing. */
  private totals(trajectory: Trajectory, last: AtifDocument): Usage {
    const stated = readUsage(member(last.value, "final_metrics"));
    if (stated !== null) return stated;
    return usageOfTurns(turnsOf(trajectory));
  }

  private get durationMs(): number | null {
    const { times } = this.out;
    const ms = times === null ? 0 : times.last - times.first;
    return ms > 0 ? ms : null;
  }
}

/** The trajectories that stand inside a document. */
function embeddedIn(document: AtifDocument): AtifDocument[] {
  return listMember(document.value, "subagent_trajectories").flatMap((value, index) =>
    isObject(value)
      ? [{ value, places: document.places.insideElement("subagent_trajectories", index), path: document.path }]
      : [],
  );
}

const VERDICTS: ReadonlySet<string> = new Set(["reward", "rewards", "verifier_result"]);

/** A member of a document without the rewards in it; the very same when there are none. */
function withoutVerdict(key: string, value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  if (key === "final_metrics") {
    const rest = withoutVerdict("extra", value.extra ?? null);
    return rest === (value.extra ?? null)
      ? value
      : Object.fromEntries(entries.map(([k, v]) => [k, k === "extra" ? rest : v]));
  }
  if (key !== "extra" || !entries.some(([name]) => VERDICTS.has(name))) return value;
  return Object.fromEntries(entries.filter(([name]) => !VERDICTS.has(name)));
}
