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

/** Which thread each line belongs to. */
export interface Threads {
  keyOf(record: SessionRecord): ThreadKey;
  subAgents: SubAgent[];
  /** True when the whole file is the thread of one sub-agent. */
  isSubAgentFile: boolean;
}

const DELEGATES = new Set(["task", "agent"]);

/** True for the tools that start a sub-agent. */
export function isDelegate(tool: string): boolean {
  return DELEGATES.has(tool.toLowerCase());
}

/** Visits a line's ancestors, itself first; a cycle ends it. */
export function* ancestors(record: SessionRecord, byUuid: Map<string, SessionRecord>): Generator<SessionRecord> {
  const seen = new Set<SessionRecord>();
  let current: SessionRecord | undefined = record;
  while (current && !seen.has(current)) {
    seen.add(current);
    yield current;
    current = current.parent === null ? undefined : byUuid.get(current.parent);
  }
}

/**
 * Tells the threads of a session apart. Lines of sub-agents carry `agentId`, or only `isSidechain`: then each tree of
 * them is one. A sub-agent is linked to its call by the agent's id in the call's result, by the call that a line names,
 * or by the prompt, each call once.
 */
export function findThreads(records: SessionRecord[], byUuid: Map<string, SessionRecord>): Threads {
  const messages = records.filter(isMessage);
  const isSubAgentFile = messages.length > 0 && messages.every((record) => record.isSidechain);
  const roots = new Map<SessionRecord, ThreadKey>();
  const keyOf = (record: SessionRecord): ThreadKey => {
    if (!record.isSidechain || isSubAgentFile) return MAIN;
    if (record.agentId !== null) return `agent-${record.agentId}`;
    const known = roots.get(record);
    if (known !== undefined) return known;
    const path: SessionRecord[] = [];
    let key: ThreadKey | null = null;
    for (const ancestor of ancestors(record, byUuid)) {
      if (!ancestor.isSidechain) break;
      key = roots.get(ancestor) ?? (ancestor.agentId === null ? null : `agent-${ancestor.agentId}`);
      if (key !== null) break;
      path.push(ancestor);
    }
    const root = path[path.length - 1] ?? record;
    const found = key ?? `side-${root.uuid ?? `line-${root.line}`}`;
    for (const one of path) roots.set(one, found);
    return found;
  };

  const calls = delegateCalls(messages);
  const firsts = new Map<ThreadKey, SessionRecord[]>();
  for (const record of messages) {
    const key = keyOf(record);
    if (key !== MAIN) firsts.set(key, [...(firsts.get(key) ?? []), record].slice(0, 50));
  }
  const taken = new Set<string>();
  const subAgents = [...firsts].map(([key, lines]): SubAgent => {
    const found = calls.find((call) => !taken.has(call.id) && isStartedBy(key, lines, call));
    if (found) taken.add(found.id);
    return { key, name: found?.name ?? key.replace(/^(agent|side)-/, "sub-agent "), startedByCall: found?.id ?? null };
  });
  return { keyOf, subAgents, isSubAgentFile };
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
