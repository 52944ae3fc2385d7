import {
  type AndOr,
  type CommandNode,
  type CompoundCommand,
  type CompoundList,
  forEachChild,
  type Command as ParsedCommand,
  type Redirection as ParsedRedirection,
  type ParsedScript,
  type PipelineNode,
  parse,
  type Statement,
  type SyntaxNode,
} from "unbash";
import { type ShellWord, ShellWords } from "./shell-variables";

export interface Redirection {
  operator: string;
  /** The descriptor in front of it, null when none is given. */
  descriptor: number | null;
  target: ShellWord;
  /** The text of a here-document, and whether the shell leaves it as it is. */
  document: { text: string; literal: boolean } | null;
}

/** Where a command stands in its line. */
interface Placed {
  redirections: Redirection[];
  /** What joins it, or the pipe that it is part of, to what stands before it. */
  link: "next" | "and" | "or";
  /** It reads what the command before it prints. */
  piped: boolean;
  /**
   * It stands in a loop, a branch, a function, a substitution or the background, or another command decides over it:
   * whether and how often it runs is not told.
   */
  conditional: boolean;
  /** A `||` behind it hides whether it worked. */
  guarded: boolean;
}

export interface SimpleCommand extends Placed {
  kind: "simple";
  words: ShellWord[];
}

/** A list in brackets, a branch or a loop. */
export interface CommandGroup extends Placed {
  kind: "group";
  commands: ShellCommand[];
  /** What it does to the shell (its directory) ends with it. */
  subshell: boolean;
  /** The function of which it is the body, null when it is none. */
  defines: string | null;
}

export type ShellCommand = SimpleCommand | CommandGroup;

/** Substitutions and scripts inside one another, deeper than any that a person writes. */
const MAX_DEPTH = 8;
/** Commands of a line with its loops written out; beyond that it is given up. */
const MAX_COMMANDS = 20_000;
/** Rounds of a loop that are written out. */
const MAX_ROUNDS = 64;
/** Here-documents that are never closed make the parser's work quadratic: 5,000 took 30 ms, 25,000 took 750 ms. */
const MAX_DOCUMENTS = 5_000;

/**
 * The commands of a command line in order, with the loops over given words written out and the variables that the line
 * sets filled in. Null when the line has a syntax error, a here-document that does not end, or too many levels.
 */
export function parseShell(text: string, depth = 0): ShellCommand[] | null {
  if (depth > MAX_DEPTH) return null;
  const source = text.replaceAll("\r\n", "\n");
  if (source.split("<<", MAX_DOCUMENTS + 1).length > MAX_DOCUMENTS) return null;
  const reader = new TreeReader();
  const commands = reader.script(parse(source), depth);
  return reader.failed ? null : commands;
}

/** Every simple command of a line, those in groups included. */
export function simpleCommands(commands: readonly ShellCommand[]): SimpleCommand[] {
  return commands.flatMap((command) => (command.kind === "simple" ? [command] : simpleCommands(command.commands)));
}

type Place = Pick<Placed, "link" | "piped" | "conditional" | "guarded">;
const PLAIN: Place = { link: "next", piped: false, conditional: false, guarded: false };

/** Reads the parser's tree in the order in which a shell runs it. */
class TreeReader {
  failed = false;
  #count = 0;
  #depth = 0;
  readonly #words = new ShellWords();
  /** Functions that the line defines: what they do to variables is not followed. */
  readonly #functions = new Set<string>();

  script(script: ParsedScript, depth: number): ShellCommand[] {
    if (script.errors !== undefined && script.errors.length > 0) this.failed = true;
    this.#depth = depth;
    return this.#list(script.commands, false);
  }

  #list(statements: readonly Statement[], conditional: boolean): ShellCommand[] {
    return statements.flatMap(({ command, background }) => {
      // What runs in the background may not have got there when the answer came.
      if (background !== true) return this.#chain(command, { ...PLAIN, conditional });
      const commands = this.#words.apart(() => this.#chain(command, { ...PLAIN, conditional: true }));
      return [apartGroup(commands)];
    });
  }

  #body(list: CompoundList, conditional: boolean): ShellCommand[] {
    return this.#list(list.commands, conditional);
  }

  #chain(node: PipelineNode | AndOr, place: Place): ShellCommand[] {
    if (node.type !== "AndOr") return this.#pipeline(node, place);
    const lastOr = node.operators.lastIndexOf("||");
    return node.commands.flatMap((command, index) => {
      const operator = index === 0 ? undefined : node.operators[index - 1];
      const guarded = index <= lastOr;
      const link = operator === "||" ? "or" : operator === "&&" ? "and" : place.link;
      // `a && b || c` succeeds without `b`.
      const conditional = place.conditional || link === "or" || (link === "and" && guarded);
      return this.#pipeline(command, { ...place, link, conditional, guarded });
    });
  }

  #pipeline(node: PipelineNode, place: Place): ShellCommand[] {
    if (node.type !== "Pipeline") return this.#command(node, place);
    const guarded = place.guarded || node.prefixes.some((prefix) => prefix.type === "Negation");
    if (node.commands.length === 1 && node.commands[0] !== undefined)
      return this.#command(node.commands[0], { ...place, guarded });
    return node.commands.map((command, index) => {
      const inPipe = { ...place, guarded, piped: index > 0 };
      const commands = this.#words.apart(() => this.#command(command, inPipe));
      const [only, ...others] = commands;
      if (only !== undefined && others.length === 0) return only;
      // A part of a pipe that does several things, or only sets a variable.
      const inside = commands.map((one) => ({ ...one, piped: false }));
      return { ...inPipe, kind: "group", redirections: [], commands: inside, subshell: true, defines: null };
    });
  }

  #command(node: CommandNode, place: Place): ShellCommand[] {
    this.#count += 1;
    if (this.#count > MAX_COMMANDS) this.failed = true;
    if (this.failed) return [];
    if (node.type === "Command") return this.#simple(node, place);
    if (node.type === "Redirected") {
      const redirections = node.redirects.map((one) => this.#redirection(one));
      return [
        ...this.#substitutions(node.redirects, place.link),
        { ...this.#group(node.command, place), redirections },
      ];
    }
    if (node.type === "Function" || node.type === "Coproc") {
      const { body } = node;
      const inner = { ...PLAIN, conditional: true };
      const commands = this.#words.apart(() =>
        body.type === "CompoundList" ? this.#body(body, true) : this.#command(body, inner),
      );
      const defines = node.type === "Function" ? node.name.value : null;
      if (defines !== null) this.#functions.add(defines);
      return [{ ...apartGroup(commands), ...place, defines }];
    }
    return [this.#group(node, place)];
  }

  #group(node: CompoundCommand, place: Place): CommandGroup {
    const subshell = node.type === "Subshell";
    const read = (): ShellCommand[] => this.#inside(node, place.conditional);
    const commands = subshell ? this.#words.apart(read) : read();
    return { ...place, kind: "group", redirections: [], commands, subshell, defines: null };
  }

  #inside(node: CompoundCommand, conditional: boolean): ShellCommand[] {
    switch (node.type) {
      case "Subshell":
      case "BraceGroup":
        return this.#body(node.body, conditional);
      case "If":
        return [
          // Whether the condition holds says nothing of the whole.
          ...this.#body(node.clause, conditional).map((command) => ({ ...command, guarded: true })),
          ...this.#body(node.then, true),
          ...node.elif.flatMap((branch) => [...this.#body(branch.clause, true), ...this.#body(branch.then, true)]),
          ...(node.else === undefined ? [] : this.#body(node.else, true)),
        ];
      case "For":
        return this.#loop(node.name.value, this.#words.read(node.wordlist ?? []), node.body, conditional);
      case "Select":
        this.#words.forget(node.name.value);
        return this.#body(node.body, true);
      case "While":
        return [...this.#body(node.clause, true), ...this.#body(node.body, true)];
      case "ArithmeticFor":
        return this.#body(node.body, true);
      case "Case":
        return node.items.flatMap((item) => this.#body(item.body, true));
      default:
        return this.#substitutions([node], "next");
    }
  }

  /** A loop over given words runs once for each, in order. */
  #loop(name: string, words: ShellWord[], body: CompoundList, conditional: boolean): ShellCommand[] {
    const told = words.length > 0 && words.length <= MAX_ROUNDS && words.every((word) => word.literal && !word.glob);
    if (told && !leaves(body)) {
      return words.flatMap((word) => {
        this.#words.set(name, word, conditional);
        return this.#body(body, conditional);
      });
    }
    const [only, ...others] = words;
    if (only?.literal === true && others.length === 0) this.#words.set(name, only, false);
    else this.#words.forget(name);
    const commands = this.#body(body, true);
    // What it holds behind the loop depends on the last round.
    this.#words.forget(name);
    return commands;
  }

  #simple(node: ParsedCommand, place: Place): ShellCommand[] {
    const inner = this.#substitutions([node], place.link);
    const named = node.name === undefined ? [] : [node.name];
    const given = node.suffix.flatMap((one) => (one.type === "Word" ? [one] : []));
    const words = this.#words.read([...named, ...given]);
    const redirections = node.redirects.map((one) => this.#redirection(one));
    this.#words.follow(node, words, place.conditional);
    if (this.#functions.has(words[0]?.text ?? "")) this.#words.forgetAll();
    if (words.length === 0 && redirections.length === 0) return inner;
    return [...inner, { ...place, kind: "simple", words, redirections }];
  }

  #redirection(node: ParsedRedirection): Redirection {
    const { operator } = node;
    const descriptor =
      node.descriptor === undefined ? null : node.descriptor.type === "FileDescriptor" ? node.descriptor.value : 10;
    if (node.type === "HereDoc") {
      if (node.closing === undefined) this.failed = true;
      const raw = node.body.text;
      const text = node.operator === "<<-" ? raw.replace(/^\t+/gm, "") : raw;
      const quoted = node.delimiter?.quoted === true;
      const document = { text, literal: quoted || !/[$`\\]/.test(text) };
      return { operator, descriptor, target: { text: "", literal: true, glob: false, ending: "" }, document };
    }
    const [target, ...more] = this.#words.read(node.target === undefined ? [] : [node.target]);
    if (target === undefined || more.length > 0) {
      const unread = { text: "", literal: false, glob: false, ending: "" };
      return { operator, descriptor, target: unread, document: null };
    }
    return { operator, descriptor, target, document: null };
  }

  /** The commands of the substitutions in words, tests and here-documents. */
  #substitutions(nodes: readonly SyntaxNode[], link: Placed["link"]): ShellCommand[] {
    const scripts: ParsedScript[] = [];
    const visit = (node: SyntaxNode): void => {
      if (node.type === "CommandExpansion" || node.type === "ProcessSubstitution") {
        if (node.script !== undefined) scripts.push(node.script);
      } else if (node.type === "ArithmeticCommandExpansion") {
        if (node.script !== undefined) scripts.push(node.script);
      } else if (node.type !== "Statement") forEachChild(node, visit);
    };
    for (const node of nodes) visit(node);
    // One that cannot be read itself prints something and writes nothing that could be told.
    const readable = scripts.filter((script) => script.errors === undefined || script.errors.length === 0);
    if (readable.length === 0) return [];
    if (this.#depth >= MAX_DEPTH) {
      this.failed = true;
      return [];
    }
    this.#depth += 1;
    const commands = readable.map((script) => this.#words.apart(() => this.#list(script.commands, true)));
    this.#depth -= 1;
    return commands.map((inner) => ({ ...apartGroup(inner), link }));
  }
}

/** Commands of which it is not told whether they run, and which leave the shell as it is. */
function apartGroup(commands: ShellCommand[]): CommandGroup {
  const conditional = true;
  return { ...PLAIN, kind: "group", conditional, redirections: [], commands, subshell: true, defines: null };
}

/** Whether a loop's body may leave it before its words are used up. */
function leaves(body: SyntaxNode): boolean {
  let found = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Command" && /^(?:break|continue|exit|return)$/.test(node.name?.value ?? "")) found = true;
    if (!found) forEachChild(node, visit);
  };
  visit(body);
  return found;
}
