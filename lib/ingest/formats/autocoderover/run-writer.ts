import type { CallItem, RawSpan, RecordedFile, ResultItem, Turn } from "@/lib/trajectory/schema";
import { AGENT, EntryWriter, HARNESS, type NewItem, plainResult } from "../../entries";
import type { NoteBook } from "../../notes";
import { type PatchEdit, resultsIn, type SearchCall } from "./calls";
import type { ThreadMessage } from "./folder";

/** Which agent speaks in a thread. */
export const SEARCH_AGENT = "main";
export const PATCH_AGENT = "patch";
export const TEST_AGENT = "test";
export const REVIEW_AGENT = "review";
export const SELECT_AGENT = "select";

/** What is known of one attempt at a patch beside what the agent wrote. */
export interface AttemptFacts {
  /** In the program's words; null when it says nothing. */
  status: string | null;
  recorded: RecordedFile[];
  raw: RawSpan[];
}

/** Writes the turns of one task. */
export class RunWriter {
  readonly writer = new EntryWriter();
  /** The text of the issue. */
  statement: string | null = null;
  private waiting: { turn: Turn; calls: CallItem[] } | null = null;
  /** The last turn of the search. */
  private searched: Turn | null = null;
  private branch: string | null = null;

  constructor(
    private readonly notes: NoteBook,
    private model: string | null,
  ) {}

  /** Begins another run at the same task: its agents know nothing of the one before. */
  startRun(model: string | null, branch: string | null): void {
    this.finish();
    this.model = model;
    this.branch = branch;
    this.searched = null;
    this.patchedAfter = undefined;
  }

  /** A message of anybody but the agent, in a thread that is called `thread`. */
  addOther(message: ThreadMessage, thread: string): void {
    const { role, content, raw } = message;
    const sourceSteps = [stepOf(message, thread)];
    if (role !== "system" && role !== "user") {
      this.notes.add("message_not_understood", "not_understood", "Messages without a role that is known", raw);
      this.context("opaque", content, raw, sourceSteps);
    } else if (role === "system") this.context("system", content, raw, sourceSteps);
    else if (this.statement === null && content.trimStart().startsWith("<issue>")) {
      this.statement = content
        .trim()
        .replace(/^<issue>/, "")
        .replace(/<\/issue>$/, "")
        .trim();
      this.context("task", content, raw, sourceSteps);
    } else if (this.waiting !== null) this.answer(content, raw);
    else this.context("injected", content, raw, sourceSteps);
  }

  /** A message of the agent that asks for searches, or says something. */
  addSearch(message: ThreadMessage, thread: string, calls: readonly SearchCall[]): void {
    const turn = this.begin(message, thread, SEARCH_AGENT, null);
    this.searched = turn;
    this.status = null;
    const asked = calls.map((call) =>
      this.call(turn, message, { callKind: "search", tool: call.name, arguments: call.arguments }),
    );
    this.waiting = asked.length === 0 ? null : { turn, calls: asked };
    this.facts = calls.map(({ isOk }) => ({ isError: isOk === null ? null : !isOk, recorded: [], raw: [] }));
  }

  /** A message of an agent that asks for nothing, which the turn `parentTurn` made necessary. */
  addWords(message: ThreadMessage, thread: string, agent: string, parentTurn: number | null): void {
    this.begin(message, thread, agent, parentTurn);
  }

  /** A message of the agent that writes a patch. Returns the index of its turn. */
  addPatch(message: ThreadMessage, thread: string, edits: readonly PatchEdit[], facts: AttemptFacts): number {
    const turn = this.begin(message, thread, PATCH_AGENT, this.startedBy());
    const given = edits.map(({ file, original, patched }) => ({ file, original, patched }));
    const call = this.call(turn, message, { callKind: "write", tool: "write_patch", arguments: { edits: given } });
    this.waiting = { turn, calls: [call] };
    const isError = facts.status === null ? null : facts.status !== "APPLICABLE_PATCH";
    this.facts = [{ isError, recorded: facts.recorded, raw: facts.raw }];
    this.status = facts.status;
    return turn.index;
  }

  /** Ends what still waits for an answer, with what the files say of it. */
  finish(): void {
    if (this.waiting !== null && this.facts.some(({ isError, recorded }) => isError !== null || recorded.length > 0)) {
      this.answer("", null);
    }
    this.waiting = null;
  }

  private facts: { isError: boolean | null; recorded: RecordedFile[]; raw: RawSpan[] }[] = [];
  private status: string | null = null;

  private begin(message: ThreadMessage, thread: string, agent: string, parentTurn: number | null): Turn {
    this.finish();
    const { model, branch } = this;
    const sourceSteps = [stepOf(message, thread)];
    const turn = this.writer.addTurn({ agent, sourceSteps, model, branch, parentTurn });
    const kind = agent === REVIEW_AGENT ? ("review" as const) : ("message" as const);
    this.item(turn, { kind, author: AGENT, raw: [message.raw], text: message.content });
    return turn;
  }

  /** The turn after which the other agent began. */
  private startedBy(): number | null {
    if (this.patchedAfter === undefined) this.patchedAfter = this.searched?.index ?? null;
    return this.patchedAfter;
  }

  /** The last turn of the search, undefined while no patch was written. */
  patchedAfter: number | null | undefined;

  private call(turn: Turn, message: ThreadMessage, given: Pick<CallItem, "callKind" | "tool" | "arguments">): CallItem {
    return this.writer.addItem(turn, {
      ...{ kind: "call" as const, author: AGENT, raw: [message.raw], callId: null, text: null },
      ...given,
    });
  }

  private answer(text: string, raw: RawSpan | null): void {
    if (this.waiting === null) return;
    const { turn, calls } = this.waiting;
    const texts = resultsIn(text);
    calls.forEach((call, n) => {
      const facts = this.facts[n];
      // A message that does not tell the results apart stands with the first call.
      const own = texts.length === calls.length ? (texts[n] ?? "") : n === 0 ? text : "";
      const said = text === "" ? (this.status ?? "") : own;
      const place = [...(raw === null ? [] : [raw]), ...(facts?.raw ?? [])];
      const more: Partial<ResultItem> = {
        callItem: call.id,
        isError: facts?.isError ?? null,
        recorded: facts?.recorded ?? [],
      };
      this.item(turn, plainResult(said, place, more));
    });
    this.waiting = null;
  }

  private item(turn: Turn, item: NewItem): void {
    this.writer.addItem(turn, item);
  }

  private context(
    contextKind: "system" | "task" | "injected" | "opaque",
    text: string,
    raw: RawSpan,
    sourceSteps: Turn["sourceSteps"],
  ): void {
    this.writer.addContext({ contextKind, author: HARNESS, sourceSteps, raw: [raw], text });
  }
}

function stepOf({ index }: ThreadMessage, thread: string): Turn["sourceSteps"][number] {
  return { convention: thread, step: String(index) };
}
