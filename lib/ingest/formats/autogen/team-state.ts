import { isObject, type JsonObject, type JsonValue, member, stringMember } from "../../safe-json";
import { readEvent, type TeamEvent } from "./events";
import type { StateList } from "./state-lists";

/** An event of one agent's own memory, and behind which event of the team's thread it stands there. */
interface Inserted {
  event: TeamEvent;
  agent: string;
  behind: number;
}

/**
 * The events of a saved state in one order. What the team said is the thread; what only one agent knows (its prompts,
 * calls, thoughts) is put before the message that it led to. A message that stands in several memories is one event with
 * several places. Without a thread the first agent's memory takes its place.
 */
export function mergeState(lists: readonly StateList[]): { events: TeamEvent[]; broken: TeamEvent[] } {
  const broken: TeamEvent[] = [];
  const [threads, memories] = [
    lists.filter(({ kind }) => kind === "thread"),
    lists.filter(({ kind }) => kind !== "thread"),
  ];
  const [main, ...others] = threads.length > 0 ? [...threads, ...memories] : memories;
  if (main === undefined) return { events: [], broken };
  const thread = eventsOf(main, broken);
  const places = new Map<string, number[]>();
  for (const [n, event] of thread.entries()) remember(places, keyOf(event), n);
  const inserted: Inserted[] = [];
  for (const list of others) {
    let behind = -1;
    const seen = new Map<string, number>();
    for (const event of eventsOf(list, broken)) {
      const key = keyOf(event);
      const time = seen.get(key) ?? 0;
      seen.set(key, time + 1);
      const found = places.get(key)?.[time] ?? places.get(key)?.at(-1);
      if (found === undefined) inserted.push({ event, agent: list.agent, behind });
      else {
        thread[found]?.raw.push(...event.raw);
        thread[found]?.steps.push(...event.steps);
        behind = Math.max(behind, found);
      }
    }
  }
  return { events: inOrder(thread, inserted), broken };
}

function remember(places: Map<string, number[]>, key: string, n: number): void {
  const known = places.get(key);
  if (known) known.push(n);
  else places.set(key, [n]);
}

/** Puts each event of a memory before the next one in the thread that its agent says, or at the end. */
function inOrder(thread: readonly TeamEvent[], inserted: readonly Inserted[]): TeamEvent[] {
  const prompts = inserted.filter(({ event }) => event.type === "SystemMessage").map(({ event }) => event);
  const ownPlaces = new Map<string, number[]>();
  for (const [n, { source }] of thread.entries()) remember(ownPlaces, source, n);
  const before = new Map<number, TeamEvent[]>();
  for (const { event, agent, behind } of inserted) {
    if (event.type === "SystemMessage") continue;
    const own = ownPlaces.get(agent) ?? ownPlaces.get(event.source) ?? [];
    const at = firstAbove(own, behind) ?? thread.length;
    const known = before.get(at);
    if (known) known.push(event);
    else before.set(at, [event]);
  }
  const events = thread.flatMap((event, n) => [...(before.get(n) ?? []), event]);
  return [...prompts, ...events, ...(before.get(thread.length) ?? [])];
}

/** The first of sorted numbers above a bound. */
function firstAbove(sorted: readonly number[], bound: number): number | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > bound) high = middle;
    else low = middle + 1;
  }
  return sorted[low];
}

function eventsOf(list: StateList, broken: TeamEvent[]): TeamEvent[] {
  return list.values.flatMap((value, n) => {
    const span = list.spans[n];
    const raw = { line: null, pointer: `${list.pointer}/${n}`, start: span?.start ?? null, end: span?.end ?? null };
    const convention = list.kind === "thread" ? "message" : `${list.kind} of ${list.agent || "the agent"}`;
    const step = { convention, step: String(n) };
    if (isObject(value)) return spoken(value, readEvent(value, raw, step), list.agent);
    broken.push(readEvent({ content: value }, raw, step));
    return [];
  });
}

/** A message of a model's memory in the words of the team's events; an event stays what it is. */
function spoken(value: JsonObject, event: TeamEvent, agent: string): TeamEvent[] {
  const source = event.source || agent || "assistant";
  switch (event.type) {
    case "SystemMessage":
      return [{ ...event, source: agent }];
    case "UserMessage":
      return [{ ...event, type: "TextMessage", source: event.source || "user" }];
    case "FunctionExecutionResultMessage":
      return [{ ...event, type: "ToolCallExecutionEvent", source: agent || source }];
    case "AssistantMessage": {
      const thought = stringMember(value, "thought");
      const said = { ...event, source, type: Array.isArray(event.content) ? "ToolCallRequestEvent" : "TextMessage" };
      return thought === null || thought.trim() === ""
        ? [said]
        : [{ ...said, type: "ThoughtEvent", content: thought }, said];
    }
    default:
      return [event];
  }
}

/** What two records of the same message have in common: who says what, or which calls they are. */
function keyOf({ type, source, content }: TeamEvent): string {
  if (type === "ToolCallRequestEvent") return JSON.stringify(["calls", ...parts(content, ["id", "name", "arguments"])]);
  if (type === "ToolCallExecutionEvent") return JSON.stringify(["answers", ...parts(content, ["call_id", "content"])]);
  return JSON.stringify([type === "ThoughtEvent" || type === "SystemMessage" ? type : "says", source, content ?? null]);
}

function parts(content: JsonValue | undefined, keys: readonly string[]): (JsonValue | undefined)[] {
  return Array.isArray(content) ? content.flatMap((one) => keys.map((key) => member(one, key) ?? null)) : [content];
}
