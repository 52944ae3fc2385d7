import { IngestError } from "@/lib/errors";
import type { RawSpan } from "@/lib/trajectory/schema";
import { isObject, type JsonValue, parseJson, stringMember } from "../../safe-json";
import type { HeldFile } from "../../source";

/** One message of a thread, with its place in its file. */
export interface ThreadMessage {
  index: number;
  role: string;
  content: string;
  raw: RawSpan;
}

/** A file of the folder whose name ends in a number. */
export interface NumberedFile {
  n: number;
  file: HeldFile;
}

const ROUND = /(?:^|\/)conversation_round_(\d{1,4})\.json$/;

/** The folders that hold a task's rounds, sorted; empty for the top of the archive. */
export function taskFolders(files: readonly HeldFile[]): string[] {
  const folders = files.flatMap(({ path }) => (ROUND.test(path) ? [path.slice(0, path.lastIndexOf("/") + 1)] : []));
  return [...new Set(folders)].sort();
}

const SEARCH_ROUND = /(?:^|\/)search\/search_round_\d{1,4}\.json$/;
/** A run that ended before its search has only these. */
const RUN_THREAD = /(?:^|\/)output_\d{1,4}\/conv_(?:reproducible|test_\d{1,4}|patch_\d{1,4})\.json$/;
const RUN_NAME = /(^|\/)output_\d{1,4}\/$/;

/** One task of version 2: its folder, and the folders of its runs in their order (`output_2` before `output_10`). */
export interface TaskRuns {
  path: string;
  runs: string[];
}

/** The tasks of version 2, by the paths of their folders. A run outside of a task's folder is a task of one run. */
export function tasksOfRuns(files: readonly HeldFile[]): TaskRuns[] {
  const found = new Set(
    files.flatMap(({ path }) => (SEARCH_ROUND.test(path) || RUN_THREAD.test(path) ? [runOf(path)] : [])),
  );
  const runs = [...found].sort(new Intl.Collator("en", { numeric: true }).compare);
  const tasks = new Map<string, string[]>();
  for (const run of runs) {
    const path = run.replace(RUN_NAME, "$1");
    tasks.set(path, [...(tasks.get(path) ?? []), run]);
  }
  return [...tasks].map(([path, ofTask]) => ({ path, runs: ofTask }));
}

function runOf(path: string): string {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return folder.replace(/(^|\/)search\/$/, "$1");
}

/** The files of one task by their names in its folder. */
export class TaskFolder {
  private readonly byName = new Map<string, HeldFile>();

  constructor(
    files: readonly HeldFile[],
    readonly path: string,
  ) {
    for (const file of files) {
      const isInside = file.path.startsWith(path) && !file.path.slice(path.length).includes("/");
      if (isInside) this.byName.set(file.path.slice(path.length), file);
    }
  }

  file(name: string): HeldFile | null {
    return this.byName.get(name) ?? null;
  }

  all(): HeldFile[] {
    return [...this.byName.values()];
  }

  /** The files of a name with a number before its ending, by their numbers: 2 before 10. */
  numbered(before: string, ending: string): NumberedFile[] {
    const found: NumberedFile[] = [];
    for (const [name, file] of this.byName) {
      const middle = name.startsWith(before) && name.endsWith(ending) ? name.slice(before.length) : "";
      const digits = middle.slice(0, middle.length - ending.length);
      if (/^\d{1,4}$/.test(digits)) found.push({ n: Number(digits), file });
    }
    return found.sort((a, b) => a.n - b.n);
  }
}

/** The place of a whole file. */
export function wholeFile({ path, bytes }: HeldFile): RawSpan {
  return { line: null, pointer: null, start: 0, end: bytes.length, file: path };
}

/**
 * Parses a file of the folder.
 * @throws IngestError that names the file.
 */
export function jsonOf({ path, bytes }: HeldFile): ReturnType<typeof parseJson> {
  try {
    return parseJson(bytes);
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    throw new IngestError(error.code, `${path}: ${error.message}`, error.at, { cause: error });
  }
}

/**
 * The messages of a file that is a list of them. What is no message has an empty role and its JSON as content.
 * @throws IngestError when the file is not JSON or no list.
 */
export function threadOf(file: HeldFile): ThreadMessage[] {
  const { value, layout } = jsonOf(file);
  if (!Array.isArray(value)) throw new IngestError("malformed", `${file.path} is not a list of messages`);
  return value.map((element, index) => {
    const span = layout.elements[index];
    const [start, end] = [span?.start ?? null, span?.end ?? null];
    const raw: RawSpan = { line: null, pointer: `/${index}`, start, end, file: file.path };
    const role = isObject(element) ? (stringMember(element, "role") ?? "") : "";
    return { index, role, content: role === "" ? JSON.stringify(element) : contentOf(element), raw };
  });
}

function contentOf(message: JsonValue): string {
  if (!isObject(message)) return "";
  const { content } = message;
  if (typeof content === "string") return content;
  return content === undefined || content === null ? "" : JSON.stringify(content);
}
