import { UNKNOWN } from "./known-content";
import { baseName, isAbsolute, resolvePath } from "./paths";
import { chainWith, type Earlier, hushes, skipReason } from "./shell-chain";
import { argumentsOf, expand, FILE_COMMANDS, fileCommandWrites, writesTo } from "./shell-files";
import { LineFiles } from "./shell-line-files";
import { opaqueWrites } from "./shell-opaque";
import { inputOf, outputOf } from "./shell-output";
import { ShellPlace } from "./shell-place";
import { nestedScript } from "./shell-scripts";
import { sedOutput, sedWrites } from "./shell-sed";
import { streamsOf } from "./shell-streams";
import { opaqueWrite, type PlacedWrite, type ShellSurroundings, type ShellWrite } from "./shell-surroundings";
import { parseShell, type Redirection, type ShellCommand, type SimpleCommand, simpleCommands } from "./shell-syntax";
import type { ShellWord } from "./shell-variables";
import { unwrapped } from "./shell-wrappers";

/** What is known of whether a command runs, but for what stands in the command itself. */
type Standing = Omit<PlacedWrite, "write" | "by">;
const ALWAYS: Standing = { conditional: false, afterSuccess: false, earlier: [], followed: false, guarded: false };

/** What a command prints. */
interface Printed {
  text: string | null;
  /** Takes the shell back to where its files were opened, before it ran. */
  opened: () => void;
  /** Its redirections surely work. */
  isSure: boolean;
  /** How many writes and reads of the line stand before its own. */
  start: { writes: number; reads: number };
  name: string;
  /** Its here-document, for showing. */
  shown: string | null;
  /** The one file that it copies. */
  source: string | null;
}

/** Scripts in scripts: `bash -c "bash -c ..."`. */
const MAX_SCRIPTS = 4;
/** Commands whose failure the answer shows, so that a line which stops at errors did not stop there silently. */
const HARMLESS = /^(?:|set|export|echo|printf|true|:)$/;

const NOT_TOLD = "the working directory is not told";
const MOVES = /^(?:cd|pushd|popd)$/;

/** Goes through the commands of a line in order, with the directory and the texts that the line itself makes. */
export class LineReader {
  readonly writes: PlacedWrite[] = [];
  /** Names of files that the shell opens for reading: what it says of them may be meant. */
  readonly inputs = new Set<string>();
  readonly place: ShellPlace;
  #ended = false;
  /** A command that perhaps ran ends the line, and the answer would not show it. */
  #mayHaveEnded = false;
  /** The line stops at the first error, and commands that may fail silently stand before this place. */
  #stops: "no" | "at errors" | "perhaps" = "no";
  #scripts = 0;
  /** What the commands at hand say of their errors does not reach the answer. */
  #isHushed = false;
  /** Files that the pipe at hand writes. */
  #pipe: Set<string> | null = null;
  /** Files that the line has read so far, and how many of them before the pipe at hand. */
  readonly #reads: string[] = [];
  #pipeReads = 0;
  readonly #functions = new Map<string, readonly ShellCommand[]>();
  readonly #around: LineFiles;

  /** @param answer what the line printed; the shell says there where it could not go */
  constructor(around: ShellSurroundings, directory: string | null, answer: string) {
    this.place = new ShellPlace(directory, answer);
    this.#around = new LineFiles(around, this.place);
  }

  /** Reads commands that stand side by side. Returns what they print together, null when that is not told. */
  read(commands: readonly ShellCommand[], standing: Standing = ALWAYS): string | null {
    const lastList = commands.findLastIndex((command) => command.link === "next" && !command.piped);
    let handed: string | null = null;
    let earlier: readonly Earlier[] = [];
    let printed: string | null = "";
    let inOwnPipe = false;
    const pipeReads = this.#pipeReads;
    for (const [index, command] of commands.entries()) {
      if (this.#ended) break;
      const feeds = commands[index + 1]?.piped === true;
      const input: string | null = command.piped ? handed : null;
      if (!command.piped) this.#pipeReads = this.#reads.length;
      const opensPipe: boolean = feeds && this.#pipe === null;
      if (opensPipe) this.#pipe = new Set();
      inOwnPipe ||= opensPipe;
      const stops = this.#stops === "perhaps";
      if (command.link === "next" && !command.piped) earlier = standing.earlier;
      const place: Standing = {
        conditional: standing.conditional || command.conditional || this.#mayHaveEnded,
        afterSuccess: standing.afterSuccess || command.link === "and" || stops,
        earlier,
        followed: !stops && (standing.followed || index < lastList),
        guarded: standing.guarded || command.guarded,
      };
      const apart = command.piped || feeds || (command.kind === "group" && command.subshell);
      const back = this.#save();
      const text: string | null =
        command.kind === "group" ? this.#group(command, place) : this.#simple(command, input, place);
      if (apart) back();
      else this.#follow(command, place, commands[index - 1]);
      if (!feeds && inOwnPipe) {
        this.#pipe = null;
        inOwnPipe = false;
      }
      // Of a pipe its last command tells whether it worked.
      if (!feeds) earlier = chainWith(earlier, command, this.#isHushed);
      handed = feeds ? text : null;
      if (!feeds) printed = printed === null || text === null || place.conditional ? null : printed + text;
    }
    this.#pipeReads = pipeReads;
    return printed;
  }

  /** Keeps what commands do to the shell. Returns how to come back to it. */
  #save(): () => void {
    const [ended, mayHaveEnded] = [this.#ended, this.#mayHaveEnded];
    const back = this.place.save();
    return () => {
      back();
      this.#ended = ended;
      this.#mayHaveEnded = mayHaveEnded;
    };
  }

  #group(command: Extract<ShellCommand, { kind: "group" }>, place: Standing): string | null {
    if (command.defines !== null) this.#functions.set(command.defines, command.commands);
    const opened = this.place.save();
    const isSure = this.#open(command);
    const start = this.#here();
    const wasHushed = this.#isHushed;
    this.#isHushed ||= hushes(command.redirections);
    const text = this.read(command.commands, isSure ? place : { ...place, conditional: true });
    this.#isHushed = wasHushed;
    return this.#deliver(
      command,
      { text, opened, isSure, start, name: "the command", shown: null, source: null },
      place,
    );
  }

  #simple(given: SimpleCommand, piped: string | null, place: Standing): string | null {
    const command = { ...given, words: unwrapped(given.words) };
    const [first, ...rest] = command.words;
    const name = first === undefined ? "" : first.text.slice(first.text.lastIndexOf("/") + 1);
    const opened = this.place.save();
    const isSure = this.#open(command);
    const start = this.#here();
    const input = inputOf(command, piped, (path) => this.#known(path));
    if (MOVES.test(name)) this.place.move(name, rest, this.#surelyRuns(place));
    this.#call(name);
    const hasInput =
      piped !== null || command.piped || command.redirections.some((one) => one.operator.startsWith("<"));
    const script = nestedScript(first?.text ?? "", rest, hasInput ? input : null, this.#around, this.place.directory);
    const shown = documentOf(command);
    if (script !== null) {
      const text = this.#script(script, place);
      return this.#deliver(command, { text, opened, isSure, start, name, shown, source: null }, place);
    }
    for (const write of this.#inEachFolder(() => this.#writesOf(command, name, rest, input))) {
      this.#add(write, place, name);
    }
    const text = this.#outputOf(command, name, rest, input);
    const source = name === "cat" && rest.length === 1 ? plainPath(rest[0]) : null;
    return this.#deliver(
      command,
      { text, opened, isSure, start, name: name === "" ? "the command" : name, shown, source },
      place,
    );
  }

  #script(script: { text: string; apart: boolean }, place: Standing): string | null {
    if (this.#scripts >= MAX_SCRIPTS) return null;
    const inner = parseShell(script.text, 1);
    if (inner === null) return null;
    const stops = this.#stops;
    const back = this.#save();
    this.#scripts += 1;
    const text = this.read(inner, place);
    this.#scripts -= 1;
    if (script.apart) {
      back();
      this.#stops = stops;
    }
    return text;
  }

  /** A function that the line defined may move the shell, or end it. */
  #call(name: string): void {
    for (const inner of simpleCommands(this.#functions.get(name) ?? [])) {
      const [first, ...rest] = inner.words;
      const does = first?.text ?? "";
      if (MOVES.test(does)) this.place.move(does, rest, false);
      else if (does === "exit") this.#mayHaveEnded = true;
      else if (does === "set") this.#stops = "perhaps";
    }
  }

  #surelyRuns(place: Standing): boolean {
    const mayBeSkipped = place.followed && skipReason(place.earlier, this.place.answer) !== null;
    return !place.conditional && !mayBeSkipped;
  }

  /** This place among the writes and reads of the line. */
  #here(): Printed["start"] {
    return { writes: this.writes.length, reads: this.#reads.length };
  }

  #writesOf(command: ShellCommand, name: string, words: readonly ShellWord[], input: string | null): ShellWrite[] {
    const { directory } = this.place;
    if (name === "sed" || name === "gsed") return sedWrites(words, this.#around, directory);
    if (FILE_COMMANDS.has(name)) return fileCommandWrites(name, words, this.#around, directory);
    if (name === "tee") {
      const tee = teeOf(words);
      return writesTo(tee?.files ?? [], this.#around, directory, (path) => {
        return this.#atOnce(command, path) ?? written(path, input, tee?.appends === true, "tee", null);
      }).filter((write) => isFile(write.path));
    }
    return opaqueWrites(name, words, input, this.#around, directory);
  }

  /** What a command prints, from its words and from files that are known. */
  #outputOf(command: SimpleCommand, name: string, words: readonly ShellWord[], input: string | null): string | null {
    // What `tee` says of files that it cannot write may come in between.
    if (name === "tee") return teeOf(words) === null || this.#isHushed || hushes(command.redirections) ? null : input;
    const plain = outputOf(command, input);
    if (plain !== null) return plain;
    const known = (path: string): string | null => this.#known(path);
    if (name === "cat") {
      const texts = words.map((word) => (plainPath(word) === null ? null : known(word.text)));
      return texts.length === 0 || texts.includes(null) ? null : texts.join("");
    }
    if (name === "sed") return sedOutput(words, input, known);
    const shown = name === "git" && words.length === 2 && words[0]?.text === "show" ? words[1] : undefined;
    const path = shown?.literal === true ? /^HEAD:(.+)$/.exec(shown.text)?.[1] : undefined;
    if (path === undefined || this.#around.repository.committed) return null;
    // The path counts from the repository's folder, unless it says that it does not.
    const from = path.startsWith("./") ? this.place.directory : this.#around.root;
    const base = this.#around.baseOf(path, from);
    return base.kind === "whole" ? base.text : null;
  }

  /** The text of a file that a command reads, when all of it is known. */
  #known(path: string): string | null {
    const { directory } = this.place;
    this.#reads.push(resolvePath(path, directory).key);
    const content = this.#around.contentOf(path, directory);
    return content?.kind === "whole" ? content.text : null;
  }

  /** Files that a command opens are empty before it runs. Returns whether it is sure that all of them can be opened. */
  #open(command: ShellCommand): boolean {
    const isSure = command.redirections.every((one) => this.#opens(one));
    for (const { target, appends } of streamsOf(command.redirections).files) {
      if (!target.literal || target.glob || !isFile(target.text) || appends) continue;
      this.#around.make(target.text, this.place.directory, isSure ? { kind: "whole", text: "" } : UNKNOWN);
    }
    return isSure;
  }

  /** What a command prints goes into its files. Returns what is left of it for the pipe or the answer. */
  #deliver(
    command: ShellCommand,
    { text: printed, opened, isSure, start, name, shown, source }: Printed,
    place: Standing,
  ): string | null {
    const { files, prints } = streamsOf(command.redirections);
    if (files.length === 0) return prints ? printed : "";
    const back = this.place.save();
    opened();
    const { directory } = this.place;
    // Files that the command writes itself, while the shell holds them open.
    const keys = new Set(this.writes.slice(start.writes).map(({ write }) => resolvePath(write.path, null).key));
    const reads = new Set(this.#reads.slice(start.reads));
    // What it reads while it adds to it is an error, or has no end.
    const isHushed = hushes(command.redirections);
    const isLooped = files.some(
      (one) => (one.appends || isHushed) && reads.has(resolvePath(one.target.text, directory).key),
    );
    const text = isLooped ? null : printed;
    const isFirm = this.place.elsewhere.length === 0;
    if (!isFirm) {
      const doubtful = files.filter(({ target }) => !isAbsolute(target.text) || !target.literal);
      const named = this.#inEachFolder(() =>
        expand(
          doubtful.map(({ target }) => target),
          this.#around,
          this.place.directory,
        )
          .filter(isFile)
          .map((path) => opaqueWrite(path, "")),
      );
      for (const write of named) this.#add(write, place, "sh");
    }
    for (const { target, appends, receives } of files) {
      if (!isFirm && (!isAbsolute(target.text) || !target.literal)) continue;
      for (const path of expand([target], this.#around, directory)) {
        if (!isFile(path)) continue;
        const { key } = resolvePath(path, directory);
        const isTwice = keys.has(key);
        keys.add(key);
        if (isTwice) this.#add(opaqueWrite(path, "the command opens the file twice"), place, "sh");
        else if (!isSure) this.#add(opaqueWrite(path, "it is not told whether every redirection works"), place, "sh");
        // Of the files that a pattern matches it is one, or none: into several it is an error.
        else if (!target.literal || target.glob) {
          this.#add(opaqueWrite(path, "the shell fills in the name of the file"), place, "sh");
        } else if (receives === "errors") this.#add(opaqueWrite(path, "it receives error messages"), place, "sh");
        else if (receives === "nothing") this.#add(written(path, "", appends, name, null), place, "sh");
        else if (source !== null && text === null && !appends && !this.#isSource(source, path)) {
          const effect = { kind: "copy" as const, from: source };
          this.#add({ path, operation: "overwrite", effect, fragment: null, opaque: null }, place, "cat");
        } else this.#add(this.#atOnce(command, path) ?? written(path, text, appends, name, shown), place, "sh");
      }
    }
    back();
    return prints ? text : "";
  }

  #isSource(source: string, path: string): boolean {
    const { directory } = this.place;
    return resolvePath(source, directory).key === resolvePath(path, directory).key;
  }

  /** Whether a redirection surely works: one that fails keeps its command from running. */
  #opens({ operator, target }: Redirection): boolean {
    if (operator.startsWith("<<") || /^[<>]&$/.test(operator)) return true;
    if (!target.literal || target.glob) return false;
    if (operator.startsWith("<")) this.inputs.add(baseName(target.text));
    return !operator.startsWith("<") || this.#around.contentOf(target.text, this.place.directory) !== null;
  }

  /** A pipe that reads the file which its end writes may read it empty. */
  #atOnce(command: ShellCommand, path: string): ShellWrite | null {
    const { key } = resolvePath(path, this.place.directory);
    const isRead = command.piped && this.#reads.includes(key, this.#pipeReads);
    return isRead ? opaqueWrite(path, "the file is read and written at once") : null;
  }

  #add(write: ShellWrite, place: Standing, by: string): void {
    const { directory, moved } = this.place;
    const relative = directory === null && moved && !isAbsolute(write.path);
    const doubt = relative ? NOT_TOLD : this.#inPipe(write.path);
    const placed = doubt === null ? write : opaqueWrite(write.path, doubt);
    const { shown } = resolvePath(placed.path, directory);
    const anchored = { ...placed, path: shown };
    const { effect } = anchored;
    if (effect.kind === "move" || effect.kind === "copy") {
      anchored.effect = { ...effect, from: resolvePath(effect.from, directory).shown };
    }
    this.#around.make(shown, null, this.#around.after(anchored, place.conditional));
    this.writes.push({ write: anchored, by, ...place });
  }

  /** Writes as they are where the shell stands in one folder; from each of several none of them is certain. */
  #inEachFolder(make: () => ShellWrite[]): ShellWrite[] {
    const { directory, elsewhere } = this.place;
    if (elsewhere.length === 0) return make();
    const back = this.place.save();
    const paths = [directory, ...elsewhere].flatMap((folder) => {
      this.place.stand(folder);
      return make().map((write) => resolvePath(write.path, folder).shown);
    });
    back();
    return [...new Set(paths)].map((path) => opaqueWrite(path, NOT_TOLD));
  }

  /** Why a write in a pipe is not told: the commands of a pipe run at once. */
  #inPipe(path: string): string | null {
    if (this.#pipe === null) return null;
    const { key } = resolvePath(path, this.place.directory);
    if (this.#pipe.has(key)) return "two commands of a pipe write the file";
    this.#pipe.add(key);
    return null;
  }

  /** Whether a command that prints a text did not run, as the answer shows. */
  #isUnsaid({ words, redirections }: SimpleCommand): boolean {
    const [name, ...rest] = words;
    const isPrinted = redirections.every(({ operator, target }) => operator === ">&" && target.text === "2");
    if (name?.text !== "echo" || !isPrinted || this.#isHushed || !rest.every((word) => word.literal)) return false;
    const said = rest.map((word) => word.text).join(" ");
    return said.length > 2 && !this.place.answer.includes(said);
  }

  /** Whether the line may end with this command. */
  #follow(command: ShellCommand, place: Standing, before: ShellCommand | undefined): void {
    if (command.kind === "group") {
      if (this.#stops === "at errors") this.#stops = "perhaps";
      return;
    }
    const [name = "", ...rest] = command.words.map((word) => word.text);
    // What it says before it ends is not in the answer: then it did not.
    const isSilent = before?.kind !== "simple" || !this.#isUnsaid(before);
    if (name === "exit" || name === "return") {
      if (!place.conditional && !place.afterSuccess) this.#ended = true;
      else if (rest[0] === "0") this.#mayHaveEnded = true;
      else if (isSilent) this.#stops = "perhaps";
    } else if (name === "set" && rest.some((text) => /^-[a-z]*e/.test(text) || text === "errexit")) {
      if (this.#stops === "no") this.#stops = "at errors";
    } else if (this.#stops === "at errors" && !HARMLESS.test(name) && (name !== "cat" || rest.length > 0))
      this.#stops = "perhaps";
  }
}

function isFile(path: string): boolean {
  return (
    path !== "" && path !== "-" && !/^\/dev\/(?:null|stdout|stderr|stdin|tty|fd\b)/.test(path) && !/^&?\d$/.test(path)
  );
}

/** The files of `tee`; null with an option that it does not know, as then it writes and prints nothing. */
function teeOf(words: readonly ShellWord[]): { files: ShellWord[]; appends: boolean } | null {
  const { options, paths } = argumentsOf(words);
  if (!options.every((option) => /^(?:-[aip]+|--append|--ignore-interrupts|--output-error(?:=.*)?)$/.test(option)))
    return null;
  return { files: paths, appends: options.some((option) => /^-[a-z]*a|^--append$/.test(option)) };
}

function plainPath(word: ShellWord | undefined): string | null {
  return word?.literal === true && !word.glob && !word.text.startsWith("-") ? word.text : null;
}

function documentOf(command: ShellCommand): string | null {
  return command.redirections.find((one) => one.document !== null)?.document?.text ?? null;
}

function written(path: string, text: string | null, appends: boolean, name: string, shown: string | null): ShellWrite {
  const fragment = { before: null, after: text ?? shown, startLine: appends ? null : 1 };
  if (text === null) {
    const why = shown === null ? `what ${name} prints is not told` : "the shell fills something into the here-document";
    return { ...opaqueWrite(path, why), fragment: shown === null ? null : fragment };
  }
  if (appends) return { path, operation: "append", effect: { kind: "append", text }, fragment, opaque: null };
  return { path, operation: "overwrite", effect: { kind: "write", text, mustBeNew: false }, fragment, opaque: null };
}
