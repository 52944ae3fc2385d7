import type { HeldFile } from "../../source";
import { callLayers, editsIn, isSearchAnswer, patchStatuses } from "./calls";
import type { KnownFiles } from "./files-beside";
import { type NumberedFile, type TaskFolder, type ThreadMessage, threadOf, wholeFile } from "./folder";
import { recordedIn, textOf } from "./patches";
import { PATCH_AGENT, REVIEW_AGENT, type RunWriter, SELECT_AGENT, TEST_AGENT } from "./run-writer";

const ANALYSE = "Let's analyze collected context first";
/** What some models are given as the beginning of an answer in JSON; it is in the thread like an answer. */
const PREFILL = "{";

/** Writes the threads of one run of version 2 in the order in which they were held. */
export class RunThreads {
  private readonly said = new Set<string>();
  private readonly tests: NumberedFile[];

  /**
   * @param taskPath the task's folder, which the names of threads leave out
   * @param known gets the files that were read
   */
  constructor(
    private readonly run: RunWriter,
    private readonly folder: TaskFolder,
    private readonly search: TaskFolder,
    private readonly taskPath: string,
    private readonly known: KnownFiles,
  ) {
    this.tests = folder.numbered("conv_test_", ".json");
  }

  write(): void {
    const guard = this.folder.file("conv_reproducible.json");
    if (guard !== null) this.addThread(guard, TEST_AGENT, null);
    // Before the search, tests are written until one shows the issue.
    const first = this.tests.find(({ n }) => this.folder.file(`reproducer_${n}.py`) !== null);
    this.addTests(first?.n ?? Number.POSITIVE_INFINITY);
    this.addSearch();
    const reviews = this.reviews();
    const statuses = patchStatuses(this.folder.file("extract_status.json"));
    for (const { n, file } of this.folder.numbered("conv_patch_", ".json")) {
      const patchTurn = this.addPatch(file, n, statuses[n] ?? null);
      for (const review of reviews.filter(({ patch }) => patch === n)) {
        this.addTests(review.test);
        this.addThread(review.file, REVIEW_AGENT, patchTurn);
      }
    }
    this.addTests(Number.POSITIVE_INFINITY);
    this.run.finish();
  }

  /** The thread of the agent that chooses among the patches of all runs. */
  addSelection(file: HeldFile): void {
    this.addThread(file, SELECT_AGENT, null);
  }

  /** Tests up to a number. A test's thread ends with the question: its answer stands in a file of its own. */
  private addTests(last: number): void {
    for (let test = this.tests[0]; test !== undefined && test.n <= last; test = this.tests[0]) {
      this.tests.shift();
      const thread = this.addQuestions(test.file, TEST_AGENT);
      const answer = this.folder.file(`test_raw_${test.n}.md`);
      const content = textOf(answer);
      if (answer === null || content === null) continue;
      this.known.held.add(answer.path);
      this.answer({ index: thread.length, role: "assistant", content, raw: wholeFile(answer) }, (message) =>
        this.run.addWords(message, this.nameOf(test.file), TEST_AGENT, null),
      );
    }
  }

  /** The last round of the search, which repeats those before it. Every answer but an analysis has its round of calls. */
  private addSearch(): void {
    const rounds = this.search.numbered("search_round_", ".json").map(({ file }) => file);
    const last = rounds.at(-1);
    if (last === undefined) return;
    for (const { path } of rounds.slice(0, -1)) this.known.repeated.add(path);
    this.known.held.add(last.path);
    const layers = callLayers(this.search.file("tool_call_layers.json"));
    const thread = threadOf(last);
    const name = this.nameOf(last);
    let round = 0;
    for (const [n, message] of thread.entries()) {
      this.isNew(message);
      if (message.role !== "assistant") {
        this.run.addOther(message, name);
        continue;
      }
      const isAnalysis = (thread[n - 1]?.content ?? "").startsWith(ANALYSE);
      const calls = isAnalysis ? [] : (layers[round++] ?? []);
      const next = thread[n + 1];
      this.run.addSearch(message, name, next === undefined || isSearchAnswer(next.content) ? calls : []);
    }
    this.run.finish();
  }

  /** A thread of the patch agent, of which the last message is the patch. Returns the index of its turn. */
  private addPatch(file: HeldFile, n: number, status: string | null): number | null {
    const diff = this.folder.file(`extracted_patch_${n}.diff`);
    const recorded = recordedIn(textOf(diff));
    const raw = diff === null || recorded.length === 0 ? [] : [wholeFile(diff)];
    const facts = { status, recorded, raw };
    const name = this.nameOf(file);
    let turn: number | null = null;
    this.addThread(file, PATCH_AGENT, null, (message) => {
      turn = this.run.addPatch(message, name, editsIn(message.content), facts);
    });
    this.run.finish();
    // A thread without an answer leaves its diff and the copy of the answer alone.
    if (turn === null) return null;
    const copy = this.folder.file(`patch_raw_${n}.md`);
    if (copy !== null) this.known.repeated.add(copy.path);
    if (diff !== null && recorded.length > 0) this.known.held.add(diff.path);
    return turn;
  }

  /** Adds what a thread says that was not said before in this run; from its last question on all is an answer. */
  private addThread(
    file: HeldFile,
    agent: string,
    parentTurn: number | null,
    add = (message: ThreadMessage): void => this.run.addWords(message, this.nameOf(file), agent, parentTurn),
  ): void {
    const thread = threadOf(file);
    const end = thread.findLastIndex(({ role }) => role !== "assistant") + 1;
    this.addQuestions(file, agent, thread.slice(0, end));
    for (const [n, message] of thread.slice(end).entries()) {
      if (message.content === PREFILL && end + n + 1 < thread.length) this.addPrefill(message, file);
      else this.answer(message, add);
    }
  }

  /** What comes before the answer of a thread: an earlier answer that it repeats is no turn again. */
  private addQuestions(file: HeldFile, agent: string, thread = threadOf(file)): ThreadMessage[] {
    this.known.held.add(file.path);
    const name = this.nameOf(file);
    for (const [n, message] of thread.entries()) {
      if (!this.isNew(message)) this.known.repeated.add(file.path);
      else if (message.role !== "assistant") this.run.addOther(message, name);
      else if (message.content === PREFILL && thread[n + 1]?.role === "assistant") this.addPrefill(message, file);
      else this.run.addWords(message, name, agent, null);
    }
    return thread;
  }

  private addPrefill(message: ThreadMessage, file: HeldFile): void {
    this.run.addOther({ ...message, role: "user" }, this.nameOf(file));
  }

  private answer(message: ThreadMessage, add: (message: ThreadMessage) => void): void {
    this.isNew(message);
    add(message);
  }

  private isNew({ role, content }: ThreadMessage): boolean {
    const key = `${role}\n${content}`;
    const isNew = !this.said.has(key);
    this.said.add(key);
    return isNew;
  }

  /** A thread's name: its file's place in the task's folder, without the ending. */
  private nameOf({ path }: HeldFile): string {
    return path.slice(this.taskPath.length).replace(/\.json$/, "");
  }

  private reviews(): { patch: number; test: number; file: HeldFile }[] {
    const found = this.folder.all().flatMap((file) => {
      const [, patch, test] = /(?:^|\/)conv_review_(\d{1,4})_(\d{1,4})\.json$/.exec(file.path) ?? [];
      return patch === undefined ? [] : [{ patch: Number(patch), test: Number(test), file }];
    });
    return found.sort((a, b) => a.patch - b.patch || a.test - b.test);
  }
}
