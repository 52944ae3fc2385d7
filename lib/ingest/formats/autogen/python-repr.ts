import { type JsonValue, storable } from "../../safe-json";

/** Deeper values are not read: nothing that AutoGen prints is nested like this. */
const DEPTH_MAX = 50;

const ESCAPES: Record<string, string> = { n: "\n", r: "\r", t: "\t", "'": "'", '"': '"', "\\": "\\" };
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/gs;
const NUMBER = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy;
const NAME = /[A-Za-z_][\w.]*/y;
const BLANKS = /\s*/y;

/**
 * Reads what Python's `repr` writes of strings, numbers, lists, dictionaries and records (`FunctionCall(id='a')` becomes an
 * object of its fields). Undefined when the text is anything else, or goes on behind the value.
 */
export function parseRepr(text: string): JsonValue | undefined {
  const reader = new ReprReader(text);
  const value = reader.value(0);
  return value !== undefined && reader.isAtEnd() ? value : undefined;
}

class ReprReader {
  private at = 0;

  constructor(private readonly text: string) {}

  isAtEnd(): boolean {
    this.take(BLANKS);
    return this.at === this.text.length;
  }

  value(depth: number): JsonValue | undefined {
    if (depth > DEPTH_MAX) return undefined;
    this.take(BLANKS);
    const sign = this.text[this.at];
    if (sign === "[") return this.list("]", depth);
    if (sign === "(") return this.list(")", depth);
    if (sign === "{") return this.dictionary(depth);
    const string = this.string();
    if (string !== null) return unescaped(string);
    const number = this.take(NUMBER);
    if (number !== null) return Number.isFinite(Number(number[0])) ? Number(number[0]) : undefined;
    const name = this.take(NAME)?.[0];
    if (name === "None") return null;
    if (name === "True" || name === "False") return name === "True";
    return name !== undefined && this.text[this.at] === "(" ? this.record(depth) : undefined;
  }

  /** What stands between the quotes of a string here, escapes as they are; null when none ends. */
  private string(): string | null {
    const start = this.at + (this.text[this.at] === "b" ? 1 : 0);
    const quote = this.text[start];
    if (quote !== "'" && quote !== '"') return null;
    for (let end = start + 1; end < this.text.length; end += 1) {
      const sign = this.text[end];
      if (sign === "\\") end += 1;
      else if (sign === quote) {
        this.at = end + 1;
        return this.text.slice(start + 1, end);
      }
    }
    return null;
  }

  private list(close: string, depth: number): JsonValue[] | undefined {
    const values: JsonValue[] = [];
    const isRead = this.members(close, () => {
      const value = this.value(depth + 1);
      if (value !== undefined) values.push(value);
      return value !== undefined;
    });
    return isRead ? values : undefined;
  }

  private dictionary(depth: number): JsonValue | undefined {
    return this.pairs("}", ":", depth, () => {
      const key = this.value(depth + 1);
      return typeof key === "string" ? key : undefined;
    });
  }

  private record(depth: number): JsonValue | undefined {
    return this.pairs(")", "=", depth, () => this.take(NAME)?.[0]);
  }

  private pairs(
    close: string,
    between: string,
    depth: number,
    readKey: () => string | undefined,
  ): JsonValue | undefined {
    const entries: [string, JsonValue][] = [];
    const isRead = this.members(close, () => {
      const key = readKey();
      if (key === undefined || !this.skip(between)) return false;
      const value = this.value(depth + 1);
      if (value !== undefined) entries.push([key, value]);
      return value !== undefined;
    });
    return isRead ? Object.fromEntries(entries) : undefined;
  }

  /** Reads members between brackets, of which the first is here. */
  private members(close: string, readOne: () => boolean): boolean {
    this.at++;
    while (!this.skip(close)) {
      if (!readOne()) return false;
      if (!this.skip(",")) return this.skip(close);
    }
    return true;
  }

  private skip(sign: string): boolean {
    this.take(BLANKS);
    if (this.text[this.at] !== sign) return false;
    this.at++;
    this.take(BLANKS);
    return true;
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }
}

function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  const written = text.replace(ESCAPE, (all, two, four, eight, sign) => {
    const code = Number.parseInt(two ?? four ?? eight ?? "", 16);
    if (Number.isNaN(code)) return ESCAPES[sign] ?? all;
    return code > 0x10ffff ? all : String.fromCodePoint(code);
  });
  return storable(written);
}
