import type { CallItem, ContextItem, RawSpan, Turn } from "@/lib/trajectory/schema";
import { AGENT, EntryWriter, HARNESS, PERSON, plainResult } from "../../entries";
import type { NoteBook } from "../../notes";
import { countMember, isObject, type JsonObject, listMember, member, stringMember } from "../../safe-json";
import { shellReads } from "../../shell-reads";
import { type AgentMessage, readAgentMessage } from "./agent-message";
import type { ActionLanguage } from "./fences";
import { noteFields, noteReply } from "./fields";
import { type Message, repliedMessage, replyOf } from "./messages";
import { isObservation, outcomeOf, readObservation, withException } from "./observations";
import { paid, type RunFacts, usageOf } from "./run-facts";

/** What a person types while a run waits for them, in the words that the harness puts around it. */
const PERSON_SAYS =
  /^(?:Interrupted by user|Commands? not executed\. |The user added a new task: |Switched to human mode)/;

/** Turns the messages of a run into entries, in their order. */
export class Conversation {
  readonly writer = new EntryWriter();
  /** The message that states the task. */
  prompt: string | null = null;
  /** What the run handed in, as its last message says. */
  handedIn: string | null = null;
  /** How the last message says that the run ended. */
  ending: string | null = null;
  readonly models = new Set<string>();
  private turn: Turn | null = null;
  /** Calls of the last turn that have no result yet, in order. */
  private waiting: { item: CallItem; command: string | null }[] = [];

  constructor(
    private readonly facts: RunFacts,
    private readonly language: ActionLanguage,
    private readonly notes: NoteBook,
  ) {}

  /** Adds one message. `isLast`: none follows. */
  add(message: Message, isLast: boolean): void {
    noteFields(message, this.notes);
    if (message.role === "system") this.context(message, "system", HARNESS);
    else if (message.role === "assistant") {
      this.addAgentMessage(message, readAgentMessage(message.value, this.language));
    } else if (message.role === "tool") this.addAnswer(message, this.waitingFor(message));
    else if (message.role === "user") this.addUser(message, isLast);
    else if (message.role === "exit") this.addExit(message);
    else {
      const words = "Messages that are not understood, such as one without a known role";
      this.notes.add("message_not_understood", "not_understood", words, message.raw);
      this.context(message, "opaque", HARNESS, JSON.stringify(message.element));
    }
  }

  private addAgentMessage(message: Message, { reasoning, words, calls }: AgentMessage): void {
    const reply = replyOf(message);
    const model = this.modelOf(stringMember(reply, "model"));
    if (model !== null) this.models.add(model);
    const raw = [message.raw];
    const turn = this.writer.addTurn({
      agent: "main",
      sourceSteps: [stepOf(message)],
      model,
      usage: usageOf(reply, paid(countMember(message.extra, "cost"))),
      startedAt: message.at,
      endedAt: message.at,
      state: {
        when: "before",
        workingDirectory: this.facts.directory,
        openFile: null,
        cumulativeDiff: null,
        freshShell: true,
      },
    });
    for (const text of reasoning) this.writer.addItem(turn, { kind: "thought", author: AGENT, raw, text });
    // The prompts ask for a thought beside the action; words without an action are a message.
    const kind = calls.length > 0 ? ("thought" as const) : ("message" as const);
    for (const text of words) this.writer.addItem(turn, { kind, author: AGENT, raw, text });
    this.waiting = calls.map((call) => ({
      command: call.command,
      item: this.writer.addItem(turn, {
        kind: "call",
        author: AGENT,
        raw,
        callKind: call.kind,
        tool: call.tool,
        callId: call.id,
        arguments: call.arguments,
        text: call.text,
      }),
    }));
    if (turn.items.length === 0) this.writer.addItem(turn, { kind: "message", author: AGENT, raw, text: "" });
    if (calls.length === 0) {
      const words = "Messages in which the agent gave no action that could be run";
      this.notes.add("format_error_step", "information", words, message.raw);
    }
    this.turn = turn;
    noteReply(message, this.notes);
  }

  /** The name in the configuration when the reply is of that model, else the one that the reply gives. */
  private modelOf(replied: string | null): string | null {
    const { model } = this.facts;
    return replied === null || model === replied || model?.endsWith(`/${replied}`) ? model : replied;
  }

  private waitingFor(message: Message): { item: CallItem; command: string | null } | undefined {
    const id = stringMember(message.value, "tool_call_id") ?? stringMember(message.value, "call_id");
    return (
      this.waiting.find((one) => id !== null && one.item.callId === id) ?? (id === null ? this.waiting[0] : undefined)
    );
  }

  private addUser(message: Message, isLast: boolean): void {
    const interrupt = stringMember(message.extra, "interrupt_type");
    if (interrupt === "FormatError") this.addFormatError(message);
    else if (this.prompt === null && this.turn === null) {
      this.prompt = message.text;
      this.context(message, "task", HARNESS);
    } else if (interrupt?.startsWith("User") || PERSON_SAYS.test(message.text)) {
      this.waiting = [];
      this.context(message, "person", PERSON);
    } else if (listMember(message.extra, "actions").length > 0) {
      const words = "Commands that a person ran in the agent's place; what they changed is not followed";
      this.notes.add("person_ran_command", "information", words, message.raw);
      this.waiting = [];
      this.context(message, "person", PERSON);
    } else if (this.waiting.length > 0) {
      const call = this.waiting[0];
      if (isLast && call?.item.callKind === "submit" && !isAnswer(message)) this.handedIn = message.text;
      this.addAnswer(message, call);
    } else if (isLast && message.text === "") {
      this.notes.add("empty_message", "information", "A last message that says nothing", message.raw);
    } else {
      // The output of what a person ran, a reminder, or the end of the run.
      const kind = isLast && this.facts.exitStatus !== null ? "metadata" : "injected";
      this.context(message, kind, HARNESS, withRaw(message));
    }
  }

  /** A notice about an answer that held no action. Versions that do not keep the answer itself put it beside the notice. */
  private addFormatError(message: Message): void {
    const said = stringMember(message.extra, "model_response");
    const reply = member(message.extra, "response");
    const replied = repliedMessage(reply);
    const value: JsonObject | null = said !== null ? { content: said } : isObject(replied) ? replied : null;
    const rejected = value ?? (isObject(reply) && Array.isArray(reply.output) ? reply : null);
    if (rejected !== null) this.addAgentMessage(message, withoutAction(readAgentMessage(rejected, this.language)));
    this.waiting = [];
    this.context(message, "injected", HARNESS);
  }

  private addAnswer(message: Message, call: { item: CallItem; command: string | null } | undefined): void {
    const { turn } = this;
    if (turn === null) {
      const words = "Results before the first message of the agent; kept between turns";
      this.notes.add("result_without_turn", "information", words, message.raw);
      this.context(message, "injected", HARNESS);
      return;
    }
    this.waiting = this.waiting.filter((one) => one !== call);
    const raw = stringMember(message.extra, "raw_output");
    const exception = stringMember(message.extra, "exception_info") ?? "";
    const exitCode = member(message.extra, "returncode");
    const outcome = outcomeOf(typeof exitCode === "number" && Number.isInteger(exitCode) ? exitCode : null, exception);
    const seen =
      raw === null ? readObservation(message.text) : { text: withException(raw, exception), ...outcome, isCut: false };
    if (raw !== null && message.text.includes("<elided_chars>") && !raw.includes("<elided_chars>")) {
      const words = "Outputs that the agent saw without their middle; the whole is shown here";
      this.notes.add("output_elided_for_agent", "information", words, message.raw);
    }
    const isWhole = seen.exitCode === 0 && !seen.isCut && call?.command != null;
    const result = plainResult(seen.text, [message.raw], {
      author: { role: "tool", name: call?.item.tool ?? null },
      callItem: call?.item.id ?? null,
      callId: call?.item.callId ?? stringMember(message.value, "tool_call_id"),
      exitCode: seen.exitCode,
      isError: seen.isError,
      isCut: seen.isCut,
      reads: isWhole && call?.command != null ? shellReads(call.command, seen.text) : [],
    });
    this.writer.addItem(turn, result);
    turn.sourceSteps.push(stepOf(message));
    turn.endedAt = message.at ?? turn.endedAt;
  }

  /** The message with which the harness ends a run: the answer to the call that handed in, else what ended it. */
  private addExit(message: Message): void {
    this.ending = stringMember(message.extra, "exit_status");
    const call = this.waiting.find((one) => one.item.callKind === "submit");
    if (this.turn !== null && call !== undefined && this.ending === "Submitted") {
      this.handedIn = stringMember(message.extra, "submission") ?? message.text;
      const more = { callItem: call.item.id, callId: call.item.callId, isError: false };
      this.writer.addItem(this.turn, {
        ...plainResult(message.text, [message.raw], { ...more, author: { role: "tool", name: call.item.tool } }),
      });
      this.turn.sourceSteps.push(stepOf(message));
      this.turn.endedAt = message.at ?? this.turn.endedAt;
      return;
    }
    const said = [this.ending ?? "", message.text, stringMember(message.extra, "traceback") ?? ""];
    const text = [...new Set(said.map((part) => part.trim()))].filter((part) => part !== "").join("\n");
    if (text !== "") this.context(message, "metadata", HARNESS, text);
  }

  private context(
    message: Message,
    contextKind: ContextItem["contextKind"],
    author: ContextItem["author"],
    text = message.text,
  ): void {
    const raw: RawSpan[] = [message.raw];
    this.writer.addContext({ contextKind, author, sourceSteps: [stepOf(message)], raw, text });
  }
}

/** A rejected message: what it wanted to run did not run, so its calls are words. */
function withoutAction(message: AgentMessage): AgentMessage {
  const calls = message.calls.map((call) => call.text ?? JSON.stringify(call.arguments));
  return { ...message, words: [...message.words, ...calls], calls: [] };
}

/** What a message shows, and the whole output where it shows less. */
function withRaw(message: Message): string {
  const raw = stringMember(message.extra, "raw_output");
  return raw === null || message.text.includes(raw) ? message.text : `${message.text}\n${raw}`;
}

function isAnswer(message: Message): boolean {
  return stringMember(message.extra, "raw_output") !== null || isObservation(message.text);
}

function stepOf(message: Message): { convention: string; step: string } {
  return { convention: "messages", step: String(message.index) };
}
