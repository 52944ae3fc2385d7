import { HARNESS } from "../../entries";
import { isObject, type JsonObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";
import type { ObjectRecord } from "./event-record";
import type { Response, RunWriter } from "./run-writer";
import { timeOf } from "./times";
import { planOf } from "./tools";
import { argumentsOf, toolOf } from "./v1-arguments";
import { addV1Observation } from "./v1-observations";

/** Adds an event of the OpenHands SDK (V1). */
export function addV1Event(run: RunWriter, record: ObjectRecord): void {
  const { value, at } = record;
  const kind = stringMember(value, "kind") ?? "";
  const time = timeOf(value);
  run.noteTime(time);
  if (kind === "ActionEvent") addActionEvent(run, record, time);
  else if (kind === "MessageEvent") addMessageEvent(run, record, time);
  else if (isAnswer(kind)) addV1Observation(run, record, kind, time);
  else if (kind === "SystemPromptEvent") addSystemPrompt(run, record);
  else if (kind === "Condensation" || kind === "CondensationSummaryEvent") {
    const forgotten = listMember(value, "forgotten_event_ids").length;
    const summary = stringMember(value, "summary");
    run.addContext(record, "compaction", HARNESS, summary ?? `${forgotten} events are no longer shown to the model`);
  } else if (kind === "ConversationStateUpdateEvent") {
    addState(run, value);
    run.addMetadata(record, run.texts.json(value, at));
  } else if (kind === "LLMCompletionLogEvent") addLog(run, record);
  else if (kind === "ConversationErrorEvent") {
    run.ending = "error";
    run.addContext(record, "injected", HARNESS, errorText(value) ?? run.texts.json(value, at));
  } else if (BOOKS.has(kind)) {
    if (kind === "PauseEvent") run.ending = "paused";
    run.addMetadata(record, run.texts.json(value, at));
  } else run.addOpaque(record, `one of kind ${kind}`, run.texts.json(value, at));
}

const BOOKS = new Set(["PauseEvent", "InterruptEvent", "CondensationRequest", "TokenEvent", "HookExecutionEvent"]);

function isAnswer(kind: string): boolean {
  return kind === "ObservationEvent" || kind === "AgentErrorEvent" || kind === "UserRejectObservation";
}

function responseOf(value: JsonObject): Response {
  const id = stringMember(value, "llm_response_id");
  return { id: id === "" ? null : id, model: null, usage: null };
}

/** What the model thought, from whichever of the members holds it; each text once. */
function reasoningOf(value: JsonValue): string[] {
  const blocks = listMember(value, "thinking_blocks").flatMap((block) => stringMember(block, "thinking") ?? []);
  const item = member(value, "responses_reasoning_item");
  const parts = [...listMember(item, "summary"), ...listMember(item, "content")];
  const items = parts.flatMap((part) => (typeof part === "string" ? part : (stringMember(part, "text") ?? [])));
  const whole = stringMember(value, "reasoning_content");
  const said = [...(whole === null ? [] : [whole]), ...blocks, ...items].filter((text) => text.trim() !== "");
  // The whole is its blocks again.
  return said.filter((text, n) => !said.slice(0, n).some((other) => other.includes(text.trim())));
}

function addActionEvent(run: RunWriter, record: ObjectRecord, time: string | null): void {
  const { value, at } = record;
  const turn = run.turnOf(record, responseOf(value), time);
  const reasoning = reasoningOf(value);
  for (const text of reasoning) run.addWords(turn, record, "thought", run.texts.plain(text, at));
  const said = withoutReasoning(run.texts.content(member(value, "thought"), at), reasoning);
  run.addWords(turn, record, "thought", said);
  const toolCall = member(value, "tool_call");
  const callId = stringMember(value, "tool_call_id") ?? stringMember(toolCall, "id");
  const action = member(value, "action");
  const tool = stringMember(value, "tool_name") ?? stringMember(toolCall, "name") ?? toolOf(action);
  const { given, text, differs } = argumentsOf(toolCall, action);
  if (differs) {
    const message = "Calls of which other arguments were carried out than the model gave; those carried out are shown";
    run.notes.add("arguments_changed", "information", message, at);
  }
  const plan = planOf(tool, given);
  if (plan !== null) run.addWords(turn, record, "plan", plan);
  if (tool === "finish") run.addWords(turn, record, "message", stringMember(given ?? undefined, "message") ?? "");
  const id = stringMember(value, "id");
  run.addCall(turn, record, { tool, callId, given, text }, { event: id, call: callId });
}

/** Some providers give the reasoning inside `<think>` as well; what is left of the words then. */
function withoutReasoning(said: string, reasoning: readonly string[]): string {
  const end = said.startsWith("<think>") ? said.indexOf("</think>") : -1;
  if (end === -1) return said;
  const inside = said.slice("<think>".length, end).trim();
  return reasoning.some((text) => text.trim() === inside) ? said.slice(end + "</think>".length).trim() : said;
}

function addMessageEvent(run: RunWriter, record: ObjectRecord, time: string | null): void {
  const { value, at } = record;
  const message = member(value, "llm_message");
  const text = run.texts.content(member(message, "content"), at);
  const source = stringMember(value, "source");
  if (source === "agent") {
    const turn = run.turnOf(record, responseOf(value), time);
    const reasoning = reasoningOf(message ?? null);
    for (const thought of reasoning) run.addWords(turn, record, "thought", run.texts.plain(thought, at));
    run.addMessage(turn, record, withoutReasoning(text, reasoning));
  } else if (source === "user" || stringMember(message, "role") === "user") run.addPerson(record, text);
  else run.addContext(record, "injected", HARNESS, text);
  const extension = run.texts.content(member(value, "extended_content"), at);
  if (extension !== "") run.addContext(record, "injected", HARNESS, extension);
}

function addSystemPrompt(run: RunWriter, record: ObjectRecord): void {
  const { value, at } = record;
  const parts = [member(value, "system_prompt"), member(value, "dynamic_context")];
  const texts = parts.map((part) => run.texts.content(part, at)).filter((text) => text !== "");
  run.addContext(record, "system", HARNESS, texts.join("\n"));
  const tools = listMember(value, "tools");
  if (tools.length > 0) run.addMetadata(record, run.texts.json({ tools }, at));
}

function addState(run: RunWriter, value: JsonObject): void {
  const key = stringMember(value, "key");
  const state = member(value, "value");
  const status = key === "execution_status" ? state : member(state, "execution_status");
  if (typeof status === "string" && (key === "execution_status" || key === "full_state")) run.ending = status;
  const stats = key === "stats" ? state : key === "full_state" ? member(state, "stats") : undefined;
  if (isObject(stats)) run.metrics = stats;
}

/** A log of a request repeats the conversation so far: only its name and size are shown. */
function addLog(run: RunWriter, record: ObjectRecord): void {
  const { log_data: data, ...rest } = record.value;
  const message = "Logs of requests to the model, which repeat the conversation; only their names are shown";
  run.notes.add("repeated_prompt", "information", message, record.at);
  const size = typeof data === "string" ? data.length : 0;
  run.addMetadata(record, `${run.texts.json(rest, record.at)} (${size} characters of the log are not shown)`);
}

function errorText(value: JsonObject): string | null {
  const [code, detail] = [stringMember(value, "code"), stringMember(value, "detail") ?? stringMember(value, "error")];
  return code === null && detail === null ? null : [code, detail].filter((part) => part !== null).join(": ");
}
