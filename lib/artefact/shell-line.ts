import { UNKNOWN } from "./known-content";
import { baseName, isAbsolute, resolvePath } from "./paths";
import { chainWith, type Earlier, hushes, skipReason } from "./shell-chain";
import { LineEnd } from "./shell-ends";
import { expand, FILE_COMMANDS, fileCommandWrites, writesTo } from "./shell-files";
import { LineFiles } from "./shell-line-files";
import { type LineMark, LineWrites, type Standing } from "./shell-line-writes";
import { opaqueWrites } from "./shell-opaque";
import { inputOf } from "./shell-output";
import { ShellPlace } from "./shell-place";
import { plainPath, printedBy, teeOf } from "./shell-printed";
import { nestedScript } from "./shell-scripts";
import { sedWrites } from "./shell-sed";
import { streamsOf } from "./shell-streams";
import { opaqueWrite, type PlacedWrite, type ShellSurroundings, type ShellWrite } from "./shell-surroundings";
import { parseShell, type Redirection, type ShellCommand, type SimpleCommand, simpleCommands } from "./shell-syntax";
import type { ShellWord } from "./shell-variables";
import { unwrapped } from "./shell-wrappers";
import { documentOf, isFile, written } from "./shell-written";

const ALWAYS: Standing = { conditional: false, afterSuccess: false, earlier: [], followed: false, guarded: false };

/** What a command prints. */
interface Printed {
  text: string | null;
  /** Takes the shell back to where its files were opened, before it ran. */
  opened: () => void;
  /** Its redirections surely work. */
  isSure: boolean;
  /** Where the command begins. */
  start: LineMark;
  name: string;
  /** Its here-document, for showing. */
  shown: string | null;
  /** The one file that it copies. */
  source: string | null;
}

/** Scripts in scripts: `bash -c "bash -c ..."`. */
const MAX_SCRIPTS = 4;
const MOVES = /^(?:cd|pushd|popd)$/;

/** Goes through the commands of a line in order, with the directory and the texts that the line itself makes. */
export class LineReader {
  /** Names of files that the shell opens for reading: what it says of them may be meant. */
  readonly inputs = new Set<string>();
  readonly place: ShellPlace;
  readonly #end: LineEnd;
  #scripts = 0;
  /** What the commands at hand say of their errors does not reach the answer. */
  #isHushed = false;
  readonly #functions = new Map<string, readonly ShellCommand[]>();
  readonly #around: LineFiles;
  readonly #files: LineWrites;

  /** @param answer what the line printed; the shell says there where it could not go */
  constructor(around: ShellSurroundings, directory: string | null, answer: string) {
    this.place = new ShellPlace(directory, answer);
    this.#end = new LineEnd(answer);
    this.#around = new LineFiles(around, this.place);
    this.#files = new LineWrites(this.place, this.#around);
  }

  /** What the line writes, in order. */
  get writes(): readonly PlacedWrite[] {
    return this.#files.all;
  }

  /** Reads commands that stand side by side. Returns what they print together, null when that is not told. */
  read(commands: readonly ShellCommand[], standing: Standing = ALWAYS): string | null {
    const lastList = commands.findLastIndex((command) => command.link === "next" && !command.piped);
    let handed: string | null = null;
    let earlier: readonly Earlier[] = [];
    let printed: string | null = "";
    let inOwnPipe = false;
    const leave = this.#files.enter();
    for (const [index, command] of commands.entries()) {
      if (this.#end.isSure) break;
      const feeds = commands[index + 1]?.piped === true;
      const input: string | null = command.piped ? handed : null;
      if (!command.piped && this.#files.begin(feeds)) inOwnPipe = true;
      const stops = this.#end.stops === "perhaps";
      if (command.link === "next" && !command.piped) earlier = standing.earlier;
      const place: Standing = {
        conditional: standing.conditional || command.conditional || this.#end.isSilent,
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
      else this.#end.follow(command, place, this.#isHushed ? undefined : commands[index - 1]);
      if (!feeds && inOwnPipe) {
        this.#files.endPipe();
        inOwnPipe = false;
      }
      // Of a pipe its last command tells whether it worked.
      if (!feeds) earlier = chainWith(earlier, command, this.#isHushed);
      handed = feeds ? text : null;
      if (!feeds) printed = printed === null || text === null || place.conditional ? null : printed + text;
    }
    leave();
    return printed;
  }

  /** Keeps what commands do to the shell. Returns how to come back to it. */
  #save(): () => void {
    const back = [this.place.save(), this.#end.save()];
    return () => {
      for (const one of back) one();
    };
  }

  #group(command: Extract<ShellCommand, { kind: "group" }>, place: Standing): string | null {
    if (command.defines !== null) this.#functions.set(command.defines, command.commands);
    const opened = this.place.save();
    const isSure = this.#open(command);
    const start = this.#files.mark();
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
    const start = this.#files.mark();
    const input = inputOf(command, piped, (path) => this.#files.read(path));
    if (MOVES.test(name)) this.place.move(name, rest, this.#surelyRuns(place));
    this.#call(name);
    const hasInput =
      piped !== null || command.piped || command.redirections.some((one) => one.operator.startsWith("<"));
    const script = nestedScript(first?.text ?? "", rest, hasInput ? input : null, this.#around, this.place.directory);
    const shown = documentOf(command.redirections);
    if (script !== null) {
      const text = this.#script(script, place);
      return this.#deliver(command, { text, opened, isSure, start, name, shown, source: null }, place);
    }
    for (const write of this.#files.inEachFolder(() => this.#writesOf(command, name, rest, input))) {
      this.#files.add(write, place, name);
    }
    const text = this.#printed(command, name, rest, input);
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
    const { stops } = this.#end;
    const back = this.#save();
    this.#scripts += 1;
    const text = this.read(inner, place);
    this.#scripts -= 1;
    if (script.apart) {
      back();
      this.#end.stops = stops;
    }
    return text;
  }

  /** A function that the line defined may move the shell, or end it. */
  #call(name: string): void {
    for (const inner of simpleCommands(this.#functions.get(name) ?? [])) {
      const [first, ...rest] = inner.words;
      const does = first?.text ?? "";
      if (MOVES.test(does)) this.place.move(does, rest, false);
      else this.#end.call(does);
    }
  }

  #surelyRuns(place: Standing): boolean {
    const mayBeSkipped = place.followed && skipReason(place.earlier, this.place.answer) !== null;
    return !place.conditional && !mayBeSkipped;
  }

  #writesOf(command: ShellCommand, name: string, words: readonly ShellWord[], input: string | null): ShellWrite[] {
    const { directory } = this.place;
    if (name === "sed" || name === "gsed") return sedWrites(words, this.#around, directory);
    if (FILE_COMMANDS.has(name)) return fileCommandWrites(name, words, this.#around, directory);
    if (name === "tee") {
      const tee = teeOf(words);
      return writesTo(tee?.files ?? [], this.#around, directory, (path) => {
        return (
          (command.piped ? this.#files.atOnce(path) : null) ?? written(path, input, tee?.appends === true, "tee", null)
        );
      }).filter((write) => isFile(write.path));
    }
    return opaqueWrites(name, words, input, this.#around, directory);
  }

  #printed(command: SimpleCommand, name: string, words: readonly ShellWord[], input: string | null): string | null {
    // What `tee` says of files that it cannot write may come in between.
    if (name === "tee") return teeOf(words) === null || this.#isHushed || hushes(command.redirections) ? null : input;
    const textOf = (path: string): string | null => this.#files.read(path);
    return printedBy(command, name, words, { input, textOf, directory: this.place.directory }, this.#around);
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
    const { files, prints, complains } = streamsOf(command.redirections);
    // A command of which it is not told what it prints may have errors.
    const left = (text: string | null): string | null => (prints || (complains && text === null) ? text : "");
    if (files.length === 0) return left(printed);
    const back = this.place.save();
    opened();
    const { directory } = this.place;
    // Files that the command writes itself, while the shell holds them open.
    const { written: keys, read: reads } = this.#files.since(start);
    // What it reads while it adds to it is an error, or has no end.
    const isHushed = hushes(command.redirections);
    const isLooped = files.some(
      (one) => (one.appends || isHushed) && reads.has(resolvePath(one.target.text, directory).key),
    );
    const text = isLooped ? null : printed;
    const isFirm = this.place.elsewhere.length === 0;
    if (!isFirm) {
      const targets = files.map((one) => one.target).filter((one) => !isAbsolute(one.text) || !one.literal);
      const named = this.#files.inEachFolder(() => {
        const paths = expand(targets, this.#around, this.place.directory).filter(isFile);
        return paths.map((path) => opaqueWrite(path, ""));
      });
      for (const write of named) this.#files.add(write, place, "sh");
    }
    for (const { target, appends, receives } of files) {
      if (!isFirm && (!isAbsolute(target.text) || !target.literal)) continue;
      for (const path of expand([target], this.#around, directory)) {
        if (!isFile(path)) continue;
        const { key } = resolvePath(path, directory);
        const isTwice = keys.has(key);
        keys.add(key);
        if (isTwice) this.#files.add(opaqueWrite(path, "the command opens the file twice"), place, "sh");
        else if (!isSure)
          this.#files.add(opaqueWrite(path, "it is not told whether every redirection works"), place, "sh");
        // Of the files that a pattern matches it is one, or none: into several it is an error.
        else if (!target.literal || target.glob) {
          this.#files.add(opaqueWrite(path, "the shell fills in the name of the file"), place, "sh");
        } else if (receives === "errors") this.#files.add(opaqueWrite(path, "it receives error messages"), place, "sh");
        else if (receives === "nothing") this.#files.add(written(path, "", appends, name, null), place, "sh");
        else if (source !== null && text === null && !appends && !this.#isSource(source, path)) {
          const effect = { kind: "copy" as const, from: source };
          this.#files.add({ path, operation: "overwrite", effect, fragment: null, opaque: null }, place, "cat");
        } else
          this.#files.add(
            (command.piped ? this.#files.atOnce(path) : null) ?? written(path, text, appends, name, shown),
            place,
            "sh",
          );
      }
    }
    back();
    return left(text);
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
}
