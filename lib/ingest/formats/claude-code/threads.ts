import { member, stringMember } from "../../safe-json";
import { blocksOf, isMessage, type SessionRecord } from "./records";

/** The agent whose thread a line belongs to: `main`, or a key of a sub-agent. */
export type ThreadKey = string;
export const MAIN: ThreadKey = "main";

/** A sub-agent of the session and the call that started it, as far as it can be told. */
export interface SubAgent {
  key: ThreadKey;
  name: string;
  /** The identifier of the Task or Agent call. */
  startedByCall: string | null;
}

/** The threads of a session besides the main one. */
export interface Threads {
  subAgents: SubAgent[];
  /** True when the whole file is the thread of one sub-agent. */
  isSubAgentFile: boolean;
}

/** How many of a sub-agent's first lines may name the call that started it. */
const LINES_LOOKED_AT = 50;
const DELEGATES = new Set(["task", "agent"]);

/** True for the tools that start a sub-agent. */
export function isDelegate(tool: string): boolean {
  return DELEGATES.has(tool.toLowerCase());
}

/**
 * Tells the threads of a session apart and sets `thread` and `turnKey` of each line. Lines of sub-agents carry `agentId`,
 * or only `isSidechain`: then each tree of them is one. A sub-agent is linked to its call by the agent's id in the
 * call's result, by the call that a line names, or by the prompt, each call once.
 */
export function findThreads(records: SessionRecord[], byUuid: Map<string, SessionRecord>): Threads {
  const messages = records.filter(isMessage);
  const isSubAgentFile = messages.length > 0 && messages.every((record) => record.isSidechain);
  const known = new Map<SessionRecord, ThreadKey>();
  for (const record of records) {
    record.thread = isSubAgentFile || !record.isSidechain ? MAIN : sideThread(record, byUuid, known);
    record.turnKey = turnKey(record);
  }

  const calls = delegateCalls(messages);
  const firsts = new Map<ThreadKey, SessionRecord[]>();
  for (const record of messages) {
    if (record.thread === MAIN) continue;
    const lines = firsts.get(record.thread);
    if (!lines) firsts.set(record.thread, [record]);
    else if (lines.length < LINES_LOOKED_AT) lines.push(record);
  }
  const taken = new Set<string>();
  const subAgents = [...firsts].map(([key, lines]): SubAgent => {
    const found = calls.find((call) => !taken.has(call.id) && isStartedBy(key, lines, call));
    if (found) taken.add(found.id);
    return { key, name: found?.name ?? key.replace(/^(agent|side)-/, "sub-agent "), startedByCall: found?.id ?? null };
  });
  return { subAgents, isSubAgentFile };
}

/** The thread of a sidechain line: its agent's id, or the root of its tree. `known` holds what was found before. */
function sideThread(
  record: SessionRecord,
  byUuid: Map<string, SessionRecord>,
  known: Map<SessionRecord, ThreadKey>,
): ThreadKey {
  const path: SessionRecord[] = [];
  let current = record;
  let key: ThreadKey | undefined;
  for (;;) {
    key = current.agentId === null ? known.get(current) : `agent-${current.agentId}`;
    if (key !== undefined) break;
    path.push(current);
    // Its own key for now: a circle ends where it is met again.
    key = `side-${current.uuid ?? `line-${current.line}`}`;
    known.set(current, key);
    const parent = current.parent === null ? undefined : byUuid.get(current.parent);
    if (!parent?.isSidechain) break;
    current = parent;
  }
  for (const one of path) known.set(one, key);
  return key;
}

/** Lines of one API message share its id: they are one turn. A line without one is a turn of its own. */
function turnKey(record: SessionRecord): string | null {
  if (record.type !== "assistant" || !record.message) return null;
  const id = stringMember(record.message, "id");
  if (id === null) return `line-${record.line}`;
  return `${record.thread} ${id} ${stringMember(record.value, "requestId") ?? ""}`;
}

interface DelegateCall {
  id: string;
  name: string | null;
  prompt: string | null;
  agentId: string | null;
}

function delegateCalls(messages: SessionRecord[]): DelegateCall[] {
  const calls = new Map<string, DelegateCall>();
  for (const record of messages) {
    for (const block of blocksOf(record.message)) {
      const id = stringMember(block, "id");
      if (stringMember(block, "type") === "tool_use" && id !== null && isDelegate(stringMember(block, "name") ?? "")) {
        const input = member(block, "input");
        const name = stringMember(input, "subagent_type") ?? stringMember(input, "description");
        if (!calls.has(id)) calls.set(id, { id, name, prompt: stringMember(input, "prompt"), agentId: null });
      }
      const answered = calls.get(stringMember(block, "tool_use_id") ?? "");
      if (answered) answered.agentId ??= stringMember(member(record.value, "toolUseResult"), "agentId");
    }
  }
  return [...calls.values()];
}

function isStartedBy(key: ThreadKey, lines: SessionRecord[], call: DelegateCall): boolean {
  if (call.agentId !== null) return key === `agent-${call.agentId}`;
  const named = lines.some((line) =>
    ["sourceToolUseID", "parentToolUseID", "parent_tool_use_id"].some((field) => member(line.value, field) === call.id),
  );
  if (named) return true;
  const first = lines[0];
  const prompt =
    first?.type === "user" ? blocksOf(first.message).map((block) => stringMember(block, "text") ?? "") : [];
  return call.prompt !== null && call.prompt !== "" && prompt.join("\n").trim() === call.prompt.trim();
}
