import type { RawSpan, Usage } from "@/lib/trajectory/schema";
import { isMessage, type LangChainMessage, readMessage, readUsage } from "../../langchain/message";
import {
  countMember,
  isObject,
  type JsonObject,
  type JsonValue,
  listMember,
  member,
  stringMember,
} from "../../safe-json";

/** One run of a trace, with the runs that it started in order. */
export interface Run {
  id: string | null;
  parent: string | null;
  trace: string | null;
  /** Sorts runs of a trace into the order in which they began. */
  order: string;
  type: string;
  name: string;
  startedAt: string | null;
  endedAt: string | null;
  error: string | null;
  value: JsonObject;
  at: RawSpan;
  children: Run[];
  /** Known when the runs have become trees: the run that started it, and whether it or one below it asks a model. */
  above: Run | null;
  asksModel: boolean;
}

const RUN_TYPES = new Set(["chain", "llm", "tool", "retriever", "prompt", "parser", "embedding"]);

/** Whether a value is a run of LangSmith. */
export function isRun(value: JsonValue | undefined): boolean {
  const type = stringMember(value, "run_type");
  return (
    type !== null && RUN_TYPES.has(type) && (member(value, "id") !== undefined || member(value, "name") !== undefined)
  );
}

/**
 * Reads a run and, under `child_runs`, those that it started. Deeper than the reader of JSON goes it cannot be.
 * @param spans where the runs under `child_runs` stand, when that is known
 */
export function readRun(
  value: JsonValue,
  at: RawSpan,
  spans: readonly { start: number; end: number }[] = [],
): Run | null {
  if (!isObject(value) || !isRun(value)) return null;
  const pointer = (n: number): string => `${at.pointer ?? ""}/child_runs/${n}`;
  const children = listMember(value, "child_runs").flatMap((child, n) => {
    const { start, end } = spans[n] ?? at;
    return readRun(child, { ...at, start, end, pointer: pointer(n) }) ?? [];
  });
  return {
    id: stringMember(value, "id"),
    parent: stringMember(value, "parent_run_id"),
    trace: stringMember(value, "trace_id"),
    order: stringMember(value, "dotted_order") ?? stringMember(value, "start_time") ?? "",
    type: stringMember(value, "run_type") ?? "",
    name: stringMember(value, "name") ?? "",
    startedAt: stringMember(value, "start_time"),
    endedAt: stringMember(value, "end_time"),
    error: stringMember(value, "error"),
    value,
    at,
    children,
    above: null,
    asksModel: stringMember(value, "run_type") === "llm",
  };
}

/**
 * The trees of runs that are listed side by side or nested, or both: a run that is there twice counts once. Parents that
 * are missing, or lead in circles, make a run a root.
 */
export function treesOf(runs: readonly Run[]): Run[] {
  const byId = new Map<string, Run>();
  const known: Run[] = [];
  const open = [...runs];
  // Grows while it is gone through.
  for (const run of open) {
    const same = run.id === null ? undefined : byId.get(run.id);
    if (same !== undefined && contentOf(same) === contentOf(run)) continue;
    if (run.id !== null && same === undefined) byId.set(run.id, run);
    known.push(run);
    for (const child of run.children) open.push({ ...child, above: child.parent === null ? run : null });
    run.children = [];
  }
  for (const run of known) run.above ??= run.parent === null ? null : (byId.get(run.parent) ?? null);
  cutCircles(known);
  for (const run of known) {
    run.above?.children.push(run);
    for (let up = run.type === "llm" ? run.above : null; up !== null && !up.asksModel; up = up.above)
      up.asksModel = true;
  }
  for (const run of known) run.children.sort(byOrder);
  return known.filter(({ above }) => above === null).sort(byOrder);
}

/** What a run says itself, whether or not those that it started are nested in it. */
function contentOf({ value }: Run): string {
  return JSON.stringify({ ...value, child_runs: null });
}

/** Makes one run of each circle of parents a root. */
function cutCircles(runs: readonly Run[]): void {
  const rooted = new Set<Run>();
  for (const run of runs) {
    const path = new Set<Run>();
    let last = run;
    for (let next: Run | null = run; next !== null && !rooted.has(next); next = next.above) {
      if (path.has(next)) {
        last.above = null;
        break;
      }
      path.add(next);
      last = next;
    }
    for (const one of path) rooted.add(one);
  }
}

function byOrder(a: Run, b: Run): number {
  return a.order < b.order ? -1 : a.order > b.order ? 1 : 0;
}

/** A message of a run's inputs or outputs, with its place. */
export interface PlacedMessage {
  message: LangChainMessage;
  at: RawSpan;
}

/**
 * The messages of a run's `inputs` or `outputs`: `messages` (a list, or a list for each prompt of a batch), a `message`,
 * the `generations` of a model, the `choices` of an API, or an `output`.
 */
export function messagesOf(run: Run, side: "inputs" | "outputs"): PlacedMessage[] {
  const held = member(run.value, side);
  const found: PlacedMessage[] = [];
  const collect = (value: JsonValue | undefined, pointer: string): void => {
    if (Array.isArray(value)) for (const [n, one] of value.entries()) collect(one, `${pointer}/${n}`);
    else {
      const message = readMessage(value);
      if (message !== null) found.push({ message, at: { ...run.at, pointer: `${run.at.pointer ?? ""}${pointer}` } });
    }
  };
  for (const key of ["messages", "message", "output", "input"]) collect(member(held, key), `/${side}/${key}`);
  // What a tool answers that changes the state of its graph.
  if (found.length === 0)
    collect(member(member(member(held, "output"), "update"), "messages"), `/${side}/output/update/messages`);
  const inner = (list: "generations" | "choices"): void => {
    const walk = (value: JsonValue | undefined, pointer: string): void => {
      if (Array.isArray(value)) for (const [n, one] of value.entries()) walk(one, `${pointer}/${n}`);
      else if (isObject(member(value, "message"))) collect(member(value, "message"), `${pointer}/message`);
    };
    walk(member(held, list), `/${side}/${list}`);
  };
  if (found.length === 0) inner("generations");
  if (found.length === 0) inner("choices");
  // A message alone, not wrapped in anything.
  if (found.length === 0) collect(held, `/${side}`);
  return found;
}

/** Whether a value holds nothing but messages: a list of them, lists of lists, or answers around them. */
export function holdsMessages(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(holdsMessages);
  return isMessage(value) || isMessage(member(value, "message"));
}

/** The tokens of a run as it says them itself: for all that it started as well. */
export function usageOf({ value }: Run): Usage | null {
  const usage = readUsage({
    input_tokens: member(value, "prompt_tokens") ?? null,
    output_tokens: member(value, "completion_tokens") ?? null,
  });
  const cost = costOf(value);
  if (usage === null && cost === null) return null;
  return { inputTokens: null, outputTokens: null, cachedTokens: null, ...usage, costUsd: cost };
}

/** A cost is written as a text, so that it loses no digits. */
function costOf(value: JsonObject): number | null {
  const held = member(value, "total_cost");
  const cost = typeof held === "string" && /^\d+(?:\.\d+)?(?:e-?\d+)?$/i.test(held.trim()) ? Number(held) : null;
  return cost ?? countMember(value, "total_cost");
}

/** The model that a run asked, as its metadata or its invocation says. */
export function modelOf({ value }: Run): string | null {
  const extra = member(value, "extra");
  const invocation = member(extra, "invocation_params");
  return (
    stringMember(member(extra, "metadata"), "ls_model_name") ??
    stringMember(invocation, "model") ??
    stringMember(invocation, "model_name")
  );
}

const ELSEWHERE = ["inputs_s3_urls", "outputs_s3_urls", "s3_urls"];

/** Whether inputs or outputs of a run are kept elsewhere and only their addresses are here. */
export function isElsewhere({ value }: Run): boolean {
  const hasAddress = ELSEWHERE.some(
    (key) => isObject(member(value, key)) && Object.keys(member(value, key) ?? {}).length > 0,
  );
  return hasAddress && (isEmpty(member(value, "inputs")) || isEmpty(member(value, "outputs")));
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0);
}
