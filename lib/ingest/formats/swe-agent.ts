import { IngestError } from "@/lib/errors";
import { type RawSpan, TRAJECTORY_VERSION } from "@/lib/trajectory/schema";
import type { Adapter, Parsed, ReportProgress, Sniff } from "../adapter";
import type { Content } from "../content";
import { AGENT, EntryWriter, HARNESS, unknownFailure } from "../entries";
import { addEnvelope } from "../envelope";
import type { ElementSpan } from "../json-scan";
import { NoteBook } from "../notes";
import { isObject, type JsonObject, type JsonValue, listMember, member } from "../safe-json";
import { aboutSweAgent } from "./swe-agent/about";
import { addHistoryTurns } from "./swe-agent/history-only";
import { elementSpan, type HistoryMessage, matchHistory, readHistory, wholeText } from "./swe-agent/messages";
import { issueOf, type RunFacts, readRunFacts } from "./swe-agent/run-facts";
import { addStepTurn, isHarnessStep, readStep, type Step, unreadFields } from "./swe-agent/steps";
import { variantOf } from "./swe-agent/variant";

/** SWE-agent's `.traj` files, 0.x and 1.x (formats: docs/formats.md). */
export const sweAgent: Adapter = {
  id: "swe-agent",
  about: aboutSweAgent,
  sniff: sniffSweAgent,
  parse: parseSweAgent,
};

function sniffSweAgent(content: Content): Sniff {
  if (content.kind !== "document") return { score: 0, reason: "not one JSON document" };
  const document = content.json.value;
  if (!isObject(document)) return { score: 0, reason: "the document is not an object" };
  const steps = listMember(document, "trajectory");
  const first = steps.filter(isObject).slice(0, 50);
  const marked = first.filter((step) => Object.hasOwn(step, "action") && Object.hasOwn(step, "observation"));
  if (first.length > 0 && marked.length * 2 >= first.length) {
    return { score: 0.95, reason: "`trajectory` holds steps with `action` and `observation`" };
  }
  const history = listMember(document, "history").filter(isObject).slice(0, 50);
  const isOwn = history.some(
    (message) =>
      typeof message.agent === "string" &&
      (Object.hasOwn(message, "message_type") || Object.hasOwn(message, "thought")),
  );
  const isRoleList = history.length > 0 && history.every((message) => typeof message.role === "string");
  if (isOwn && isRoleList)
    return { score: 0.8, reason: "`history` holds messages with `agent` and `message_type` or `thought`" };
  const isEmptyRun = Array.isArray(document.trajectory) && steps.length === 0 && isObject(document.info);
  if (isEmptyRun && (isRoleList || Object.hasOwn(document, "environment"))) {
    return { score: 0.7, reason: "an empty `trajectory` beside `info` and `history`" };
  }
  return { score: 0, reason: "no `trajectory` of steps and no `history` of SWE-agent messages" };
}

function parseSweAgent(content: Content, report: ReportProgress): Parsed {
  if (content.kind !== "document") throw new IngestError("malformed", "a SWE-agent trajectory is one JSON document");
  const { value: document, layout, repairs } = content.json;
  const notes = new NoteBook();
  notes.addRepairs(repairs, null);
  const writer = new EntryWriter();
  const facts = readRunFacts(document);
  const elements = layout.members.get("trajectory")?.elements ?? [];
  const values = listMember(document, "trajectory");
  const spans = values.map((_, index) => elementSpan("trajectory", index, elements));
  noteQueries(values, elements, spans, notes);

  const messages = readMessages(document, layout.members.get("history")?.elements ?? [], values, notes);
  const firstOrder = messages.findIndex((message) => message.role === "assistant" && !message.isDemo);
  const prompt = firstOrder === -1 ? messages : messages.slice(0, firstOrder);
  const statement = addPrompt(writer, prompt, facts);
  const later = (firstOrder === -1 ? [] : messages.slice(firstOrder)).filter((message) => !message.isDemo);
  for (const demo of messages.slice(prompt.length).filter((message) => message.isDemo))
    addMessage(writer, demo, "demonstration");

  if (values.length === 0) addHistoryTurns(writer, later, notes, facts.model);
  else addSteps(writer, values, spans, later, notes, facts, report);
  addSubmission(writer, facts, layout.members.get("info"), notes);
  const patch = deliveredPatch(facts.submission, notes);
  if (isObject(document)) addEnvelope(writer, document, layout, SHOWN, patch === null ? {} : withoutPatch(document));
  report(content.source.bytes.length, writer.turnCount);

  return {
    trajectory: {
      version: TRAJECTORY_VERSION,
      format: { id: "swe-agent", variant: variantOf(document, values, facts, statement) },
      framework: { name: "SWE-agent", version: facts.version },
      models: facts.model === null ? [] : [facts.model],
      title: null,
      task: { ...facts.task, statement: facts.task.statement ?? (statement === null ? null : issueOf(statement)) },
      agents: [{ id: "main", name: "SWE-agent", startedByTurn: null }],
      entries: writer.finish(),
      deliveredPatch: patch,
      exitStatus: facts.exitStatus,
      totals: facts.totals,
      notes: notes.list(),
    },
    failure: unknownFailure(),
  };
}

const SHOWN = new Set(["trajectory", "history"]);

/** The delivered patch is shown as such. */
function withoutPatch(document: JsonObject): JsonObject {
  if (!isObject(document.info)) return {};
  const { submission: _, ...info } = document.info;
  return { info };
}

/** The messages of the history; a file without one still repeats them in the last step's `query`. */
function readMessages(
  document: JsonValue,
  spans: { start: number; end: number }[],
  values: JsonValue[],
  notes: NoteBook,
): HistoryMessage[] {
  const history = readHistory(document, spans);
  if (history.length > 0) return history;
  const index = values.findLastIndex((value) => queryOf(value).length > 0);
  if (index === -1) return [];
  const query = queryOf(values[index] ?? null);
  const message = "There is no history; the prompt is taken from the last step's query";
  notes.add("history_from_query", "repaired", message, null);
  const pointer = `/trajectory/${index}/${Array.isArray(member(values[index], "query")) ? "query" : "messages"}`;
  return readHistory({ history: query }, []).map((message) => ({
    ...message,
    raw: { line: null, pointer: `${pointer}/${message.index}`, start: null, end: null },
  }));
}

/** The prompt that a step repeats: `query`, or `messages` in versions in between. */
function queryOf(step: JsonValue): JsonValue[] {
  const query = listMember(step, "query");
  return query.length > 0 ? query : listMember(step, "messages");
}

/** Adds what stands before the first turn. Returns the text of the task message, if there is one. */
function addPrompt(writer: EntryWriter, prompt: HistoryMessage[], facts: RunFacts): string | null {
  let task: string | null = null;
  for (const message of prompt) {
    if (message.isDemo) addMessage(writer, message, "demonstration");
    else if (message.role === "system") addMessage(writer, message, "system");
    else if (task === null && message.role === "user") {
      task = message.content;
      addMessage(writer, message, "task");
    } else addMessage(writer, message, message.role === "" ? "opaque" : "injected");
  }
  if (prompt.length === 0 && facts.task.statement !== null) {
    writer.addContext({
      contextKind: "task",
      author: HARNESS,
      sourceSteps: [],
      raw: [{ line: null, pointer: "/replay_config", start: null, end: null }],
      text: facts.task.statement,
    });
  }
  return task;
}

function addMessage(
  writer: EntryWriter,
  message: HistoryMessage,
  contextKind: "system" | "task" | "demonstration" | "injected" | "opaque",
): void {
  const author = message.role === "assistant" ? AGENT : HARNESS;
  writer.addContext({
    contextKind,
    author: contextKind === "demonstration" ? HARNESS : author,
    sourceSteps: [{ convention: "history", step: String(message.index) }],
    raw: [message.raw],
    text: wholeText(message),
  });
}

function addSteps(
  writer: EntryWriter,
  values: JsonValue[],
  spans: RawSpan[],
  later: HistoryMessage[],
  notes: NoteBook,
  facts: RunFacts,
  report: ReportProgress,
): void {
  const whole: RawSpan = { line: null, pointer: null, start: null, end: null };
  const steps = values.map((value, index) => readStep(value, index, spans[index] ?? whole));
  const read = steps.filter((step): step is Step => step !== null);
  const { bySteps, unmatched } = matchHistory(later, read);
  const unmatchedAfter = new Map<number, HistoryMessage[]>();
  for (const { message, afterStep } of unmatched) {
    const known = unmatchedAfter.get(afterStep);
    if (known) known.push(message);
    else unmatchedAfter.set(afterStep, [message]);
  }
  const addUnmatched = (afterStep: number): void => {
    for (const message of unmatchedAfter.get(afterStep) ?? []) {
      const why = "Messages of the history that belong to no step; kept between turns";
      notes.add("message_without_step", "information", why, message.raw);
      addMessage(writer, message, "injected");
    }
  };
  addUnmatched(-1);
  let n = 0;
  steps.forEach((step, index) => {
    const raw = spans[index] ?? whole;
    if (step === null) {
      notes.add("step_not_understood", "not_understood", "Elements of `trajectory` that are not steps", raw);
      addOpaque(writer, JSON.stringify(values[index]), raw, index);
      return;
    }
    for (const field of unreadFields(values[index] ?? null)) {
      notes.add(
        "step_field_not_shown",
        "information",
        `Fields of steps that only the raw record shows, such as \`${field}\``,
        raw,
      );
    }
    if (isHarnessStep(step)) addHarnessStep(writer, step);
    else addStepTurn(writer, step, bySteps[n] ?? { order: null, answers: [] }, notes, facts.model);
    addUnmatched(n);
    n++;
    if (index % 100 === 99) report(raw.end ?? 0, writer.turnCount);
  });
}

function addHarnessStep(writer: EntryWriter, step: Step): void {
  const parts = [step.action.trim(), step.thought.trim(), step.response.trim(), step.observation.trim()];
  writer.addContext({
    contextKind: "metadata",
    author: HARNESS,
    sourceSteps: [{ convention: "trajectory", step: String(step.index) }],
    raw: [step.raw],
    text: [...new Set(parts)].filter((part) => part !== "").join("\n"),
  });
}

function addOpaque(writer: EntryWriter, text: string, raw: RawSpan, index: number): void {
  writer.addContext({
    contextKind: "opaque",
    author: HARNESS,
    sourceSteps: [{ convention: "trajectory", step: String(index) }],
    raw: [raw],
    text,
  });
}

const PATCH = /^(?:diff --git |--- |Index: )/m;

/** The submission when it is a patch. A terminal's line endings are undone, so that it can be applied. */
function deliveredPatch(submission: string | null, notes: NoteBook): string | null {
  if (submission === null || !PATCH.test(submission)) return null;
  const isFromTerminal = submission.includes("\r\n") && !/(?<!\r)\n/.test(submission.trimEnd());
  if (!isFromTerminal) return submission;
  notes.add(
    "terminal_line_endings",
    "repaired",
    "The submission came through a terminal; its CR LF are read as LF",
    null,
  );
  return submission.replaceAll("\r\n", "\n");
}

/** A submission that is not a patch (the flag of a capture-the-flag run) is kept as context. */
function addSubmission(
  writer: EntryWriter,
  facts: RunFacts,
  info: { start: number; end: number } | undefined,
  notes: NoteBook,
): void {
  if (facts.submission === null || facts.submission.trim() === "" || PATCH.test(facts.submission)) return;
  const raw: RawSpan = { line: null, pointer: "/info/submission", start: info?.start ?? null, end: info?.end ?? null };
  notes.add(
    "submission_not_a_patch",
    "information",
    "The submission is not a patch; it is kept as text at the end",
    raw,
  );
  writer.addContext({ contextKind: "metadata", author: AGENT, sourceSteps: [], raw: [raw], text: facts.submission });
}

/** Each step repeats the whole prompt in `query` (`messages` in some versions); it is left out and counted in bytes. */
function noteQueries(values: JsonValue[], elements: ElementSpan[], spans: RawSpan[], notes: NoteBook): void {
  let dropped = 0;
  const positions: RawSpan[] = [];
  values.forEach((value, index) => {
    const span = spans[index];
    const key = ["query", "messages"].find((name) => Array.isArray(member(value, name)));
    if (key === undefined || span?.start == null || span.end === null) return;
    const found = elements[index]?.lists.findLast((list) => list.key === key);
    dropped += found ? found.end - found.start : 0;
    positions.push({ ...span, pointer: `${span.pointer}/${key}` });
  });
  const message = `Each step repeats the prompt so far; ${dropped.toLocaleString("en-GB")} bytes of it are left out (the upload keeps them)`;
  for (const position of positions) notes.add("repeated_prompt", "information", message, position);
}
