import type { Agent, RawSpan, Turn, TurnState } from "@/lib/trajectory/schema";
import { codeBlocks, codeOutcome } from "../../code-blocks";
import { addCodeRun, type WaitingCode } from "../../code-runs";
import { saysFailed } from "../../editor-answers";
import { AGENT, type EntryWriter, HARNESS, PERSON, plainResult } from "../../entries";
import type { NoteBook } from "../../notes";
import { isObject, type JsonObject, type JsonValue, stringMember } from "../../safe-json";
import { callOf } from "./call";
import { isCutShort } from "./cut-text";
import { CONVENTION } from "./label";

const PERSONS = new Set(["human", "user"]);
const TERMINAL = /^computer[_ ]?terminal$/i;
const EXIT_CODE = /\[Command finished with exit code (-?\d{1,10})\]\s*$/;
const PROMPT = /\(Open file: ([^()\n]{1,1000})\)\s\(Current directory: ([^()\n]{1,1000})\)\sbash-\$\s*$/;
/** How much of the end of an answer is looked at for what the harness wrote behind it. */
const TAIL_CHARS = 2_200;

/** Writes the steps of a row as turns and context, in their order. */
export class StepWriter {
  readonly agents: Agent[] = [];
  variant = "actions";
  private readonly names = new Set<string>();
  private waiting: WaitingCode | null = null;
  private state: TurnState | null = null;

  constructor(
    private readonly writer: EntryWriter,
    private readonly notes: NoteBook,
    private readonly statement: string | null,
  ) {}

  /** Adds the step at place `n` of the list. */
  add(step: JsonValue, n: number, raw: RawSpan): void {
    const number = isObject(step) && typeof step.i === "number" ? step.i : n;
    const sourceSteps = [{ convention: CONVENTION, step: String(number) }];
    if (!isObject(step)) {
      this.notes.add("step_not_understood", "not_understood", "Steps that are no objects; kept as they stand", raw);
      this.context("opaque", HARNESS.name, sourceSteps, raw, JSON.stringify(step));
      return;
    }
    this.noteCuts(step, raw);
    const actor = stringMember(step, "actor") ?? "agent";
    const text = stringMember(step, "text");
    if (text !== null) this.variant = "texts";
    const isAct = stringMember(step, "action") !== null || stringMember(step, "thought") !== null;
    if (isAct || text === null) this.addAct(step, actor, sourceSteps, raw);
    else if (PERSONS.has(actor.toLowerCase())) this.addPerson(text, sourceSteps, raw);
    else if (TERMINAL.test(actor)) this.addTerminal(actor, text, sourceSteps, raw);
    else {
      const turn = this.turnOf(actor, sourceSteps);
      this.writer.addItem(turn, { kind: "message", author: AGENT, raw: [raw], text });
      const blocks = codeBlocks(text);
      if (blocks.length > 0) this.waiting = { turn, blocks, raw: [raw] };
    }
  }

  private addAct(step: JsonObject, actor: string, sourceSteps: Turn["sourceSteps"], raw: RawSpan): void {
    const turn = this.turnOf(actor, sourceSteps);
    const add = (kind: "thought" | "message", text: string | null): void => {
      if (text !== null && text !== "") this.writer.addItem(turn, { kind, author: AGENT, raw: [raw], text });
    };
    add("thought", stringMember(step, "thought"));
    add("message", stringMember(step, "text"));
    const given = callOf(step, [raw]);
    const call = given === null ? null : this.writer.addItem(turn, given);
    if (given !== null) turn.state = stateBefore(this.state, given.tool, stringMember(step, "target"));
    this.state = null;
    const observation = stringMember(step, "observation");
    if (observation !== null) {
      const exitCode = exitCodeIn(observation);
      const isError = exitCode === null ? saysFailed(observation) : exitCode !== 0;
      const more = { callItem: call?.id ?? null, isError, exitCode, isCut: isCutShort(observation) };
      const author = given === null ? HARNESS : { role: "tool" as const, name: given.tool };
      this.writer.addItem(turn, plainResult(observation, [raw], { ...more, author }));
      this.state = stateIn(observation);
    }
    if (turn.items.length > 0) return;
    const reason = "a step without words, action and observation";
    this.writer.addItem(turn, { kind: "opaque", author: AGENT, raw: [raw], text: JSON.stringify(step), reason });
  }

  private addPerson(text: string, sourceSteps: Turn["sourceSteps"], raw: RawSpan): void {
    const isTask = this.statement === null && this.writer.turnCount === 0;
    this.context(isTask ? "task" : "person", PERSON.name, sourceSteps, raw, text);
  }

  private addTerminal(actor: string, text: string, sourceSteps: Turn["sourceSteps"], raw: RawSpan): void {
    const outcome = codeOutcome(text);
    if (this.waiting === null || outcome === null) {
      this.context("injected", actor, sourceSteps, raw, text);
      return;
    }
    addCodeRun(this.writer, this.waiting, outcome, actor, [raw]);
    this.waiting.turn.sourceSteps.push(...sourceSteps);
  }

  private turnOf(actor: string, sourceSteps: Turn["sourceSteps"]): Turn {
    if (!this.names.has(actor)) this.agents.push({ id: actor, name: actor, startedByTurn: null });
    this.names.add(actor);
    return this.writer.addTurn({ agent: actor, sourceSteps });
  }

  private context(
    contextKind: "task" | "person" | "injected" | "opaque",
    name: string | null,
    sourceSteps: Turn["sourceSteps"],
    raw: RawSpan,
    text: string,
  ): void {
    const isPerson = contextKind === "task" || contextKind === "person";
    const author = isPerson ? PERSON : { role: "harness" as const, name };
    this.writer.addContext({ contextKind, author, sourceSteps, raw: [raw], text });
  }

  private noteCuts(step: JsonObject, raw: RawSpan): void {
    for (const key of ["thought", "text", "args", "observation"]) {
      const text = stringMember(step, key);
      const message = "Texts that the file itself holds cut short, such as arguments; what they wrote is not known";
      if (text !== null && isCutShort(text)) this.notes.add("cut_short", "information", message, raw);
    }
  }
}

/** The file that an editor's command works on: the row names it, and so may the prompt behind the answer before. */
function stateBefore(prompt: TurnState | null, tool: string, target: string | null): TurnState | null {
  const isEdit = tool === "edit" || tool === "insert";
  if (!isEdit || target === null || prompt?.openFile?.endsWith(target)) return prompt;
  return { when: "before", workingDirectory: prompt?.workingDirectory ?? null, openFile: target, cumulativeDiff: null };
}

function stateIn(observation: string): TurnState | null {
  const found = PROMPT.exec(observation.slice(-TAIL_CHARS));
  if (found === null) return null;
  const [, openFile = "", workingDirectory = ""] = found;
  const open = openFile === "n/a" ? null : openFile;
  return { when: "before", workingDirectory, openFile: open, cumulativeDiff: null };
}

function exitCodeIn(observation: string): number | null {
  const found = EXIT_CODE.exec(observation.slice(-TAIL_CHARS));
  return found === null ? null : Number(found[1]);
}
