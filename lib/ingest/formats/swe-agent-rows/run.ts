import type { RawSpan, Turn, TurnState } from "@/lib/trajectory/schema";
import { isCut, saysFailed } from "../../editor-answers";
import { callKindOf, toolOf } from "../../editor-commands";
import { fileViews } from "../../editor-views";
import { AGENT, HARNESS, plainResult } from "../../entries";
import { fencedCommand } from "../../rows/fences";
import type { RowFacts, RowReading } from "../../rows/row-trajectory";
import { firstText } from "../../rows/rows";
import { type JsonValue, listMember, member, stringMember } from "../../safe-json";

const DEMONSTRATION = /^\s*Here is a demonstration of how to correctly accomplish this task/;

/** One message of the row. */
interface Message {
  role: string;
  text: string;
  raw: RawSpan;
  index: number;
}

/** Reads the messages of a row into turns: one for each of the agent, with what its command answered. */
export function readRun(reading: RowReading): RowFacts {
  const { row } = reading;
  const run = new Run(reading);
  for (const [index, value] of listMember(row.value, "trajectory").entries()) {
    const raw = row.places.element("trajectory", index);
    run.add(value, index, raw);
  }
  const model = firstText(row.value, ["model_name", "model"]);
  return {
    variant: "nebius/SWE-agent-trajectories",
    framework: "SWE-agent",
    models: model === null ? [] : [model],
    agent: "SWE-agent",
    statement: run.statement,
    durationMs: null,
  };
}

class Run {
  statement: string | null = null;
  private state: TurnState | null = null;
  private open: { turn: Turn; call: string | null; tool: string } | null = null;
  private steps = 0;

  constructor(private readonly reading: RowReading) {}

  add(value: JsonValue, index: number, raw: RawSpan): void {
    this.noteFields(value, raw);
    const role = stringMember(value, "role") ?? "";
    const message: Message = { role, text: stringMember(value, "text") ?? "", raw, index };
    const prompt = stringMember(value, "system_prompt") ?? "";
    if (prompt !== "") this.context("system", message, prompt);
    if (role === "system" && (message.text !== "" || prompt === "")) this.context("system", message, message.text);
    else if (role === "ai" || role === "assistant") this.addAgent(message);
    else if (role === "user") this.addUser(message);
    else if (role !== "system") this.addUnknown(value, message);
  }

  private addAgent({ text, raw, index }: Message): void {
    const { writer, notes } = this.reading;
    const sourceSteps = [
      { convention: "step", step: String(this.steps++) },
      { convention: "message", step: String(index) },
    ];
    const turn = writer.addTurn({ agent: "main", sourceSteps, state: this.state });
    this.state = null;
    const found = fencedCommand(text);
    const words = (found?.words ?? text).trim();
    if (words !== "" || found === null) {
      writer.addItem(turn, { kind: "message", author: AGENT, raw: [raw], text: words });
    }
    if (found === null) {
      const message = "Steps in which the agent gave no command that could be run";
      notes.add("format_error_step", "information", message, raw);
      this.open = { turn, call: null, tool: "" };
      return;
    }
    const action = found.command.trim();
    const tool = toolOf(action);
    const call = writer.addItem(turn, {
      kind: "call",
      author: AGENT,
      raw: [raw],
      callKind: callKindOf(tool, action, null),
      tool,
      callId: null,
      arguments: null,
      text: action,
    });
    this.open = { turn, call: call.id, tool };
  }

  private addUser(message: Message): void {
    const { open } = this;
    const { writer } = this.reading;
    this.state = stateIn(message.text) ?? this.state;
    if (open === null) {
      this.addTask(message);
      return;
    }
    this.open = null;
    const { text, raw } = message;
    const isRefusal = open.call === null;
    writer.addItem(
      open.turn,
      plainResult(text, [raw], {
        author: isRefusal ? HARNESS : { role: "tool", name: open.tool },
        callItem: open.call,
        isError: isRefusal ? true : saysFailed(text),
        isCut: isCut(text),
        reads: isRefusal ? [] : fileViews(text, this.state?.openFile ?? null, null),
      }),
    );
  }

  private addTask(message: Message): void {
    const { text } = message;
    if (DEMONSTRATION.test(text)) this.context("demonstration", message, text);
    else if (this.statement === null) {
      this.statement = issueIn(text);
      this.context("task", message, text);
    } else this.context("injected", message, text);
  }

  private context(contextKind: "system" | "task" | "demonstration" | "injected", message: Message, text: string): void {
    const sourceSteps = [{ convention: "message", step: String(message.index) }];
    this.reading.writer.addContext({ contextKind, author: HARNESS, sourceSteps, raw: [message.raw], text });
  }

  private addUnknown(value: JsonValue, { role, raw, index }: Message): void {
    const message = `Messages of a role that is not known, such as ${role === "" ? "none" : role.slice(0, 40)}`;
    this.reading.notes.add("message_not_understood", "not_understood", message, raw);
    this.reading.writer.addContext({
      contextKind: "opaque",
      author: HARNESS,
      sourceSteps: [{ convention: "message", step: String(index) }],
      raw: [raw],
      text: JSON.stringify(value),
    });
  }

  private noteFields(value: JsonValue, raw: RawSpan): void {
    const isSaid = ["mask", "cutoff_date"].some((key) => {
      const held = member(value, key);
      return held !== undefined && held !== null && held !== false;
    });
    const message = "Fields about training (`mask`, `cutoff_date`), which stay in the raw record";
    if (isSaid) this.reading.notes.add("fields_not_shown", "information", message, raw);
  }
}

const PROMPT_START = "(Open file: ";
const PROMPT = /^\(Open file: ([^\n]*)\)\r?\n\(Current directory: ([^\n]*)\)\r?\nbash-\$\s*$/;
/** How much of the end of an answer is looked at for the prompt. */
const PROMPT_CHARS = 2_000;

/** What is open and where the shell stands, as the prompt at the end of an answer says; it holds for the next command. */
function stateIn(text: string): TurnState | null {
  const tail = text.slice(-PROMPT_CHARS);
  // Nothing stands behind the prompt, so it is the last line that begins like one.
  const before = tail.lastIndexOf(`\n${PROMPT_START}`);
  const found = before === -1 && !tail.startsWith(PROMPT_START) ? null : PROMPT.exec(tail.slice(before + 1));
  if (found === null) return null;
  const [, openFile = "", workingDirectory = ""] = found;
  return {
    when: "before",
    workingDirectory: workingDirectory === "" ? null : workingDirectory,
    openFile: openFile === "n/a" || openFile === "" ? null : openFile,
    cumulativeDiff: null,
  };
}

/** The issue inside the task's text, or all of it. */
function issueIn(text: string): string {
  const start = text.indexOf("ISSUE:\n");
  const end = text.indexOf("\n\nINSTRUCTIONS:", start);
  const issue = start === -1 ? "" : text.slice(start + "ISSUE:\n".length, end === -1 ? text.length : end).trim();
  return issue === "" ? text : issue;
}
