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

  const firsts = new Map<ThreadKey, SessionRecord[]>();
  for (const record of messages) {
    if (record.thread === MAIN) continue;
    const lines = firsts.get(record.thread);
    if (!lines) firsts.set(record.thread, [record]);
    else if (lines.length < LINES_LOOKED_AT) lines.push(record);
  }
  if (firsts.size === 0) return { subAgents: [], isSubAgentFile };
  const calls = delegateCalls(messages);
  const subAgents = [...firsts].map(([key, lines]): SubAgent => {
    const found = startOf(key, lines, calls);
    if (found) found.isTaken = true;
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
    // Its own key until the walk ends: a circle ends where it is met again.
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
  isTaken: boolean;
}

interface DelegateCalls {
  byId: Map<string, DelegateCall>;
  /** By the key of the sub-agent that the call's result names. */
  byAgent: Map<ThreadKey, DelegateCall>;
  byPrompt: Map<string, DelegateCall[]>;
}

function delegateCalls(messages: SessionRecord[]): DelegateCalls {
  const calls: DelegateCalls = { byId: new Map(), byAgent: new Map(), byPrompt: new Map() };
  for (const record of messages) {
    for (const block of blocksOf(record.message)) {
      const id = stringMember(block, "id");
      if (stringMember(block, "type") === "tool_use" && id !== null && isDelegate(stringMember(block, "name") ?? "")) {
        if (calls.byId.has(id)) continue;
        const input = member(block, "input");
        const name = stringMember(input, "subagent_type") ?? stringMember(input, "description");
        const prompt = stringMember(input, "prompt")?.trim() || null;
        const call = { id, name, prompt, agentId: null, isTaken: false };
        calls.byId.set(id, call);
        if (prompt !== null) calls.byPrompt.set(prompt, [...(calls.byPrompt.get(prompt) ?? []), call]);
      }
      const answered = calls.byId.get(stringMember(block, "tool_use_id") ?? "");
      if (!answered || answered.agentId !== null) continue;
      answered.agentId = stringMember(member(record.value, "toolUseResult"), "agentId");
      if (answered.agentId !== null) calls.byAgent.set(`agent-${answered.agentId}`, answered);
    }
  }
  return calls;
}

/** The call that started a sub-agent, if something says which and no other sub-agent has it. */
function startOf(key: ThreadKey, lines: SessionRecord[], calls: DelegateCalls): DelegateCall | undefined {
  const free = (call: DelegateCall | undefined): call is DelegateCall => call !== undefined && !call.isTaken;
  const byAgent = calls.byAgent.get(key);
  if (free(byAgent)) return byAgent;
  for (const line of lines) {
    for (const field of ["sourceToolUseID", "parentToolUseID", "parent_tool_use_id"]) {
      const named = calls.byId.get(stringMember(line.value, field) ?? "");
      if (free(named)) return named;
    }
  }
  const first = lines[0];
  if (first?.type !== "user") return undefined;
  const prompt = blocksOf(first.message).map((block) => stringMember(block, "text") ?? "");
  const asked = calls.byPrompt.get(prompt.join("\n").trim()) ?? [];
  // A call whose result names another agent did not start this one.
  return asked.find((call) => free(call) && (call.agentId === null || key === `agent-${call.agentId}`));
}
