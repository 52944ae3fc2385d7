import { IngestError } from "@/lib/errors";
import { TRAJECTORY_VERSION } from "@/lib/trajectory/schema";
import type { Adapter, Parsed, ReportProgress, Sniff } from "../adapter";
import type { Content } from "../content";
import { HARNESS } from "../entries";
import { NoteBook } from "../notes";
import type { Part } from "../parts";
import { aboutAutoCodeRover } from "./autocoderover/about";
import { callLayers, editsIn, isSearchAnswer, patchStatuses } from "./autocoderover/calls";
import { TaskFolder, type ThreadMessage, taskFolders, tasksOfRuns, threadOf, wholeFile } from "./autocoderover/folder";
import { recordedIn, textOf } from "./autocoderover/patches";
import { type AttemptFacts, PATCH_AGENT, RunWriter, SEARCH_AGENT } from "./autocoderover/run-writer";
import { failureOf, readFacts } from "./autocoderover/task-facts";
import { parseRuns } from "./autocoderover/version-two";

/** Task folders of AutoCodeRover (docs/formats.md). */
export const autoCodeRover: Adapter = {
  id: "autocoderover",
  about: aboutAutoCodeRover,
  sniff: sniffAutoCodeRover,
  split: splitTasks,
  parse: parseTask,
};

function sniffAutoCodeRover(content: Content): Sniff {
  if (content.kind !== "files") return { score: 0, reason: "no folder" };
  if (taskFolders(content.files).length > 0) return { score: 0.9, reason: "a folder with `conversation_round_N.json`" };
  return tasksOfRuns(content.files).length > 0
    ? { score: 0.9, reason: "a folder with the threads of a run, such as `search/search_round_N.json`" }
    : { score: 0, reason: "no thread of a search" };
}

function splitTasks(content: Content): Part[] {
  if (content.kind !== "files") return [];
  const paths = [...taskFolders(content.files), ...tasksOfRuns(content.files).map(({ path }) => path)];
  return [...new Set(paths)].sort().map((path) => ({ key: path, name: path.split("/").at(-2) ?? "task", range: null }));
}

const ANALYSE = "Let's analyze collected context first";

function parseTask(content: Content, report: ReportProgress, key: string | null): Parsed {
  if (content.kind !== "files") throw new IngestError("malformed", "a task of AutoCodeRover is a folder");
  const path = key ?? splitTasks(content)[0]?.key;
  const task = taskFolders(content.files).some((one) => one === path)
    ? undefined
    : tasksOfRuns(content.files).find((one) => one.path === path);
  if (task !== undefined) return parseRuns(content, task, report);
  const folder = new TaskFolder(content.files, path ?? "");
  const rounds = folder.numbered("conversation_round_", ".json");
  const lastRound = rounds.at(-1);
  if (lastRound === undefined) throw new IngestError("malformed", "the folder holds no `conversation_round_N.json`");

  const notes = new NoteBook();
  const facts = readFacts(folder);
  const run = new RunWriter(notes, facts.model);
  const search = threadOf(lastRound.file);
  addSearch(run, search, callLayers(folder.file("tool_call_layers.json")));
  addPatches(run, folder, search);
  run.finish();
  addBeside(run, folder, notes);
  report(content.source.bytes.length, run.writer.turnCount);

  const attempts = attemptsOf(folder);
  const delivered = attempts.findLast(({ status, diff }) => diff !== null && status === "APPLICABLE_PATCH");
  const hasPatch = run.patchedAfter !== undefined;
  const patchAgent = { id: PATCH_AGENT, name: "Patch agent", startedByTurn: run.patchedAfter ?? null };
  return {
    trajectory: {
      version: TRAJECTORY_VERSION,
      format: { id: "autocoderover", variant: "1.x" },
      framework: { name: "AutoCodeRover", version: null },
      models: facts.model === null ? [] : [facts.model],
      title: null,
      task: { ...facts.task, statement: run.statement ?? textOf(folder.file("problem_statement.txt")) },
      agents: [{ id: SEARCH_AGENT, name: "Search agent", startedByTurn: null }, ...(hasPatch ? [patchAgent] : [])],
      entries: run.writer.finish(),
      deliveredPatch: delivered?.diff ?? null,
      exitStatus: attempts.at(-1)?.status ?? patchStatuses(folder.file("extract_status.json")).at(-1) ?? null,
      totals: facts.totals,
      notes: notes.list(),
    },
    failure: failureOf(folder),
  };
}

/** The thread of the search: every answer but one to a call for analysis has its round of calls. */
function addSearch(run: RunWriter, thread: readonly ThreadMessage[], layers: ReturnType<typeof callLayers>): void {
  let round = 0;
  for (const [n, message] of thread.entries()) {
    if (message.role !== "assistant") {
      run.addOther(message, "message");
      continue;
    }
    const isAnalysis = thread[n - 1]?.content.trim() === ANALYSE;
    const calls = isAnalysis ? [] : (layers[round++] ?? []).filter(({ name }) => name !== "write_patch");
    // What is asked for and never answered was not run.
    const isAnswered = isSearchAnswer(thread[n + 1]?.content ?? "");
    run.addSearch(message, "message", isAnswered || thread[n + 1] === undefined ? calls : []);
  }
}

/** The last thread of patches, of which the beginning repeats the search. */
function addPatches(run: RunWriter, folder: TaskFolder, search: readonly ThreadMessage[]): void {
  const last = folder.numbered("debug_agent_write_patch_", ".json").at(-1);
  if (last === undefined) return;
  const thread = threadOf(last.file);
  let same = 1;
  while (same < search.length && same < thread.length && search[same]?.content === thread[same]?.content) same += 1;
  const attempts = attemptsOf(folder);
  let attempt = 0;
  for (const message of [...thread.slice(0, 1), ...thread.slice(same)]) {
    if (message.role !== "assistant") run.addOther(message, "patch");
    else run.addPatch(message, "patch", editsIn(message.content), attempts[attempt++]?.facts ?? NOTHING_KNOWN);
  }
}

const NOTHING_KNOWN: AttemptFacts = { status: null, recorded: [], raw: [] };

/** What the files say of each attempt at a patch, in order. */
function attemptsOf(folder: TaskFolder): { status: string | null; diff: string | null; facts: AttemptFacts }[] {
  const statuses = patchStatuses(folder.file("extract_status.json"));
  const diffs = new Map(folder.numbered("extracted_patch_", ".diff").map(({ n, file }) => [n, file]));
  const count = Math.max(statuses.length, ...diffs.keys());
  return Array.from({ length: Math.min(count, 1_000) }, (_, index) => {
    const file = diffs.get(index + 1) ?? null;
    const diff = textOf(file);
    const status = statuses[index] ?? null;
    const raw = file === null || diff === null ? [] : [wholeFile(file)];
    return { status, diff, facts: { status, recorded: recordedIn(diff), raw } };
  });
}

/** Shown as they are, after the turns. */
const SHOWN = ["meta.json", "cost.json", "extract_status.json", "tool_call_layers.json", "tool_call_sequence.json"];
/** Of the failure's context. */
const OF_FAILURE = ["developer_patch.diff"];

/** Files beside the conversation: small ones are context, the threads of the proxy too; all others are named. */
function addBeside(run: RunWriter, folder: TaskFolder, notes: NoteBook): void {
  const known = new Set<string>();
  const take = (file: Parameters<typeof wholeFile>[0], text: string): void => {
    known.add(file.path);
    const raw = [wholeFile(file)];
    run.writer.addContext({ contextKind: "metadata", author: HARNESS, sourceSteps: [], raw, text });
  };
  for (const { file } of folder.numbered("agent_proxy_", ".json")) take(file, textOf(file) ?? "");
  for (const name of SHOWN) {
    const file = folder.file(name);
    if (file !== null) take(file, textOf(file) ?? "");
  }
  const threads = ["conversation_round_", "debug_agent_write_patch_"].map((name) => folder.numbered(name, ".json"));
  const last = new Set(threads.flatMap((thread) => thread.at(-1)?.file.path ?? []));
  const earlier = new Set(threads.flatMap((thread) => thread.slice(0, -1).map(({ file }) => file.path)));
  for (const file of folder.all()) {
    if (known.has(file.path)) continue;
    const [code, words] = earlier.has(file.path)
      ? (["repeated_thread", "Earlier rounds, which the last one repeats"] as const)
      : OF_FAILURE.some((name) => file.path.endsWith(name))
        ? (["reference_patch", "The developers' patch, kept apart from the turns"] as const)
        : (["file_beside", "Files beside the conversation, such as logs; the upload keeps them"] as const);
    if (last.has(file.path)) {
      const repeats = "The beginning of the thread of patches, which repeats the search";
      notes.add("repeated_search", "information", repeats, wholeFile(file));
    } else notes.add(code, "information", words, wholeFile(file));
  }
}
