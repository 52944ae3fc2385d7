import type { CallItem, ReadFile, RecordedFile, ResultItem, Trajectory, Turn } from "@/lib/trajectory/schema";
import { type CallReading, commandLineOf, readCall, type ToolState } from "./attempts";
import { CallArguments } from "./call-arguments";
import { checkPatch } from "./checkpoint";
import type { Attempt } from "./effect";
import { eventsOf, type HistoryEvent } from "./events";
import type { FileLedger } from "./file-ledger";
import { HistoryBook } from "./history-book";
import type { ArtefactHistory, Baseline } from "./model";
import { observeReads, type Place } from "./observation";
import { resolvePath } from "./paths";
import { guessRoot } from "./root";
import { takeWrite } from "./write-application";

/**
 * Tells the life of every file that a trajectory names: its versions in the order in which they became true, every
 * attempt to write, and the places where what was replayed differs from what the trace recorded or from the baseline.
 * Nothing is concluded about lines that are not known.
 */
export function buildHistory(trajectory: Trajectory, baseline: Baseline | null): ArtefactHistory {
  const book = new HistoryBook(guessRoot(trajectory), baseline);
  const teller = new Teller(book, trajectory.agents.length > 1);
  for (const event of eventsOf(trajectory)) teller.tell(event);
  const { deliveredPatch } = trajectory;
  if (deliveredPatch !== null && deliveredPatch.trim() !== "") {
    checkPatch(book, deliveredPatch, { turn: null, item: null, name: "The delivered patch", lags: false });
  }
  return { root: book.root, files: book.files(), writes: book.writes, conflicts: book.conflicts, checks: book.checks };
}

const NOTHING_OPEN = { openFile: null, window: null, cursors: null };
/** A look at the working tree against the last commit, which the writes so far must give. */
const TREE_DIFF = /^\s*(?:cd\s+\S+\s*&&\s*)?git\s+(?:--no-pager\s+)?diff(?:\s+HEAD)?(?:\s+--)?(?:\s+[\w./-]+)*\s*$/;

/** Goes through the events with what each agent's tools remember. */
class Teller {
  readonly #states = new Map<string, ToolState>();
  readonly #entered = new Set<number>();
  readonly #told = new Map<string, string>();
  #lastDiff = "";
  /** Where the last `cd` of any agent left the shell; null when a state told it since. */
  #shell: string | null = null;

  constructor(
    readonly book: HistoryBook,
    /** Several agents may share one shell, and then what the trace tells of its folder is not always true. */
    readonly sharesShell: boolean,
  ) {}

  tell(event: HistoryEvent): void {
    const { turn, call, result } = event;
    this.#enter(turn);
    if (turn.state?.freshShell === true) this.#startAnew(turn);
    const state = this.#stateOf(turn);
    const own = call === null ? null : directoryOf(call, state.directory);
    const directory = own ?? state.directory;
    const place: Place = { turn: turn.index, item: call?.id ?? result?.id ?? "", arrival: event.arrival };
    const elsewhere = own === null && this.sharesShell && this.#shell !== directory ? this.#shell : null;
    const reading: CallReading =
      call === null
        ? { attempts: [], after: state, movedTo: null }
        : readCall(call, result, { ...state, directory }, this.book.surroundings(), elsewhere);
    if (own === null) this.#shell = reading.movedTo ?? this.#shell;
    const records = new Map<string, RecordedFile>();
    for (const record of result?.recorded ?? []) {
      records.set(this.book.ledger(record.path, directory).path, record);
    }
    for (const attempt of reading.attempts) this.#take(attempt, place, directory, records, result);
    for (const record of records.values()) this.#takeRecord(record, place, directory);
    for (const [ledger, reads] of this.#readsByFile(result, directory)) observeReads(this.book, ledger, reads, place);
    if (call !== null && result !== null && showsTree(call, result)) {
      const name = `The diff that turn #${turn.index + 1} prints`;
      checkPatch(this.book, diffIn(result.text), { turn: turn.index, item: result.id, name, lags: false });
    }
    // A call that says where it runs leaves the folder of the others as it was.
    this.#states.set(turn.agent, own === null ? reading.after : { ...reading.after, directory: state.directory });
    this.#leave(turn, place);
  }

  #take(
    attempt: Attempt,
    place: Place,
    directory: string | null,
    records: Map<string, RecordedFile>,
    result: ResultItem | null,
  ): void {
    const { path } = this.book.ledger(attempt.path, directory);
    const record = records.get(path) ?? null;
    if (attempt.status !== "refused") records.delete(path);
    const reads = (result?.reads ?? []).filter((read) => this.book.ledger(read.path, directory).path === path);
    takeWrite(this.book, attempt, place, directory, { record, reads });
  }

  /** A file that the trace recorded as changed by a call whose writes we do not read. */
  #takeRecord(record: RecordedFile, place: Place, directory: string | null): void {
    const operation = record.existedBefore === false ? ("create" as const) : ("edit" as const);
    const attempt: Attempt = {
      path: record.path,
      grammar: "W8",
      operation,
      effect: { kind: "opaque" },
      status: "applied",
      reason: null,
      fragment: null,
    };
    takeWrite(this.book, attempt, place, directory, { record, reads: [] });
  }

  #readsByFile(result: ResultItem | null, directory: string | null): Map<FileLedger, ReadFile[]> {
    const files = new Map<FileLedger, ReadFile[]>();
    for (const read of result?.reads ?? []) {
      const ledger = this.book.ledger(read.path, directory);
      const known = files.get(ledger);
      if (known === undefined) files.set(ledger, [read]);
      else known.push(read);
    }
    return files;
  }

  #stateOf(turn: Turn): ToolState {
    return this.#states.get(turn.agent) ?? { directory: this.book.root, editor: NOTHING_OPEN };
  }

  /** What the turn's state says before its commands counts more than what we followed. */
  #enter(turn: Turn): void {
    if (this.#entered.has(turn.index)) return;
    this.#entered.add(turn.index);
    if (turn.state?.when === "before") this.#adopt(turn);
  }

  /** A shell of its own for each call: what the call before left behind is gone. */
  #startAnew(turn: Turn): void {
    // Where the name of the folder is not told, it is still the same one each time.
    const directory = turn.state?.workingDirectory ?? this.book.root ?? ".";
    this.#states.set(turn.agent, { ...this.#stateOf(turn), directory });
    this.#shell = directory;
  }

  #leave(turn: Turn, place: Place): void {
    const { state } = turn;
    if (state?.when === "after") this.#adopt(turn);
    const diff = state?.cumulativeDiff ?? "";
    if (diff === "" || diff === this.#lastDiff) return;
    this.#lastDiff = diff;
    const name = `The diff recorded in turn #${turn.index + 1}`;
    checkPatch(this.book, diff, { turn: turn.index, item: place.item, name, lags: true });
  }

  #adopt(turn: Turn): void {
    const before = this.#stateOf(turn);
    const told = turn.state?.workingDirectory ?? null;
    const last = this.#told.get(turn.agent);
    // A state that follows the shell counts more than what we followed; one that stands still may not follow it.
    if (told !== null && last !== undefined && last !== told) this.#shell = null;
    if (told !== null) this.#told.set(turn.agent, told);
    const openFile = turn.state?.openFile ?? null;
    const editor =
      openFile === null || openFile === before.editor.openFile
        ? before.editor
        : {
            ...before.editor,
            openFile,
            ...(sameFile(openFile, before.editor.openFile) ? {} : { window: null, cursors: null }),
          };
    this.#states.set(turn.agent, { directory: turn.state?.workingDirectory ?? before.directory, editor });
  }
}

/** The folder in which a call asks to run, null when it leaves it to the shell. */
function directoryOf(call: CallItem, from: string | null): string | null {
  const asked = new CallArguments(call).text("workdir", "working_directory", "cwd");
  return asked === null || asked === "" ? null : resolvePath(asked, from).shown;
}

function sameFile(left: string, right: string | null): boolean {
  return right !== null && (left.endsWith(`/${right.replace(/^\.\//, "")}`) || left === right);
}

function showsTree(call: CallItem, result: ResultItem): boolean {
  if (result.isCut || !result.text.includes("diff --git ")) return false;
  if (call.tool === "submit" || (call.text !== null && /^\s*submit\s*$/.test(call.text))) return true;
  return TREE_DIFF.test(commandLineOf(call) ?? "");
}

/** The diff inside an answer that may say other things around it. */
function diffIn(text: string): string {
  const start = text.indexOf("diff --git ");
  const end = text.indexOf("\n</diff>", start);
  return text.slice(start, end === -1 ? undefined : end);
}
