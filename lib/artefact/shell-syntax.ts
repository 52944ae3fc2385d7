/**
 * A small reader of shell command lines, for finding what they write. The published WASM build of a full shell parser
 * was tried first: it gives only the outer positions of a statement (no words, no kind of command, nothing inside a
 * pipe or `&&`), answers asynchronously and needs Node's file system, so it cannot serve a pure core.
 */

/** A word with its quotes resolved. `literal` is false when the shell would put something else in its place. */
export interface ShellWord {
  text: string;
  literal: boolean;
  /** The word holds an unquoted `*`, `?` or `[`. */
  glob: boolean;
}

export interface Redirection {
  operator: string;
  /** The descriptor in front of it, null when none is given. */
  descriptor: number | null;
  target: ShellWord;
  /** The text of a here-document, and whether the shell leaves it as it is. */
  document: { text: string; literal: boolean } | null;
}

export interface SimpleCommand {
  words: ShellWord[];
  redirections: Redirection[];
  /** What joins it to the command before. */
  link: "next" | "and" | "or" | "pipe";
  /** It stands in a loop, a condition, a function or a substitution: whether and how often it runs is not told. */
  conditional: boolean;
}

const OPERATORS = [
  "&>>",
  "<<-",
  "<<<",
  "&>",
  "&&",
  "||",
  ";;",
  "|&",
  "<<",
  ">>",
  ">|",
  ">&",
  "<&",
  "<>",
  ">",
  "<",
  "|",
  "&",
  ";",
  "(",
  ")",
];
const REDIRECTIONS = new Set(["&>>", "<<-", "<<<", "&>", "<<", ">>", ">|", ">&", "<&", "<>", ">", "<"]);
const OPENING = new Set(["if", "for", "while", "until", "case", "select", "{"]);
const CLOSING = new Set(["fi", "done", "esac", "}"]);
const MIDDLE = new Set(["then", "else", "elif", "do", "!", "time", "function"]);
const MAX_DEPTH = 8;

/** The simple commands of a command line in order; null when a quote, a bracket or a here-document is not closed. */
export function parseShell(text: string, depth = 0): SimpleCommand[] | null {
  if (depth > MAX_DEPTH) return null;
  return new ShellReader(text.replaceAll("\r\n", "\n"), depth).read();
}

class ShellReader {
  #at = 0;
  #nesting = 0;
  #commands: SimpleCommand[] = [];
  #inner: SimpleCommand[] = [];
  #words: ShellWord[] = [];
  #redirections: Redirection[] = [];
  #link: SimpleCommand["link"] = "next";
  #pending: { redirection: Redirection; delimiter: string; quoted: boolean; tabs: boolean }[] = [];
  #failed = false;

  constructor(
    readonly text: string,
    readonly depth: number,
  ) {}

  read(): SimpleCommand[] | null {
    while (this.#at < this.text.length && !this.#failed) this.#step();
    this.#finish("next");
    return this.#failed || this.#nesting !== 0 || this.#pending.length > 0 ? null : this.#commands;
  }

  #step(): void {
    const character = this.text.charAt(this.#at);
    if (character === "\n") {
      this.#at += 1;
      this.#finish("next");
      this.#readDocuments();
    } else if (character === " " || character === "\t") {
      this.#at += 1;
    } else if (this.text.startsWith("\\\n", this.#at)) {
      this.#at += 2;
    } else if (character === "#") {
      const end = this.text.indexOf("\n", this.#at);
      this.#at = end === -1 ? this.text.length : end;
    } else if (!this.#operator()) {
      this.#word();
    }
  }

  #operator(): boolean {
    const operator = OPERATORS.find((one) => this.text.startsWith(one, this.#at));
    if (operator === undefined) return false;
    this.#at += operator.length;
    if (REDIRECTIONS.has(operator)) this.#redirect(operator);
    else if (operator === "&&") this.#finish("and");
    else if (operator === "||") this.#finish("or");
    else if (operator === "|" || operator === "|&") this.#finish("pipe");
    else if (operator === "(") this.#open();
    else if (operator === ")") this.#close();
    else this.#finish("next");
    return true;
  }

  /** A subshell, or the brackets of a function's head, which is one that runs later. */
  #open(): void {
    if (this.#words.length > 0) this.#words = [];
    this.#finish(this.#link);
    this.#nesting += 1;
  }

  #close(): void {
    this.#finish("next");
    // A pattern of `case` closes a bracket that was never opened.
    if (this.#nesting > 0) this.#nesting -= 1;
    else this.#failed = true;
  }

  #redirect(operator: string): void {
    const last = this.#words.at(-1);
    const fits =
      last !== undefined && /^\d$/.test(last.text) && /\d/.test(this.text.charAt(this.#at - operator.length - 1));
    const descriptor = fits ? Number(last.text) : null;
    if (fits) this.#words.pop();
    while (this.text.charAt(this.#at) === " " || this.text.charAt(this.#at) === "\t") this.#at += 1;
    const start = this.#at;
    const target = this.#readWord();
    if (target === null || this.#at === start) {
      this.#failed = true;
      return;
    }
    const redirection: Redirection = { operator, descriptor, target, document: null };
    this.#redirections.push(redirection);
    if (operator === "<<" || operator === "<<-") {
      const quoted = /['"\\]/.test(this.text.slice(start, this.#at));
      this.#pending.push({ redirection, delimiter: target.text, quoted, tabs: operator === "<<-" });
    }
  }

  #readDocuments(): void {
    for (const { redirection, delimiter, quoted, tabs } of this.#pending.splice(0)) {
      const lines: string[] = [];
      let closed = false;
      while (this.#at < this.text.length && !closed) {
        const end = this.text.indexOf("\n", this.#at);
        const raw = this.text.slice(this.#at, end === -1 ? this.text.length : end);
        this.#at = end === -1 ? this.text.length : end + 1;
        const line = tabs ? raw.replace(/^\t+/, "") : raw;
        if (line === delimiter) closed = true;
        else lines.push(`${line}\n`);
      }
      if (!closed) this.#failed = true;
      const text = lines.join("");
      redirection.document = { text, literal: quoted || !/[$`\\]/.test(text) };
    }
  }

  #word(): void {
    const start = this.#at;
    const word = this.#readWord();
    if (word === null || this.#at === start) {
      this.#failed = true;
      return;
    }
    const plain = this.text.slice(start, this.#at);
    if (this.#words.length === 0 && this.#redirections.length === 0) {
      if (OPENING.has(plain)) {
        this.#nesting += 1;
        // The words of `for x in ...` and `case x in` are no command.
        if (plain === "for" || plain === "case" || plain === "select") this.#skipHead();
        return;
      }
      if (CLOSING.has(plain)) {
        this.#nesting -= 1;
        if (this.#nesting < 0) this.#failed = true;
        return;
      }
      if (MIDDLE.has(plain)) return;
    }
    this.#words.push(word);
  }

  #skipHead(): void {
    const end = /[;\n]|\bin\b[ \t]*\n/.exec(this.text.slice(this.#at));
    this.#at = end === null ? this.text.length : this.#at + end.index;
  }

  /** A word up to a blank or an operator, null when a quote in it is not closed. */
  #readWord(): ShellWord | null {
    const word: ShellWord = { text: "", literal: true, glob: false };
    while (this.#at < this.text.length) {
      const character = this.text.charAt(this.#at);
      if (/[\s;&|<>()]/.test(character)) break;
      if (character === "'") {
        const end = this.text.indexOf("'", this.#at + 1);
        if (end === -1) return null;
        word.text += this.text.slice(this.#at + 1, end);
        this.#at = end + 1;
      } else if (character === '"') {
        if (!this.#doubleQuoted(word)) return null;
      } else if (character === "\\") {
        if (this.text.charAt(this.#at + 1) !== "\n") word.text += this.text.charAt(this.#at + 1);
        this.#at += 2;
      } else if (character === "$" || character === "`") {
        if (!this.#expansion(word)) return null;
      } else {
        if (/[*?[]/.test(character)) word.glob = true;
        if (/[{~]/.test(character) && (character === "{" || word.text === ""))
          word.literal = word.literal && character === "~";
        word.text += character;
        this.#at += 1;
      }
    }
    return word;
  }

  #doubleQuoted(word: ShellWord): boolean {
    this.#at += 1;
    while (this.#at < this.text.length) {
      const character = this.text.charAt(this.#at);
      const next = this.text.charAt(this.#at + 1);
      if (character === '"') {
        this.#at += 1;
        return true;
      }
      if (character === "\\" && '$`"\\\n'.includes(next) && next !== "") {
        if (next !== "\n") word.text += next;
        this.#at += 2;
      } else if (character === "$" || character === "`") {
        if (!this.#expansion(word)) return false;
      } else {
        word.text += character;
        this.#at += 1;
      }
    }
    return false;
  }

  /** `$'...'`, a variable or a substitution; the commands of a substitution count as conditional ones. */
  #expansion(word: ShellWord): boolean {
    const start = this.#at;
    if (this.text.startsWith("$(", start) || this.text.startsWith("`", start)) {
      const end = this.text.startsWith("`", start)
        ? this.text.indexOf("`", start + 1)
        : closingBracket(this.text, start + 1);
      if (end === -1) return false;
      const inner = this.text.slice(start + (this.text.startsWith("`", start) ? 1 : 2), end);
      if (!inner.startsWith("(")) {
        for (const command of parseShell(inner, this.depth + 1) ?? [])
          this.#inner.push({ ...command, conditional: true });
      }
      this.#at = end + 1;
      word.literal = false;
    } else if (this.text.startsWith("${", start)) {
      const end = this.text.indexOf("}", start);
      if (end === -1) return false;
      this.#at = end + 1;
      word.literal = false;
    } else {
      const name = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(this.text.slice(start, start + 100));
      this.#at += name === null ? 1 : name[0].length;
      if (name !== null || this.text.charAt(start + 1) === "'") word.literal = false;
    }
    word.text += this.text.slice(start, this.#at);
    return true;
  }

  #finish(next: SimpleCommand["link"]): void {
    this.#commands.push(...this.#inner);
    this.#inner = [];
    if (this.#words.length > 0 || this.#redirections.length > 0) {
      const conditional = this.#nesting > 0 || this.#link === "or" || this.depth > 0;
      this.#commands.push({ words: this.#words, redirections: this.#redirections, link: this.#link, conditional });
      this.#words = [];
      this.#redirections = [];
      this.#link = next;
    } else if (next !== "next") {
      this.#link = next;
    }
  }
}

/** Where the bracket that opens at `start` closes, quotes left out; -1 when it does not. */
function closingBracket(text: string, start: number): number {
  let open = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\\") at += 1;
    else if (character === "'" || character === '"') {
      const end = text.indexOf(character, at + 1);
      if (end === -1) return -1;
      at = end;
    } else if (character === "(") open += 1;
    else if (character === ")") {
      open -= 1;
      if (open === 0) return at;
    }
  }
  return -1;
}
