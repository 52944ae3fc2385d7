import { type Content, contentLines, isJsonContent } from "../../content";
import type { Part } from "../../parts";
import { isObject, type JsonValue, member, stringMember } from "../../safe-json";
import { threadsIn } from "./database";
import { messagesOf } from "./states";

const NAME_CHARS = 80;

/**
 * The runs of a content: the threads of a database, or states that begin with other words than those before them. States
 * of one run, however many, are one trajectory.
 */
export function splitRuns(content: Content): Part[] {
  if (content.kind === "database") {
    return threadsIn(content.database).map((thread) => ({ key: thread, name: thread || "no thread", range: null }));
  }
  if (!isJsonContent(content)) return [];
  const states = [...placedStates(content)];
  const runs = new Set(states.flatMap(({ value }) => (value === null ? [] : (runOf(value) ?? []))));
  // Of states of several runs each would have to be told apart: only where every run is one state is that certain.
  if (runs.size < 2 || states.filter(({ value }) => value !== null && runOf(value) !== null).length !== runs.size) {
    return [];
  }
  return states.map(({ value, ...range }, n) => ({ key: String(n), name: nameOf(value, n), range }));
}

interface PlacedState {
  value: JsonValue | null;
  start: number;
  end: number;
  line: number;
  pointer: string;
}

function* placedStates(content: Extract<Content, { kind: "document" | "lines" }>): Generator<PlacedState> {
  if (content.kind === "lines") {
    for (const { line, start, end, parsed } of contentLines(content)) {
      yield { value: parsed?.value ?? null, start, end, line, pointer: "" };
    }
    return;
  }
  const { value, layout } = content.json;
  if (!Array.isArray(value)) return;
  for (const [n, state] of value.entries()) {
    const span = layout.elements[n];
    if (span === undefined || messagesOf(state) === null) return;
    yield { value: state, start: span.start, end: span.end, line: 1, pointer: `/${n}` };
  }
}

/** What all states of a run have in common: its thread, or what it begins with. Null before anything was said. */
function runOf(state: JsonValue): string | null {
  const thread = threadOf(state);
  if (thread !== null) return `thread ${thread}`;
  const first = messagesOf(state)?.[0];
  return first === undefined ? null : JSON.stringify(first);
}

/** The thread that a state says it is of. */
export function threadOf(state: JsonValue): string | null {
  const places = [member(state, "config"), member(state, "checkpoint"), member(state, "metadata")];
  const found = places.map((place) => stringMember(member(place, "configurable") ?? place, "thread_id"));
  return found.find((thread) => thread !== null) ?? null;
}

function nameOf(state: JsonValue | null, n: number): string {
  const first = state === null ? undefined : messagesOf(state)?.[0];
  const content = stringMember(first, "content") ?? stringMember(member(first, "kwargs"), "content");
  const thread = isObject(state ?? undefined) ? threadOf(state) : null;
  return (thread ?? content?.trim().split("\n")[0] ?? `state ${n + 1}`).slice(0, NAME_CHARS) || `state ${n + 1}`;
}
