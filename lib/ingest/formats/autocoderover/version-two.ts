import { IngestError } from "@/lib/errors";
import type { Agent, Entry, FailureContext, Trajectory } from "@/lib/trajectory/schema";
import { TRAJECTORY_VERSION, turnsOf } from "@/lib/trajectory/schema";
import type { Parsed, ReportProgress } from "../../adapter";
import type { Content } from "../../content";
import { NoteBook } from "../../notes";
import { member, stringMember } from "../../safe-json";
import type { HeldFile } from "../../source";
import { patchStatuses } from "./calls";
import { addBeside, type KnownFiles } from "./files-beside";
import { jsonOf, TaskFolder, type TaskRuns, taskFolders, tasksOfRuns, wholeFile } from "./folder";
import { textOf } from "./patches";
import { verificationIn } from "./run-checks";
import { RunThreads } from "./run-threads";
import { PATCH_AGENT, REVIEW_AGENT, RunWriter, SEARCH_AGENT, SELECT_AGENT, TEST_AGENT } from "./run-writer";
import { failureOf, readFacts } from "./task-facts";

const NAMES: readonly [string, string][] = [
  [SEARCH_AGENT, "Search agent"],
  [TEST_AGENT, "Test agent"],
  [PATCH_AGENT, "Patch agent"],
  [REVIEW_AGENT, "Review agent"],
  [SELECT_AGENT, "Select agent"],
];

/**
 * Reads one task of version 2: its runs one after the other, each from the beginning again, then what chose among their
 * patches.
 * @throws IngestError `malformed` when a file of it cannot be read, or no agent says anything.
 */
export function parseRuns(
  { source, files }: Extract<Content, { kind: "files" }>,
  { path, runs }: TaskRuns,
  report: ReportProgress,
): Parsed {
  const notes = new NoteBook();
  const task = new TaskFolder(files, path);
  const selection = selectionOf(task);
  const folders = runs.map((run) => new TaskFolder(files, run));
  // A run may come without its task; it has a copy of the file.
  const about = [task, ...folders].find((folder) => folder.file("meta.json") !== null) ?? task;
  const facts = readFacts(about);
  const chosen = folders.find((folder) => selection.path?.startsWith(folder.path));
  const writer = new RunWriter(notes, null);
  const known: KnownFiles = { held: new Set(), repeated: new Set() };
  for (const [n, folder] of folders.entries()) {
    // The file of costs names the model of the last run; another run may have had another.
    writer.startRun(folder === folders.at(-1) ? facts.model : null, branchOf(folder, chosen, path));
    new RunThreads(writer, folder, new TaskFolder(files, `${folder.path}search/`), path, known).write();
    report(Math.floor((source.bytes.length * n) / folders.length), writer.writer.turnCount);
  }
  writer.startRun(null, null);
  const selecting = task.file("agent_selection.json");
  if (selecting !== null) new RunThreads(writer, task, task, path, known).addSelection(selecting);
  writer.finish();
  report(source.bytes.length, writer.writer.turnCount);
  const meta = about.file("meta.json");
  const beside = addBeside(writer, filesOf(files, path), known, meta);

  const delivered = deliveredFile(folders, selection, files);
  if (delivered === null && selection.file !== null) {
    const words = "The file of the patch that was selected is not in the upload";
    notes.add("delivered_patch_missing", "not_understood", words, wholeFile(selection.file));
  }
  const entries = writer.writer.finish();
  const statuses = folders.flatMap((folder) => patchStatuses(folder.file("extract_status.json")));
  const trajectory: Trajectory = {
    version: TRAJECTORY_VERSION,
    format: { id: "autocoderover", variant: "2.x" },
    framework: { name: "AutoCodeRover", version: null },
    models: facts.model === null ? [] : [facts.model],
    title: null,
    task: {
      ...facts.task,
      statement: writer.statement ?? textOf(task.file("problem_statement.txt")) ?? statementIn(meta),
    },
    agents: agentsIn(entries),
    entries,
    deliveredPatch: textOf(delivered),
    exitStatus: selection.reason ?? statuses.at(-1) ?? null,
    totals: facts.totals,
    notes: [...notes.list(), ...beside],
  };
  if (turnsOf(trajectory).length === 0) throw new IngestError("malformed", "the task holds no answer of an agent");
  return { trajectory, failure: withChecks(failureOf(task, about), folders, path) };
}

/** The agents that speak, the search first, each with the turn that made its first turn necessary. */
function agentsIn(entries: readonly Entry[]): Agent[] {
  const first = new Map<string, number | null>();
  for (const entry of entries) {
    if (entry.kind === "turn" && !first.has(entry.agent)) first.set(entry.agent, entry.parentTurn);
  }
  return NAMES.flatMap(([id, name]) => {
    const startedByTurn = first.get(id);
    return startedByTurn === undefined ? [] : [{ id, name, startedByTurn }];
  });
}

interface Selection {
  file: HeldFile | null;
  /** The whole path of the patch that was chosen. */
  path: string | null;
  reason: string | null;
}

function selectionOf(task: TaskFolder): Selection {
  const file = task.file("selected_patch.json");
  if (file === null) return { file, path: null, reason: null };
  const { value } = jsonOf(file);
  const selected = stringMember(value, "selected_patch");
  return { file, path: selected === null ? null : `${task.path}${selected}`, reason: stringMember(value, "reason") };
}

function statementIn(meta: HeldFile | null): string | null {
  return meta === null ? null : stringMember(member(jsonOf(meta).value, "task_info"), "problem_statement");
}

/** A run of which no patch was chosen was left behind when the next one began. */
function branchOf(folder: TaskFolder, chosen: TaskFolder | undefined, taskPath: string): string | null {
  return chosen === undefined || chosen === folder ? null : folder.path.slice(taskPath.length, -1);
}

/** The patch that was selected; when nothing says which, the last one that could be applied. */
function deliveredFile(
  folders: readonly TaskFolder[],
  selection: Selection,
  files: readonly HeldFile[],
): HeldFile | null {
  if (selection.file !== null) return files.find((file) => file.path === selection.path) ?? null;
  return folders.flatMap((folder) => folder.numbered("extracted_patch_", ".diff")).at(-1)?.file ?? null;
}

/** Everything below the task's folder but what belongs to a task within it. */
function filesOf(files: readonly HeldFile[], path: string): HeldFile[] {
  const tasks = [...taskFolders(files), ...tasksOfRuns(files).map((task) => task.path)];
  const within = tasks.filter((task) => task !== path && task.startsWith(path));
  return files.filter((file) => file.path.startsWith(path) && !within.some((task) => file.path.startsWith(task)));
}

function withChecks(failure: FailureContext, folders: readonly TaskFolder[], taskPath: string): FailureContext {
  const checks = folders.flatMap((folder) => {
    const run = folder.path.slice(taskPath.length, -1);
    return verificationIn(folder, run === "" ? "" : `${run}: `);
  });
  const foundAt = checks.map(({ where }) => ({ what: "verification" as const, where }));
  return {
    ...failure,
    verification: checks.map(({ check }) => check),
    foundAt: [...(failure.foundAt ?? []), ...foundAt],
  };
}
