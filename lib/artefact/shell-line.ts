import { applyEffect } from "./effect-application";
import { ABSENT, UNKNOWN } from "./known-content";
import type { KnownContent } from "./model";
import { isAbsolute, pathInside, resolvePath } from "./paths";
import { chainWith, type Earlier, hushes } from "./shell-chain";
import { argumentsOf, expand, FILE_COMMANDS, fileCommandWrites, writesTo } from "./shell-files";
import { opaqueWrites } from "./shell-opaque";
import { inputOf, outputOf } from "./shell-output";
import { nestedScript } from "./shell-scripts";
import { sedOutput, sedWrites } from "./shell-sed";
import { streamsOf } from "./shell-streams";
import { opaqueWrite, type PlacedWrite, type ShellSurroundings, type ShellWrite } from "./shell-surroundings";
import { parseShell, type Redirection, type ShellCommand, type SimpleCommand } from "./shell-syntax";
import type { ShellWord } from "./shell-variables";
import { unwrapped } from "./shell-wrappers";

/** What is known of whether a command runs, but for what stands in the command itself. */
type Standing = Omit<PlacedWrite, "write" | "by">;
const ALWAYS: Standing = { conditional: false, afterSuccess: false, earlier: [], followed: false, guarded: false };

/** What a command prints. */
interface Printed {
  text: string | null;
  /** The directory in which its files were opened, before it ran. */
  opened: string | null;
  /** Its redirections surely work. */
  isSure: boolean;
  /** How many writes of the line stand before its own. */
  start: number;
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

const TEE_OPTION = /^(?:-[aip]+|--append|--ignore-interrupts|--output-error(?:=.*)?)$/;

/** Goes through the commands of a line in order, with the directory and the texts that the line itself makes. */
export class LineReader {
  readonly writes: PlacedWrite[] = [];
  moved = false;
  #ended = false;
  /** A command that perhaps ran ends the line, and the answer would not show it. */
  #mayHaveEnded = false;
  /** The line stops at the first error, and commands that may fail silently stand before this place. */
  #stops: "no" | "at errors" | "perhaps" = "no";
  #scripts = 0;
  #left: (string | null)[] = [];
  #previous: string | null = null;
  /** Files that the pipe at hand writes. */
  #pipe: Set<string> | null = null;
  /** What the commands at hand say of their errors does not reach the answer. */
  #isHushed = false;
  /** Files that the pipe at hand has read so far. */
  #sources = new Set<string>();
  readonly #made = new Map<string, { path: string; content: KnownContent }>();
  readonly #around: ShellSurroundings;

  constructor(
    around: ShellSurroundings,
    public directory: string | null,
  ) {
    // A file that this very line wrote is known to its later commands.
    this.#around = {
      root: around.root,
      repository: around.repository,
      filesUnder: (folder, from, onlyWritten) => this.#filesUnder(around, folder, from, onlyWritten),
      contentOf: (path, from) => {
        const made = this.#made.get(resolvePath(path, from).key);
        if (made === undefined) return around.contentOf(path, from);
        return made.content.kind === "absent" ? null : made.content;
      },
      goneUnder: (folder, from) => this.#goneUnder(around, folder, from),
      baseOf: (path, from) => around.baseOf(path, from),
    };
  }

  /** Reads commands that stand side by side. Returns what they print together, null when that is not told. */
  read(commands: readonly ShellCommand[], standing: Standing = ALWAYS): string | null {
    const lastList = commands.findLastIndex((command) => command.link === "next" && !command.piped);
    let handed: string | null = null;
    let earlier: readonly Earlier[] = [];
    let printed: string | null = "";
    let inOwnPipe = false;
    for (const [index, command] of commands.entries()) {
      if (this.#ended) break;
      const feeds = commands[index + 1]?.piped === true;
      const input: string | null = command.piped ? handed : null;
      if (!command.piped) this.#sources.clear();
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
      const before = { directory: this.directory, moved: this.moved, ended: this.#ended, mayEnd: this.#mayHaveEnded };
      const text: string | null =
        command.kind === "group" ? this.#group(command, place) : this.#simple(command, input, place);
      if (apart) {
        this.directory = before.directory;
        this.moved = before.moved;
        this.#ended = before.ended;
        this.#mayHaveEnded = before.mayEnd;
      }
      if (!apart) this.#follow(command, place, commands[index - 1]);
      if (!feeds && inOwnPipe) {
        this.#pipe = null;
        inOwnPipe = false;
      }
      // Of a pipe its last command tells whether it worked.
      if (!feeds) earlier = chainWith(earlier, command, this.#isHushed);
      handed = feeds ? text : null;
      if (!feeds) printed = printed === null || text === null || place.conditional ? null : printed + text;
    }
    return printed;
  }

  #group(command: Extract<ShellCommand, { kind: "group" }>, place: Standing): string | null {
    const opened = this.directory;
    const isSure = this.#open(command);
    const start = this.writes.length;
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
    const opened = this.directory;
    const isSure = this.#open(command);
    const start = this.writes.length;
    const input = inputOf(command, piped, (path) => this.#known(path));
    if (name === "cd" || name === "pushd" || name === "popd") {
      if (!place.conditional) this.#move(name, rest);
    }
    const hasInput =
      piped !== null || command.piped || command.redirections.some((one) => one.operator.startsWith("<"));
    const script = nestedScript(first?.text ?? "", rest, hasInput ? input : null, this.#around, this.directory);
    const shown = documentOf(command);
    if (script !== null) {
      const text = this.#script(script, place);
      return this.#deliver(command, { text, opened, isSure, start, name, shown, source: null }, place);
    }
    for (const write of this.#writesOf(command, name, rest, input)) this.#add(write, place, name);
    const text = name === "tee" ? input : this.#outputOf(command, name, rest, input);
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
    const before = {
      directory: this.directory,
      moved: this.moved,
      ended: this.#ended,
      mayEnd: this.#mayHaveEnded,
      stops: this.#stops,
    };
    this.#scripts += 1;
    const text = this.read(inner, place);
    this.#scripts -= 1;
    if (script.apart) {
      this.directory = before.directory;
      this.moved = before.moved;
      this.#ended = before.ended;
      this.#mayHaveEnded = before.mayEnd;
      this.#stops = before.stops;
    }
    return text;
  }

  #writesOf(command: ShellCommand, name: string, words: readonly ShellWord[], input: string | null): ShellWrite[] {
    const { directory } = this;
    if (name === "sed" || name === "gsed") return sedWrites(words, this.#around, directory);
    if (FILE_COMMANDS.has(name)) return fileCommandWrites(name, words, this.#around, directory);
    if (name === "tee") {
      const { options, paths: files } = argumentsOf(words);
      // With an option that it does not know it writes nothing.
      if (options.some((option) => !TEE_OPTION.test(option))) return [];
      const appends = options.some((option) => /^-[a-z]*a|^--append$/.test(option));
      return writesTo(files, this.#around, directory, (path) => {
        return this.#atOnce(command, path) ?? written(path, input, appends, "tee", null);
      }).filter((write) => isFile(write.path));
    }
    return opaqueWrites(name, words, input, this.#around, directory);
  }

  /** What a command prints, from its words and from files that are known. */
  #outputOf(command: SimpleCommand, name: string, words: readonly ShellWord[], input: string | null): string | null {
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
    const from = path.startsWith("./") ? this.directory : this.#around.root;
    const base = this.#around.baseOf(path, from);
    return base.kind === "whole" ? base.text : null;
  }

  /** The text of a file that a command reads, when all of it is known. */
  #known(path: string): string | null {
    this.#sources.add(resolvePath(path, this.directory).key);
    const content = this.#around.contentOf(path, this.directory);
    return content?.kind === "whole" ? content.text : null;
  }

  /** Files that a command opens are empty before it runs. Returns whether it is sure that all of them can be opened. */
  #open(command: ShellCommand): boolean {
    const isSure = command.redirections.every((one) => this.#opens(one));
    for (const { target, appends } of streamsOf(command.redirections).files) {
      if (!target.literal || target.glob || !isFile(target.text) || appends) continue;
      const { key, shown } = resolvePath(target.text, this.directory);
      this.#made.set(key, { path: shown, content: isSure ? { kind: "whole", text: "" } : UNKNOWN });
    }
    return isSure;
  }

  /** What a command prints goes into its files. Returns what is left of it for the pipe or the answer. */
  #deliver(
    command: ShellCommand,
    { text, opened, isSure, start, name, shown, source }: Printed,
    place: Standing,
  ): string | null {
    const { files, prints } = streamsOf(command.redirections);
    const left = this.directory;
    this.directory = opened;
    // Files that the command writes itself, while the shell holds them open.
    const own =
      files.length === 0 ? [] : this.writes.slice(start).map(({ write }) => resolvePath(write.path, null).key);
    const keys = new Set<string>(own);
    for (const { target, appends, receives } of files) {
      for (const path of expand([target], this.#around, this.directory)) {
        if (!isFile(path)) continue;
        const { key } = resolvePath(path, opened);
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
    this.directory = left;
    return prints ? text : "";
  }

  #isSource(source: string, path: string): boolean {
    return resolvePath(source, this.directory).key === resolvePath(path, this.directory).key;
  }

  /** Whether a redirection surely works: one that fails keeps its command from running. */
  #opens({ operator, target }: Redirection): boolean {
    if (operator.startsWith("<<") || /^[<>]&$/.test(operator)) return true;
    if (!target.literal || target.glob) return false;
    return !operator.startsWith("<") || this.#around.contentOf(target.text, this.directory) !== null;
  }

  /** A pipe that reads the file which its end writes may read it empty. */
  #atOnce(command: ShellCommand, path: string): ShellWrite | null {
    const isRead = command.piped && this.#sources.has(resolvePath(path, this.directory).key);
    return isRead ? opaqueWrite(path, "the file is read and written at once") : null;
  }

  #add(write: ShellWrite, place: Standing, by: string): void {
    const { directory } = this;
    const relative = directory === null && this.moved && !isAbsolute(write.path);
    const doubt = relative ? "the working directory is not told" : this.#inPipe(write.path);
    const placed = doubt === null ? write : opaqueWrite(write.path, doubt);
    const { key, shown } = resolvePath(placed.path, directory);
    const anchored = { ...placed, path: shown };
    const { effect } = anchored;
    if (effect.kind === "move" || effect.kind === "copy") {
      anchored.effect = { ...effect, from: resolvePath(effect.from, directory).shown };
    }
    this.#made.set(key, { path: shown, content: this.#after(anchored, place) });
    this.writes.push({ write: anchored, by, ...place });
  }

  /** Why a write in a pipe is not told: the commands of a pipe run at once. */
  #inPipe(path: string): string | null {
    if (this.#pipe === null) return null;
    const { key } = resolvePath(path, this.directory);
    if (this.#pipe.has(key)) return "two commands of a pipe write the file";
    this.#pipe.add(key);
    return null;
  }

  #after({ path, effect, opaque }: ShellWrite, place: Standing): KnownContent {
    if (opaque !== null || place.conditional) return UNKNOWN;
    if (effect.kind === "write") return { kind: "whole", text: effect.text };
    if (effect.kind === "delete") return ABSENT;
    if (effect.kind === "move" || effect.kind === "copy") return this.#around.contentOf(effect.from, null) ?? UNKNOWN;
    const applied = applyEffect(this.#around.contentOf(path, null) ?? UNKNOWN, effect, []);
    return applied.ok ? applied.content : UNKNOWN;
  }

  #filesUnder(around: ShellSurroundings, folder: string, from: string | null, onlyWritten: boolean): string[] {
    const { shown } = resolvePath(folder, from ?? around.root);
    const others = around
      .filesUnder(folder, from, onlyWritten)
      .filter((path) => !this.#made.has(resolvePath(path, null).key));
    const made = [...this.#made.values()].filter(
      ({ path, content }) => content.kind !== "absent" && (shown === "." || pathInside(path, shown) !== null),
    );
    return [...others, ...made.map(({ path }) => path)];
  }

  #goneUnder(around: ShellSurroundings, folder: string, from: string | null): string[] {
    const others = around.goneUnder(folder, from).filter((path) => !this.#made.has(resolvePath(path, null).key));
    const { shown } = resolvePath(folder, from ?? around.root);
    const made = [...this.#made.values()].filter(
      ({ path, content }) => content.kind === "absent" && (shown === "." || pathInside(path, shown) !== null),
    );
    return [...others, ...made.map(({ path }) => path)];
  }

  #move(name: string, words: readonly ShellWord[]): void {
    const target = words.find((word) => word.text !== "--");
    const before = this.directory;
    this.moved = true;
    if (name === "popd") this.directory = this.#left.pop() ?? null;
    else if (target === undefined) this.directory = name === "cd" ? "~" : null;
    else if (target.text === "-") this.directory = this.#previous;
    else if (!target.literal || target.glob) this.directory = null;
    else {
      const { shown } = resolvePath(target.text, before);
      // A folder that is relative to one that is not told could be anywhere.
      this.directory = isAbsolute(shown) || before !== null ? shown : null;
    }
    if (name === "pushd") this.#left.push(before);
    this.#previous = before;
  }

  /** Whether the line may end with this command. */
  #follow(command: ShellCommand, place: Standing, before: ShellCommand | undefined): void {
    if (command.kind === "group") {
      if (this.#stops === "at errors") this.#stops = "perhaps";
      return;
    }
    const [name = "", ...rest] = command.words.map((word) => word.text);
    const isSilent = before?.kind !== "simple" || !HARMLESS.test(before.words[0]?.text ?? "");
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
