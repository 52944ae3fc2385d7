import type { ResultItem } from "@/lib/trajectory/schema";
import type { Attempt } from "./effect";
import { baseName, isAbsolute, resolvePath } from "./paths";
import { expand, FILE_COMMANDS, fileCommandWrites } from "./shell-files";
import { opaqueWrites } from "./shell-opaque";
import { judgeShell, refusalOf } from "./shell-outcome";
import { inputOf, outputOf } from "./shell-output";
import { sedWrites } from "./shell-sed";
import { opaqueWrite, type PlacedWrite, type ShellSurroundings, type ShellWrite } from "./shell-surroundings";
import { parseShell, type ShellWord, type SimpleCommand } from "./shell-syntax";

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
  const here = readShellWrites(line, result, around, told);
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
 * Reads what a shell command writes (formats.md, W7): here-documents, redirected `echo` and `printf`, `tee`, simple
 * `sed -i`, and files removed, moved and copied are followed; whatever else may change a file makes it unknown.
 */
export function readShellWrites(
  line: string,
  result: ResultItem | null,
  around: ShellSurroundings,
  directory: string | null,
): ShellReading {
  const refusal = refusalOf(result);
  if (refusal !== null) {
    const reading = new LineReader(around, directory);
    reading.read(parseShell(line) ?? []);
    const attempts = reading.writes.map(({ write }) => ({
      ...attemptOf(write),
      status: "refused" as const,
      reason: refusal,
    }));
    return { attempts, directory, moved: false };
  }
  const commands = parseShell(line);
  if (commands === null) return { attempts: unreadable(line, around, directory), directory, moved: false };
  const reading = new LineReader(around, directory);
  reading.read(commands);
  const attempts = reading.writes.map((one) => {
    const judged = judgeShell(one, commands.length, result);
    if (judged.status !== "opaque" || one.write.opaque !== null) return { ...attemptOf(one.write), ...judged };
    return { ...attemptOf(opaqueWrite(one.write.path, judged.reason ?? "")), ...judged, fragment: one.write.fragment };
  });
  // A command that failed may not have got as far as its `cd`.
  const failed =
    result === null || result.isError === true || (result.exitCode ?? 0) !== 0 || CD_FAILED.test(result.text);
  const reset = RESET.exec(result?.text ?? "")?.[1];
  if (reset !== undefined) return { attempts, directory: reset, moved: true };
  const moved = reading.moved && !failed;
  return { attempts, directory: moved || !reading.moved ? reading.directory : directory, moved };
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
function unreadable(line: string, around: ShellSurroundings, directory: string | null): Attempt[] {
  if (!/>|\b(?:sed|perl|rm|mv|cp|tee|git|patch|python\d?|node|dd)\b/.test(line)) return [];
  const known = around.filesUnder(directory === null ? "." : "/", directory, false);
  const reason = "the command line cannot be read and names the file";
  return known
    .filter((path) => line.includes(path) || line.includes(baseName(path)))
    .map((path) => ({ ...attemptOf(opaqueWrite(path, reason)), status: "opaque", reason }));
}

const WRAPPERS = new Set([
  "sudo",
  "env",
  "time",
  "nohup",
  "command",
  "exec",
  "builtin",
  "npx",
  "uv",
  "poetry",
  "pipenv",
  "stdbuf",
  "nice",
  "ionice",
  "bunx",
]);
const SHELLS = /^(?:bash|sh|zsh|dash|ksh)$/;

/** Goes through the commands of a line in order, with the directory and the texts that the line itself writes. */
class LineReader {
  readonly writes: PlacedWrite[] = [];
  moved = false;
  readonly #texts = new Map<string, string>();
  #followed = false;
  readonly #around: ShellSurroundings;

  constructor(
    around: ShellSurroundings,
    public directory: string | null,
  ) {
    // A file that this very line wrote is known to its later commands.
    this.#around = {
      filesUnder: (folder, from, onlyWritten) => around.filesUnder(folder, from, onlyWritten),
      contentOf: (path, from) => {
        const text = this.#texts.get(resolvePath(path, from).key);
        return text === undefined ? around.contentOf(path, from) : { kind: "whole", text };
      },
    };
  }

  read(commands: readonly SimpleCommand[]): void {
    let input: string | null = null;
    const outer = this.#followed;
    const lastList = commands.findLastIndex((command) => command.link === "next");
    for (const [index, command] of commands.entries()) {
      this.#followed = outer || index < lastList;
      const piped = command.link === "pipe" ? input : null;
      const bare = { ...command, words: unwrapped(command.words) };
      input = this.#one(bare, piped, commands[index + 1]?.link === "pipe");
    }
    this.#followed = outer;
  }

  #one(command: SimpleCommand, piped: string | null, feeds: boolean): string | null {
    const [first, ...rest] = command.words;
    const name = first === undefined ? "" : first.text.slice(first.text.lastIndexOf("/") + 1);
    const input = inputOf(command, piped);
    if (name === "cd" || name === "pushd" || name === "popd") this.#move(name, rest, command);
    const nested = SHELLS.test(name) ? rest.findIndex((word) => /^-[a-z]*c$/.test(word.text)) : -1;
    const script = nested === -1 ? undefined : rest[nested + 1];
    if (script !== undefined) {
      const before = this.directory;
      const inner = script.literal ? parseShell(script.text, 1) : null;
      if (inner !== null) this.read(inner.map((one) => ({ ...one, conditional: command.conditional })));
      this.directory = before;
    } else {
      for (const write of this.#writesOf(name, rest, input)) this.#add(write, command);
    }
    const output = name === "tee" ? input : outputOf(command, piped);
    for (const write of this.#redirected(name, command, output)) this.#add(write, command);
    return feeds ? output : null;
  }

  #writesOf(name: string, words: readonly ShellWord[], input: string | null): ShellWrite[] {
    const { directory } = this;
    if (name === "sed" || name === "gsed") return sedWrites(words, this.#around, directory);
    if (FILE_COMMANDS.has(name)) return fileCommandWrites(name, words, this.#around, directory);
    if (name === "tee") {
      const appends = words.some((word) => /^-[a-z]*a|^--append$/.test(word.text));
      const files = words.filter((word) => !word.text.startsWith("-"));
      return expand(files, this.#around, directory)
        .filter(isFile)
        .map((path) => written(path, input, appends, "tee"));
    }
    return opaqueWrites(name, words, input, this.#around, directory);
  }

  #redirected(name: string, command: SimpleCommand, output: string | null): ShellWrite[] {
    const outs = command.redirections.filter((one) => /^(?:&?>>?|>\|)$/.test(one.operator));
    return outs.flatMap((one) => {
      if (!one.target.literal || !isFile(one.target.text)) return [];
      const path = one.target.text;
      const appends = one.operator.endsWith(">>");
      // Only the plain output is told; what a command says of its errors is not.
      if (one.descriptor !== null && one.descriptor !== 1) return [opaqueWrite(path, "it receives error messages")];
      const [source, ...others] = command.words.slice(1);
      if (
        name === "cat" &&
        source !== undefined &&
        others.length === 0 &&
        source.literal &&
        !source.glob &&
        !appends &&
        !source.text.startsWith("-")
      ) {
        const effect = { kind: "copy" as const, from: source.text };
        return [{ path, operation: "overwrite", effect, fragment: null, opaque: null }];
      }
      return [written(path, output, appends, name === "" ? "the command" : name, documentOf(command))];
    });
  }

  #add(write: ShellWrite, command: SimpleCommand): void {
    const { directory } = this;
    const relative = directory === null && this.moved && !isAbsolute(write.path);
    const placed = relative ? opaqueWrite(write.path, "the working directory is not told") : write;
    const anchored = { ...placed, path: resolvePath(placed.path, directory).shown };
    const { effect } = anchored;
    if (effect.kind === "move" || effect.kind === "copy") {
      anchored.effect = { ...effect, from: resolvePath(effect.from, directory).shown };
    }
    if (effect.kind === "write") this.#texts.set(resolvePath(anchored.path, null).key, effect.text);
    this.writes.push({ write: anchored, command, followed: this.#followed });
  }

  #move(name: string, words: readonly ShellWord[], command: SimpleCommand): void {
    if (command.conditional) return;
    const target = words.find((word) => word.text !== "--");
    this.moved = true;
    if (name !== "cd" || target === undefined || !target.literal || target.glob || target.text === "-") {
      this.directory = null;
      return;
    }
    const { shown } = resolvePath(target.text, this.directory);
    // A folder that is relative to one that is not told could be anywhere.
    this.directory = isAbsolute(shown) || this.directory !== null ? shown : null;
  }
}

function isFile(path: string): boolean {
  return (
    path !== "" && path !== "-" && !/^\/dev\/(?:null|stdout|stderr|stdin|tty|fd\b)/.test(path) && !/^&?\d$/.test(path)
  );
}

function documentOf(command: SimpleCommand): string | null {
  return command.redirections.find((one) => one.document !== null)?.document?.text ?? null;
}

function written(
  path: string,
  text: string | null,
  appends: boolean,
  name: string,
  shown: string | null = null,
): ShellWrite {
  const fragment = { before: null, after: text ?? shown, startLine: appends ? null : 1 };
  if (text === null) {
    const why = shown === null ? `what ${name} prints is not told` : "the shell fills something into the here-document";
    return { ...opaqueWrite(path, why), fragment: shown === null ? null : fragment };
  }
  if (appends) return { path, operation: "append", effect: { kind: "append", text }, fragment, opaque: null };
  return { path, operation: "overwrite", effect: { kind: "write", text, mustBeNew: false }, fragment, opaque: null };
}

/** A command's words without variable settings and without commands that only run another one. */
function unwrapped(words: readonly ShellWord[]): ShellWord[] {
  let rest = [...words];
  for (;;) {
    const text = rest[0]?.text ?? "";
    if (/^[A-Za-z_]\w*=/.test(text) || WRAPPERS.has(text)) rest = rest.slice(1);
    else if (text === "run" || text === "dlx" || (text === "--" && rest.length > 1)) rest = rest.slice(1);
    else if (text === "timeout")
      rest = rest.slice(1).filter((word, index, all) => !isTimeoutOption(word.text, index, all));
    else if (/^python[\d.]*$/.test(text) && rest[1]?.text === "-m") rest = rest.slice(2);
    else return rest;
  }
}

function isTimeoutOption(text: string, index: number, all: readonly ShellWord[]): boolean {
  const end = all.findIndex((word) => /^\d+(?:\.\d+)?[smhd]?$/.test(word.text));
  return index <= end && (text.startsWith("-") || index === end || /^\w+$/.test(text));
}
