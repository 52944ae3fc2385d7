import type { ResultItem } from "@/lib/trajectory/schema";
import type { Attempt } from "./effect";
import { baseName } from "./paths";
import { RepositoryState } from "./repository-state";
import { LineReader } from "./shell-line";
import { judgeShell, refusalOf } from "./shell-outcome";
import { opaqueWrite, type ShellSurroundings, type ShellWrite } from "./shell-surroundings";
import { parseShell, simpleCommands } from "./shell-syntax";

/** The writes of a command line, and the working directory that it leaves (null when that is not told). */
export interface ShellReading {
  attempts: Attempt[];
  directory: string | null;
  /** The line changed the directory and nothing says that it failed. */
  moved: boolean;
}

/**
 * Reads a command whose shell may stand in either of two directories, as when several agents of a run share one shell
 * and the trace tells another directory than the last `cd` left: writes that both readings share are certain, the
 * others make both files unknown.
 */
export function readShellWritesInEither(
  line: string,
  result: ResultItem | null,
  around: ShellSurroundings,
  told: string | null,
  followed: string,
): ShellReading {
  const here = readShellWrites(line, result, { ...around, repository: around.repository.copy() }, told);
  const there = readShellWrites(line, result, around, followed);
  const reason = "agents share a shell, and it is not certain in which folder it stood";
  const shared = (one: Attempt, others: Attempt[]): boolean => others.some((other) => other.path === one.path);
  const uncertain = (one: Attempt): Attempt =>
    one.status === "refused"
      ? one
      : { ...one, operation: "opaque", effect: { kind: "opaque" }, status: "opaque", reason };
  const attempts = [
    ...here.attempts.map((one) => (shared(one, there.attempts) ? one : uncertain(one))),
    ...there.attempts.filter((one) => !shared(one, here.attempts)).map(uncertain),
  ];
  return { attempts, directory: there.moved ? there.directory : here.directory, moved: there.moved };
}

/**
 * Reads what a shell command writes (formats.md, W7): here-documents, redirections, `tee`, simple `sed -i`, patches,
 * files removed, moved and copied, and what git brings back are followed; whatever else may change a file makes it
 * unknown.
 */
export function readShellWrites(
  line: string,
  result: ResultItem | null,
  around: ShellSurroundings,
  directory: string | null,
): ShellReading {
  const commands = parseShell(line);
  const refusal = refusalOf(result);
  if (refusal !== null) {
    const reading = new LineReader({ ...around, repository: new RepositoryState() }, directory, "");
    reading.read(commands ?? []);
    const attempts = reading.writes.map(({ write }) => ({
      ...attemptOf(write),
      status: "refused" as const,
      reason: refusal,
    }));
    return { attempts, directory, moved: false };
  }
  if (commands === null) return { attempts: unreadable(line, result, around, directory), directory, moved: false };
  const reading = new LineReader(around, directory, result?.text ?? "");
  reading.read(commands);
  const { writes, inputs } = reading;
  const count = simpleCommands(commands).length;
  const attempts = writes.map((one) => {
    const judged = judgeShell(one, { writes, inputs, commands: count }, result);
    if (judged.status !== "opaque" || one.write.opaque !== null) return { ...attemptOf(one.write), ...judged };
    return { ...attemptOf(opaqueWrite(one.write.path, judged.reason ?? "")), ...judged, fragment: one.write.fragment };
  });
  // A command that failed may not have got as far as its `cd`.
  const failed =
    result === null || result.isError === true || (result.exitCode ?? 0) !== 0 || CD_FAILED.test(result.text);
  const reset = RESET.exec(result?.text ?? "")?.[1];
  if (reset !== undefined) return { attempts, directory: reset, moved: true };
  const { place } = reading;
  const moved = place.moved && !failed;
  return { attempts, directory: moved || !place.moved ? place.directory : directory, moved };
}

const CD_FAILED =
  /^(?:\S*(?:sh|\(eval\))\S*: )?(?:line \d+: )?cd: .*(?:[Nn]o such file|[Nn]ot a directory|[Pp]ermission denied)/m;
/** What Claude Code says when it takes the shell back to the project. */
const RESET = /^Shell cwd was reset to (\/\S+)\s*$/m;

function attemptOf(write: ShellWrite): Omit<Attempt, "status" | "reason"> {
  const { path, operation, effect, fragment } = write;
  return { path, grammar: "W7", operation, effect, fragment };
}

/** A line that cannot be read makes unknown what it names, when it looks as if it writes. */
function unreadable(
  line: string,
  result: ResultItem | null,
  around: ShellSurroundings,
  directory: string | null,
): Attempt[] {
  if (!/>|\b(?:sed|perl|rm|mv|cp|tee|git|patch|python\d?|node|dd)\b/.test(line)) return [];
  const known = around.filesUnder(directory === null ? "." : "/", directory, false);
  const reason = "the command line cannot be read and names the file";
  // What stands before the error has run, and its patterns may match every file.
  const runs = /syntax error|parse error/.test(result?.text ?? "") && /[*?[]/.test(line);
  return known
    .filter((path) => runs || line.includes(path) || line.includes(baseName(path)))
    .map((path) => ({ ...attemptOf(opaqueWrite(path, reason)), status: "opaque", reason }));
}
