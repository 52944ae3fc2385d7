import { HARNESS } from "../../entries";
import { isObject, type JsonObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";
import type { CallKeys } from "./call-book";
import type { ObjectRecord } from "./event-record";
import { replyUsage } from "./metrics";
import { NO_RESPONSE, type Response, type RunWriter } from "./run-writer";
import { timeOf } from "./times";
import { planOf } from "./tools";
import { addV0Observation } from "./v0-observations";

/** Actions that are no work of an agent, and what they are. */
const BOOKS = new Set([
  "change_agent_state",
  "null",
  "condensation_request",
  "recall",
  "pause",
  "resume",
  "init",
  "start",
]);

/** Adds an event of OpenHands V0 or OpenDevin: an action or an observation. */
export function addV0Event(run: RunWriter, record: ObjectRecord): void {
  const { value } = record;
  const time = timeOf(value);
  run.noteTime(time);
  const metrics = member(value, "llm_metrics");
  if (isObject(metrics) && (run.depth === 0 || run.metrics === undefined)) run.metrics = metrics;
  const action = stringMember(value, "action");
  if (action === null) addV0Observation(run, record, keysOf(value, "cause"), time);
  else addAction(run, record, action, time);
}

function addAction(run: RunWriter, record: ObjectRecord, action: string, time: string | null): void {
  const { value, at } = record;
  const args = member(value, "args");
  const given = isObject(args) ? args : null;
  const isOfAgent = stringMember(value, "source") === "agent";
  const { event } = keysOf(value, "id");
  if (!isOfAgent && !isByTheModel(value) && event !== null) run.ofOthers.add(event);
  const said = run.texts.content(member(given ?? value, "content"), at);
  if (action === "system") addSystem(run, record, said, given);
  else if (action === "condensation" || action === "summarize") {
    const summary = stringMember(given ?? undefined, "summary");
    run.addContext(record, "compaction", HARNESS, summary ?? run.texts.json(given, at));
  } else if (BOOKS.has(action)) {
    const state = action === "change_agent_state" ? stringMember(given ?? undefined, "agent_state") : null;
    run.ending = state ?? run.ending;
    run.addMetadata(record, run.texts.json(value, at));
  } else if (isOfAgent || isByTheModel(value)) addTurn(run, record, action, given, time);
  else if (action === "message") {
    const text = [said, ...run.texts.beside(given ?? undefined, at)].filter((part) => part !== "").join("\n");
    if (stringMember(value, "source") === "environment") run.addContext(record, "injected", HARNESS, text);
    else run.addPerson(record, text);
  } else run.addPerson(record, run.texts.json(value, at));
}

function addSystem(run: RunWriter, record: ObjectRecord, said: string, given: JsonObject | null): void {
  run.addContext(record, "system", HARNESS, said);
  run.version ??= stringMember(given ?? undefined, "openhands_version");
  const tools = listMember(given ?? undefined, "tools");
  if (tools.length > 0) run.addMetadata(record, run.texts.json({ tools }, record.at));
}

function isByTheModel(value: JsonObject): boolean {
  return isObject(member(member(value, "tool_call_metadata"), "model_response"));
}

function addTurn(
  run: RunWriter,
  record: ObjectRecord,
  action: string,
  given: JsonObject | null,
  time: string | null,
): void {
  const { value, at } = record;
  const metadata = member(value, "tool_call_metadata");
  const response = responseOf(metadata);
  const before = run.writer.turnCount;
  const turn = run.turnOf(record, response, time);
  if (run.writer.turnCount > before) {
    for (const thought of reasoningOf(metadata)) run.addWords(turn, record, "thought", run.texts.plain(thought, at));
  }
  const thought = stringMember(given ?? undefined, "thought") ?? "";
  if (action === "message") {
    const text = [
      run.texts.content(member(given ?? value, "content"), at),
      ...run.texts.beside(given ?? undefined, at),
    ];
    run.addWords(turn, record, "thought", run.texts.plain(thought, at));
    const words = text.filter((part) => part !== "").join("\n");
    // A message without words is a turn too.
    run.addMessage(turn, record, words);
    return;
  }
  const words = thought === "" && turn.items.length === 0 ? (replyText(metadata) ?? "") : thought;
  run.addWords(turn, record, "thought", run.texts.plain(words, at));
  const tool = action === "call_tool_mcp" ? stringMember(given ?? undefined, "name") : null;
  const name = stringMember(metadata, "function_name") ?? tool ?? action;
  const called = callArguments(action, given, value);
  const plan = planOf(action, called);
  if (plan !== null) run.addWords(turn, record, "plan", plan);
  if (action === "finish") run.addWords(turn, record, "message", finalWords(given, thought));
  const text = called === null ? stringMember(value, "content") : null;
  const open = run.addCall(
    turn,
    record,
    { tool: name, callId: stringMember(metadata, "tool_call_id"), given: called, text },
    keysOf(value, "id"),
  );
  if (action === "reject" && run.depth === 0) run.ending = "rejected";
  if (action !== "delegate") return;
  const inputs = member(given ?? undefined, "inputs");
  const task = stringMember(inputs, "task") ?? stringMember(inputs, "content");
  run.startAgent(open, stringMember(given ?? undefined, "agent") ?? "sub-agent", task);
}

/** The arguments of a call: those of the action without its thought, which is an item of its own. */
function callArguments(action: string, given: JsonObject | null, value: JsonObject): JsonObject | null {
  if (given === null) return commandOf(value);
  if (action === "call_tool_mcp" && isObject(given.arguments)) return given.arguments;
  if (action === "think") return given;
  const { thought: _, ...rest } = given;
  return rest;
}

/** Some viewers flatten an action: its command stands in `command`, or in `content`. */
function commandOf(value: JsonObject): JsonObject | null {
  const command = stringMember(value, "command");
  return command === null ? null : { command };
}

function finalWords(given: JsonObject | null, thought: string): string {
  const outputs = member(given ?? undefined, "outputs");
  const words = [
    stringMember(given ?? undefined, "final_thought"),
    stringMember(outputs, "content"),
    stringMember(outputs, "answer"),
  ];
  return words.find((text) => text !== null && text.trim() !== "" && text !== thought) ?? "";
}

function responseOf(metadata: JsonValue | undefined): Response {
  const reply = member(metadata, "model_response");
  if (!isObject(reply)) return NO_RESPONSE;
  return { id: stringMember(reply, "id"), model: stringMember(reply, "model"), usage: replyUsage(reply) };
}

function replyMessage(metadata: JsonValue | undefined): JsonValue | undefined {
  return member(listMember(member(metadata, "model_response"), "choices")[0], "message");
}

function replyText(metadata: JsonValue | undefined): string | null {
  return stringMember(replyMessage(metadata), "content");
}

/** What the model thought before it answered, once. */
function reasoningOf(metadata: JsonValue | undefined): string[] {
  const message = replyMessage(metadata);
  const blocks = listMember(message, "thinking_blocks").flatMap((block) => stringMember(block, "thinking") ?? []);
  const whole = stringMember(message, "reasoning_content");
  return whole !== null && whole.trim() !== "" ? [whole] : blocks;
}

/** The identifiers of an action, or of the action that an observation answers. */
function keysOf(value: JsonObject, event: "id" | "cause"): CallKeys {
  const id = value[event];
  const isId = typeof id === "number" || (typeof id === "string" && id !== "");
  return { event: isId ? id : null, call: stringMember(member(value, "tool_call_metadata"), "tool_call_id") };
}

/** An entry of the viewer as an event: it names who wrote it and what it is. */
export function fromViewer(value: JsonObject): JsonObject {
  const actor = (stringMember(value, "actorType") ?? "").toLowerCase();
  const source = actor === "assistant" || actor === "agent" ? "agent" : actor === "user" ? "user" : "environment";
  const { id, timestamp, content = "" } = value;
  const common: JsonObject = { ...(id === undefined ? {} : { id }), timestamp: timestamp ?? null, source };
  const command = stringMember(value, "command");
  if (command !== null) return { ...common, action: "run", args: { command, thought: content } };
  if (value.type === "thought") return { ...common, action: "think", args: { thought: content } };
  if (source === "environment") return { ...common, observation: stringMember(value, "type") ?? "", content };
  return { ...common, action: "message", args: { content } };
}
