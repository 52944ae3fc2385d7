/** A value in Python code: a text, a number or a constant; undefined when it is computed. */
export type PythonValue = string | number | boolean | null | undefined;

/** A call that stands alone on its line, with the values that its arguments have. */
export interface PythonCall {
  name: string;
  positional: PythonValue[];
  named: Map<string, PythonValue>;
}

/** The calls of a piece of Python that stand alone, in order, and whether it holds other code besides. */
export interface PythonReading {
  calls: PythonCall[];
  hasOther: boolean;
}

/**
 * Reads the statements of Python code that a notebook runs: calls that stand at the beginning of a line, with arguments
 * that are literals or names of literals assigned before. What stands indented hangs on a condition or a loop: that, and
 * anything else, is other code. Takes time in proportion to the text.
 */
export function readPythonCalls(code: string): PythonReading {
  const texts = new Map<string, PythonValue>();
  const reading: PythonReading = { calls: [], hasOther: false };
  const scanner = new Scanner(code, texts);
  while (scanner.toStatement()) {
    const start = scanner.at;
    const isIndented = start > 0 && !/[\n;]/.test(code.charAt(start - 1)) && !scanner.isBehindSemicolon;
    const assigned = isIndented ? null : scanner.assignment();
    if (assigned !== null) {
      texts.set(assigned.name, assigned.value);
      continue;
    }
    scanner.at = start;
    const call = isIndented ? null : scanner.call();
    if (call !== null) {
      reading.calls.push(call);
      continue;
    }
    scanner.at = start;
    const statement = scanner.rest();
    // Whatever it names may hold something else now.
    for (const [name] of statement.matchAll(/[A-Za-z_]\w*/g)) texts.delete(name);
    if (!/^(?:import|from|print)\b/.test(statement)) reading.hasOther = true;
  }
  return reading;
}

const NAME = /[A-Za-z_]\w*/y;
const NUMBER = /-?\d{1,12}(?![\w.])/y;
const OPENER = /([A-Za-z]{0,2})("""|'''|"|')/y;
const CONSTANTS: ReadonlyMap<string, PythonValue> = new Map<string, PythonValue>([
  ["True", true],
  ["False", false],
]);
/** A literal that is not one text, number or constant. */
class NoLiteral extends Error {}

class Scanner {
  at = 0;
  /** Whether the statement stands on the line of the one before it. */
  isBehindSemicolon = false;

  constructor(
    private readonly code: string,
    private readonly texts: ReadonlyMap<string, PythonValue>,
  ) {}

  /** Goes to the next statement; false at the end. */
  toStatement(): boolean {
    this.skip(false);
    this.isBehindSemicolon = this.code[this.at] === ";";
    while (this.code[this.at] === ";" || this.code[this.at] === "\n") {
      if (this.code[this.at] === "\n") this.isBehindSemicolon = false;
      this.at++;
      this.skip(false);
    }
    return this.at < this.code.length;
  }

  /** `NAME = literal` on a line of its own; null for anything else. */
  assignment(): { name: string; value: PythonValue } | null {
    return this.attempt(() => {
      const name = this.match(NAME);
      this.skip(false);
      if (name === null || this.code[this.at] !== "=" || this.code[this.at + 1] === "=") return null;
      this.at++;
      this.skip(false);
      const value = this.literal();
      return this.atEnd() ? { name, value } : null;
    });
  }

  /** `name(arguments)` on a line of its own; null for anything else. */
  call(): PythonCall | null {
    return this.attempt(() => {
      const name = this.match(NAME);
      if (name === null || this.code[this.at] !== "(") return null;
      this.at++;
      const call: PythonCall = { name, positional: [], named: new Map() };
      for (;;) {
        this.skip(true);
        if (this.code[this.at] === ")") break;
        this.argument(call);
        this.skip(true);
        if (this.code[this.at] === ",") this.at++;
        else if (this.code[this.at] !== ")") return null;
      }
      this.at++;
      return this.atEnd() ? call : null;
    });
  }

  /** The statement from here to the end of its line, over texts and brackets that span lines. */
  rest(): string {
    const start = this.at;
    let depth = 0;
    while (this.at < this.code.length) {
      const character = this.code[this.at] ?? "";
      if (character === "\n" && depth <= 0) break;
      if (character === "#") this.toLineEnd();
      else if (character === '"' || character === "'") this.skipText();
      else {
        if ("([{".includes(character)) depth++;
        if (")]}".includes(character)) depth--;
        this.at++;
      }
    }
    return this.code.slice(start, this.at);
  }

  private argument(call: PythonCall): void {
    const start = this.at;
    const name = this.match(NAME);
    this.skip(true);
    if (name !== null && this.code[this.at] === "=" && this.code[this.at + 1] !== "=") {
      this.at++;
      this.skip(true);
      call.named.set(name, this.value());
      return;
    }
    this.at = start;
    call.positional.push(this.value());
  }

  /** The value of an argument; undefined when it is more than a literal. */
  private value(): PythonValue {
    const start = this.at;
    const value = this.attempt(() => ({ held: this.literal() }));
    this.skip(true);
    const next = this.code[this.at];
    if (value !== null && (next === "," || next === ")")) return value.held;
    this.at = start;
    this.overExpression();
    return undefined;
  }

  /** Over an expression, to the comma or bracket that ends it. */
  private overExpression(): void {
    let depth = 0;
    while (this.at < this.code.length) {
      const character = this.code[this.at] ?? "";
      if (depth === 0 && (character === "," || character === ")")) return;
      if (character === "#") this.toLineEnd();
      else if (character === '"' || character === "'") this.skipText();
      else {
        if ("([{".includes(character)) depth++;
        if (")]}".includes(character)) depth--;
        this.at++;
      }
    }
  }

  /** A literal, or what a name was assigned. @throws NoLiteral for anything else. */
  private literal(): PythonValue {
    const text = this.textLiteral();
    if (text !== undefined) return text;
    const number = this.match(NUMBER);
    if (number !== null) return Number(number);
    const name = this.match(NAME);
    if (name === "None") return null;
    const known = name === null ? undefined : (CONSTANTS.get(name) ?? this.texts.get(name));
    if (known === undefined) throw new NoLiteral();
    return known;
  }

  /** One text, or several side by side, which Python joins. Undefined when none stands here. */
  private textLiteral(): string | undefined {
    let whole: string | undefined;
    for (;;) {
      const before = this.at;
      const part = this.oneText();
      if (part === undefined) {
        this.at = before;
        return whole;
      }
      whole = (whole ?? "") + part;
      this.skip(false);
    }
  }

  private oneText(): string | undefined {
    OPENER.lastIndex = this.at;
    const opener = OPENER.exec(this.code);
    if (!opener) return undefined;
    const [all, prefix = "", quote = ""] = opener;
    const kind = prefix.toLowerCase();
    if (!["", "r", "u", "f", "fr", "rf"].includes(kind)) return undefined;
    this.at += all.length;
    const body = this.body(quote);
    // What stands in braces is computed.
    if (kind.includes("f") && /[{}]/.test(body)) throw new NoLiteral();
    return kind.includes("r") ? body : unescaped(body);
  }

  private body(quote: string): string {
    const start = this.at;
    while (this.at < this.code.length) {
      if (this.code[this.at] === "\\") this.at += 2;
      else if (this.code.startsWith(quote, this.at)) {
        const body = this.code.slice(start, this.at);
        this.at += quote.length;
        return body;
      } else if (quote.length === 1 && this.code[this.at] === "\n") throw new NoLiteral();
      else this.at++;
    }
    throw new NoLiteral();
  }

  private skipText(): void {
    const quote = this.code.startsWith('"""', this.at) || this.code.startsWith("'''", this.at) ? 3 : 1;
    const opener = this.code.slice(this.at, this.at + quote);
    this.at += quote;
    while (this.at < this.code.length && !this.code.startsWith(opener, this.at)) {
      if (quote === 1 && this.code[this.at] === "\n") return;
      this.at += this.code[this.at] === "\\" ? 2 : 1;
    }
    this.at = Math.min(this.code.length, this.at + quote);
  }

  /** Over blanks and comments; over the ends of lines too when asked so. */
  private skip(overLines: boolean): void {
    for (;;) {
      const character = this.code[this.at];
      if (character === " " || character === "\t" || character === "\r") this.at++;
      else if (character === "\n" && overLines) this.at++;
      else if (character === "#") this.toLineEnd();
      else if (character === "\\" && this.code[this.at + 1] === "\n") this.at += 2;
      else return;
    }
  }

  private toLineEnd(): void {
    const end = this.code.indexOf("\n", this.at);
    this.at = end === -1 ? this.code.length : end;
  }

  private atEnd(): boolean {
    this.skip(false);
    const character = this.code[this.at];
    return character === undefined || character === "\n" || character === ";";
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.code)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }

  private attempt<T>(read: () => T | null): T | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof NoLiteral)) throw error;
      return null;
    }
  }
}

const PLAIN: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["\n", ""],
]);

/** A text with Python's escapes resolved; those that Python does not know stay as they are. */
function unescaped(body: string): string {
  if (!body.includes("\\")) return body;
  return body.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|N\{|([\s\S]))/g,
    (whole, two?: string, four?: string, eight?: string, octal?: string, one?: string) => {
      const hex = two ?? four ?? eight;
      const code =
        hex !== undefined ? Number.parseInt(hex, 16) : octal === undefined ? null : Number.parseInt(octal, 8);
      if (code !== null) {
        if (code > 0x10ffff) throw new NoLiteral();
        return String.fromCodePoint(code);
      }
      if (one === undefined) throw new NoLiteral();
      return PLAIN.get(one) ?? whole;
    },
  );
}
