import { IngestError } from "@/lib/errors";
import { TRAJECTORY_VERSION, type Trajectory, type Turn } from "@/lib/trajectory/schema";
import type { Adapter, Parsed, ReportProgress, Sniff } from "../adapter";
import type { Content } from "../content";
import { unknownFailure } from "../entries";
import { NoteBook } from "../notes";
import { isObject, type JsonObject, type JsonValue, listMember, member, stringMember } from "../safe-json";
import { usageOfTurns } from "../usage-sum";
import { aboutMiniSweAgent } from "./mini-swe-agent/about";
import { contentText } from "./mini-swe-agent/agent-message";
import { Conversation } from "./mini-swe-agent/conversation";
import { type ActionLanguage, fencedActions, namesSentinel } from "./mini-swe-agent/fences";
import { type Message, messageList, readMessages } from "./mini-swe-agent/messages";
import { isObservation } from "./mini-swe-agent/observations";
import { addRemainder } from "./mini-swe-agent/remainder";
import { type RunFacts, readRunFacts, taskOf } from "./mini-swe-agent/run-facts";

/** mini-SWE-agent's `.traj.json` files, version 2, and the lists and objects of version 1 (formats: docs/formats.md). */
export const miniSweAgent: Adapter = {
  id: "mini-swe-agent",
  about: aboutMiniSweAgent,
  sniff: sniffMiniSweAgent,
  parse: parseMiniSweAgent,
};

const SAMPLE_MESSAGES = 50;

function sniffMiniSweAgent(content: Content): Sniff {
  if (content.kind !== "document") return { score: 0, reason: "not one JSON document" };
  const document = content.json.value;
  const messages = messageList(document);
  if (messages === null) return { score: 0, reason: "no list of messages" };
  if (stringMember(document, "trajectory_format")?.startsWith("mini-swe-agent")) {
    return { score: 0.95, reason: "`trajectory_format` says so" };
  }
  if (isObject(document) && Object.hasOwn(toObject(member(document, "info")), "mini_version")) {
    return { score: 0.95, reason: "`messages` beside `info.mini_version`" };
  }
  return sniffMessages(messages.slice(0, SAMPLE_MESSAGES).filter(isObject));
}

/** Whether messages are of a run: actions as the only block of a message, and prompts or observations of the harness. */
function sniffMessages(messages: JsonObject[]): Sniff {
  const roles = new Set(["system", "user", "assistant", "tool", "exit"]);
  if (messages.length === 0 || !messages.every((message) => roles.has(stringMember(message, "role") ?? ""))) {
    return { score: 0, reason: "no messages with the roles of a run" };
  }
  const isRun = messages.some((message) => listMember(member(message, "extra"), "actions").length > 0);
  const isAnswered = messages.some((message) => stringMember(member(message, "extra"), "raw_output") !== null);
  if (isRun && isAnswered) return { score: 0.9, reason: "messages with `extra.actions` and `extra.raw_output`" };
  const agents = messages.filter((message) => message.role === "assistant");
  const others = messages.filter((message) => message.role !== "assistant").map(({ content }) => contentText(content));
  const isPrompted = others.some(namesSentinel);
  if (agents.length === 0) {
    return isPrompted
      ? { score: 0.8, reason: "prompts that say how to hand in, and no message of the agent" }
      : { score: 0, reason: "no message of an agent" };
  }
  const texts = agents.map((message) => contentText(message.content));
  const acting = texts.filter((text) => fencedActions(text, languageOf(texts)).length === 1);
  const isActing = acting.length * 2 >= agents.length;
  if (isActing && isPrompted)
    return { score: 0.9, reason: "one shell block a message, and prompts that say how to hand in" };
  if (isActing && others.some((text) => text.startsWith("<returncode>") && isObservation(text))) {
    return { score: 0.8, reason: "one shell block a message, answered with `<returncode>`" };
  }
  return { score: 0, reason: "no actions and observations of mini-SWE-agent" };
}

function toObject(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The language of the blocks that are run: later versions take a word of their own, so that examples are not run. */
function languageOf(agentTexts: string[]): ActionLanguage {
  return agentTexts.some((text) => text.includes("```mswea_bash_command")) ? "mswea_bash_command" : "bash";
}

function parseMiniSweAgent(content: Content, report: ReportProgress): Parsed {
  if (content.kind !== "document") throw new IngestError("malformed", "a run of mini-SWE-agent is one JSON document");
  const { value: document, layout, repairs } = content.json;
  const notes = new NoteBook();
  notes.addRepairs(repairs, null);
  const facts = readRunFacts(document);
  const messages = readMessages(content.json);
  const agents = messages.filter((message) => message.role === "assistant");
  const language = languageOf(agents.map(({ value }) => contentText(member(value, "content"))));
  const conversation = new Conversation(facts, language, notes);
  messages.forEach((message, n) => {
    conversation.add(message, n === messages.length - 1);
    if (n % 100 === 99) report(message.raw.end ?? 0, conversation.writer.turnCount);
  });

  const submission = facts.submission ?? conversation.handedIn;
  const deliveredPatch = submission !== null && PATCH.test(submission) ? submission : null;
  const last = messages.at(-1);
  const shown = [deliveredPatch, conversation.handedIn, last?.text, stringMember(last?.extra, "traceback")];
  const trimmed = new Set(shown.flatMap((text) => (text ? [text.trim()] : [])));
  addRemainder(conversation.writer, document, layout, trimmed, notes);
  report(content.source.bytes.length, conversation.writer.turnCount);

  const entries = conversation.writer.finish();
  const turns = entries.filter((entry): entry is Turn => entry.kind === "turn");
  const { prompt, models } = conversation;
  return {
    trajectory: {
      version: TRAJECTORY_VERSION,
      format: { id: "mini-swe-agent", variant: variantOf(document, agents, language, facts) },
      framework: { name: "mini-SWE-agent", version: facts.version },
      models: models.size > 0 ? [...models] : facts.model === null ? [] : [facts.model],
      title: null,
      task: {
        statement: prompt === null ? null : taskOf(prompt, facts.template),
        instance: facts.instance,
        repository: null,
        baseCommit: null,
      },
      agents: [{ id: "main", name: "mini-SWE-agent", startedByTurn: null }],
      entries,
      deliveredPatch,
      exitStatus: facts.exitStatus ?? conversation.ending,
      totals: totalsOf(turns, messages, facts),
      notes: notes.list(),
    },
    failure: unknownFailure(),
  };
}

const PATCH = /^(?:diff --git |--- |Index: )/m;

function variantOf(document: JsonValue, agents: Message[], language: ActionLanguage, facts: RunFacts): string {
  const version = /^[2-9]/.test(facts.version ?? "") ? "2.x" : "1.x";
  if (agents.some(({ value }) => listMember(value, "tool_calls").length > 0)) return `${version} tool calls`;
  if (agents.some(({ value }) => Array.isArray(value.output))) return `${version} replies`;
  const shape = Array.isArray(document) ? " in a list" : "";
  if (agents.length === 0) return `${version} without turns`;
  return `${version} ${language === "bash" ? "bash" : "own"} blocks${shape}`;
}

function totalsOf(turns: Turn[], messages: Message[], facts: RunFacts): Trajectory["totals"] {
  const usage = usageOfTurns(turns);
  const times = messages.flatMap(({ at }) => (at === null ? [] : [Date.parse(at)]));
  const [first, last] = times.reduce(([a, b], time) => [Math.min(a, time), Math.max(b, time)], [Infinity, -Infinity]);
  return {
    ...usage,
    costUsd: facts.costUsd ?? usage.costUsd,
    durationMs: last > first ? Math.round(last - first) : null,
  };
}
