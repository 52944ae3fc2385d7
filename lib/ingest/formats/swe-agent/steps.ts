import type { CallItem, RawSpan, TurnState } from "@/lib/trajectory/schema";
import { isCut, saysFailed } from "../../editor-answers";
import { callKindOf, splitEditorAction, toolOf } from "../../editor-commands";
import { fileViews, type NumberedView } from "../../editor-views";
import { AGENT, type EntryWriter, HARNESS, plainResult } from "../../entries";
import type { NoteBook } from "../../notes";
import { countMember, isObject, type JsonValue, member, parseNestedJson, stringMember } from "../../safe-json";
import { contentText, type HistoryMessage, type StepMessages } from "./messages";

/** One element of `trajectory`. */
export interface Step {
  index: number;
  action: string;
  observation: string;
  response: string;
  thought: string;
  state: TurnState | null;
  executionMs: number | null;
  raw: RawSpan;
}

/** Reads one element of `trajectory`, or null when it is not a step. A text that is no string is kept as its JSON. */
export function readStep(value: JsonValue, index: number, raw: RawSpan): Step | null {
  if (!isObject(value)) return null;
  const hasStepField = ["action", "observation", "response", "thought"].some((key) => Object.hasOwn(value, key));
  if (!hasStepField) return null;
  const seconds = countMember(value, "execution_time");
  return {
    index,
    action: contentText(value.action),
    observation: contentText(value.observation),
    response: contentText(value.response),
    thought: contentText(value.thought),
    state: readState(value.state),
    executionMs: seconds === null ? null : seconds * 1000,
    raw,
  };
}

/**
 * The state of a step. Versions that wrote it as a JSON string took it before the action, those that write an object
 * take it after.
 */
function readState(given: JsonValue | undefined): TurnState | null {
  const isText = typeof given === "string";
  const state = isText ? parseNestedJson(given) : given;
  if (!isObject(state) || Object.keys(state).length === 0) return null;
  const openFile = stringMember(state, "open_file");
  return {
    when: isText ? "before" : "after",
    workingDirectory: stringMember(state, "working_dir"),
    openFile: openFile === "n/a" || openFile === "" ? null : openFile,
    cumulativeDiff: stringMember(state, "diff"),
  };
}

const EXIT_ACTION = /^exit_(?!forfeit\b)\w+$/;
const EXIT_WORDS = /^(?:Exit(?:ed)?\b|exit_\w+$)/;

/** True for a step in which the harness ended the run and the agent said nothing. */
export function isHarnessStep(step: Step): boolean {
  const action = step.action.trim();
  const said = step.response.trim();
  if (!EXIT_ACTION.test(action) && !(action === "" && EXIT_WORDS.test(step.thought.trim()))) return false;
  return said === "" || said === step.thought.trim() || EXIT_WORDS.test(said);
}

/** Adds the turn of one step: thought, response where it says more, call, result, and what else the agent was told. */
export function addStepTurn(
  writer: EntryWriter,
  step: Step,
  messages: StepMessages,
  notes: NoteBook,
  model: string | null,
): void {
  const raw = [step.raw];
  const turn = writer.addTurn({
    agent: "main",
    sourceSteps: [{ convention: "trajectory", step: String(step.index) }],
    state: step.state,
    model,
  });
  const isExit = EXIT_ACTION.test(step.action.trim());
  if (step.thought.trim() !== "" && !isExit) {
    writer.addItem(turn, { kind: "thought", author: AGENT, raw, text: step.thought });
  }
  if (saysMore(step.response, step.thought, step.action)) {
    writer.addItem(turn, { kind: "message", author: AGENT, raw, text: step.response });
  }
  const ordered = messages.order;
  if (ordered && !sameWords(ordered.content, step.response)) {
    notes.add(
      "history_differs",
      "information",
      "The history words the agent's message differently; the step is shown, the raw record has both",
      ordered.raw,
    );
  }
  if (step.action.trim() === "" || isExit) {
    if (!isExit) {
      notes.add(
        "format_error_step",
        "information",
        "Steps in which the agent gave no action that could be run",
        step.raw,
      );
    }
    // What the harness says about the end stands in the thought of that step.
    const ending = [step.action.trim(), step.thought.trim(), step.observation].join("\n").trim();
    const told = isExit ? ending : step.observation;
    const isSaid = told === "" || told.trim() === step.response.trim();
    if (!isSaid) writer.addItem(turn, plainResult(told, raw, { author: HARNESS, isError: true }));
    const others = messages.answers.filter((answer) => !repeats(answer, step.observation));
    addOtherAnswers(writer, turn, others, notes);
    if (turn.items.length === 0) {
      const reason = "a step without words, action and observation";
      writer.addItem(turn, { kind: "opaque", author: AGENT, raw, text: "", reason });
    }
    return;
  }

  const call = writer.addItem(turn, { kind: "call", ...callOf(step, messages.order), author: AGENT });
  const view = viewOf(call);
  const openFile = step.state?.when === "after" ? step.state.openFile : null;
  const result = plainResult(step.observation, raw, {
    author: { role: "tool", name: call.tool },
    callItem: call.id,
    callId: call.callId,
    isError: saysFailed(step.observation),
    isCut: isCut(step.observation),
    durationMs: step.executionMs,
    reads: fileViews(step.observation, openFile, view),
  });
  const others: HistoryMessage[] = [];
  for (const answer of messages.answers) {
    if (repeats(answer, step.observation)) result.raw = [...result.raw, answer.raw];
    else others.push(answer);
  }
  writer.addItem(turn, result);
  addOtherAnswers(writer, turn, others, notes);
  const isChecklist =
    call.callKind === "submit" && /(?:run the submit command again|`?submit`? again)/i.test(step.observation);
  if (isChecklist) {
    notes.add("review_on_submit", "information", "The submit command first answered with a review checklist", step.raw);
  }
}

/** The call of a step: structured arguments come from the history, else from the action where its form is defined. */
function callOf(step: Step, order: HistoryMessage | null): Omit<CallItem, "id" | "arrival" | "kind" | "author"> {
  const structured = order?.calls.length === 1 ? order.calls[0] : undefined;
  const tool = structured?.name || toolOf(step.action);
  const args = structured?.arguments ?? splitEditorAction(step.action);
  const command = args && typeof args.command === "string" ? args.command : null;
  return {
    callKind: callKindOf(tool, step.action, command),
    tool,
    callId: structured?.id ?? null,
    arguments: args,
    text: step.action,
    raw: order ? [step.raw, order.raw] : [step.raw],
  };
}

function viewOf(call: CallItem): NumberedView | null {
  const path = call.arguments?.path;
  if (typeof path !== "string") return null;
  const range = call.arguments?.view_range;
  return { path, isWhole: call.arguments?.command === "view" && (range === undefined || range === null) };
}

function addOtherAnswers(
  writer: EntryWriter,
  turn: Parameters<EntryWriter["addItem"]>[0],
  answers: HistoryMessage[],
  notes: NoteBook,
): void {
  for (const answer of answers) {
    const told = "What the history told the agent differs from the recorded observation; both are kept";
    notes.add("answer_differs", "information", told, answer.raw);
    writer.addItem(turn, { kind: "message", author: HARNESS, raw: [answer.raw], text: answer.content });
  }
}

/** True when a message of the history holds nothing but the observation and the template around it. */
function repeats(answer: HistoryMessage, observation: string): boolean {
  const shown = observation.trim();
  if (shown === "") return /did not produce any output|^\s*(?:OBSERVATION:\s*)?$/.test(answer.content);
  return answer.content.includes(shown);
}

function sameWords(a: string, b: string): boolean {
  return a.trim() === b.trim();
}

/** True when a response says something beyond the thought and the action that were taken from it. */
export function saysMore(response: string, thought: string, action: string): boolean {
  if (response.trim() === "" || response === thought) return false;
  const act = action.trim();
  const at = act === "" ? -1 : response.lastIndexOf(act);
  const rest = at === -1 ? response : response.slice(0, at) + response.slice(at + act.length);
  // Nearly always it is the thought, without the marks that are looked at below.
  if (rest.trim() === thought.trim() && !rest.includes("<") && !rest.includes("```")) return false;
  const bare = rest
    .replace(/<function=[\s\S]*?(?:<\/function>|$)/g, "")
    .replace(/<\/?(?:command|function|parameter)(?:=[\w-]+)?>/g, "")
    .replace(/```[\w-]*/g, "");
  const condense = (text: string): string => text.replace(/\s+/g, "").replaceAll("```", "");
  const left = condense(bare);
  return left !== "" && left !== condense(thought) && !condense(thought).includes(left);
}

/** Fields of a step that the import reads or knows to repeat others. */
const KNOWN_FIELDS = new Set([
  "action",
  "observation",
  "response",
  "thought",
  "state",
  "execution_time",
  "query",
  "messages",
]);

/** Fields of a step that stay in the raw record only: those that hold something and are not known. */
export function unreadFields(value: JsonValue): string[] {
  if (!isObject(value)) return [];
  return Object.keys(value).filter((key) => {
    const held = member(value, key);
    const isEmpty = held === null || held === "" || (typeof held === "object" && Object.keys(held).length === 0);
    return !KNOWN_FIELDS.has(key) && !isEmpty;
  });
}
