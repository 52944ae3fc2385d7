import type { LineCommand } from "./effect";

/** A simple `sed` script as line commands; null when it holds anything that we do not follow exactly. */
export function parseSed(script: string, extended: boolean): LineCommand[] | null {
  const commands: LineCommand[] = [];
  let rest = script;
  while (rest.trim() !== "") {
    rest = rest.replace(/^[\s;]+/, "");
    const address = /^(?:(\d{1,9})(?:,(\d{1,9}|\$))?|(\$))?\s*/.exec(rest);
    const from = address?.[1];
    const to = address?.[2];
    const last = address?.[3] !== undefined;
    rest = rest.slice(address?.[0].length ?? 0);
    const read = readCommand(rest, { from, to, last }, extended);
    if (read === null) return null;
    commands.push(read.command);
    rest = rest.slice(read.length);
    if (rest !== "" && !/^\s*(?:[;\n]|$)/.test(rest)) return null;
  }
  return commands.length === 0 ? null : commands;
}

interface Address {
  from: string | undefined;
  to: string | undefined;
  last: boolean;
}

interface ReadCommand {
  command: LineCommand;
  length: number;
}

function readCommand(rest: string, address: Address, extended: boolean): ReadCommand | null {
  const from = address.from === undefined ? null : Number(address.from);
  const end = address.to === undefined ? from : address.to === "$" ? null : Number(address.to);
  // `0` is no line, and a range that ends before it begins means its first line only.
  if (from === 0 || (from !== null && end !== null && end < from) || address.last) return null;
  const letter = rest.charAt(0);
  if (letter === "d") return from === null ? null : { command: { kind: "delete", from, to: end }, length: 1 };
  if (letter === "s") return readSubstitution(rest, from ?? 1, from === null ? null : end, null, extended);
  if (letter === "/") return readMatched(rest, extended);
  if (!"aic".includes(letter) || letter === "" || from === null) return null;
  const text = insertedText(rest.slice(1));
  if (text === null || end === null || (letter !== "c" && end !== from)) return null;
  const length = rest.length;
  if (letter === "c") return { command: { kind: "change", from, to: end, text }, length };
  return { command: { kind: "insert", at: from, isBefore: letter === "i", text }, length };
}

/** The text of `a`, `i` and `c`: to the end of the script, with its last line ended. Two backslashes stand for one. */
function insertedText(rest: string): string | null {
  const text = /^\s*\\\n/.test(rest) ? rest.replace(/^\s*\\\n/, "") : rest.replace(/^\s*\\?/, "");
  const isPlain = !text.includes("\n") && !text.replaceAll("\\\\", "").includes("\\");
  if (text === "" || !isPlain) return null;
  return `${text.replaceAll("\\\\", "\\")}\n`;
}

/** `/pattern/s...`: a substitution in the lines that match. */
function readMatched(rest: string, extended: boolean): ReadCommand | null {
  const pattern = delimited(rest, 1, "/");
  if (pattern === null) return null;
  const only = sedPattern(pattern.text, extended, "");
  if (only === null) return null;
  const read = readSubstitution(rest.slice(pattern.next), 1, null, only, extended);
  return read === null ? null : { command: read.command, length: pattern.next + read.length };
}

function readSubstitution(
  rest: string,
  from: number,
  to: number | null,
  only: RegExp | null,
  extended: boolean,
): ReadCommand | null {
  const separator = rest.charAt(1);
  if (rest.charAt(0) !== "s" || separator === "" || /[\s\\\w]/.test(separator)) return null;
  const pattern = delimited(rest, 2, separator);
  const fresh = pattern === null ? null : delimited(rest, pattern.next, separator);
  if (pattern === null || fresh === null) return null;
  const flags = /^[gIi]*/.exec(rest.slice(fresh.next))?.[0] ?? "";
  const expression = sedPattern(pattern.text, extended, flags);
  const replacement = sedReplacement(fresh.text);
  if (expression === null || replacement === null) return null;
  // A group that is not there is an error; and where nothing matches too, sed and JavaScript count in two ways.
  const groups = (expression.source.replace(/\\./g, "").match(/\(/g) ?? []).length;
  if ([...fresh.text.matchAll(/\\(.)/gs)].some((one) => Number(one[1]) > groups)) return null;
  if (expression.global && !/^(?:\^|\$$)/.test(expression.source) && replacement !== "" && expression.test(""))
    return null;
  const command: LineCommand = { kind: "substitute", from, to, pattern: expression, replacement, only };
  return { command, length: fresh.next + flags.length };
}

/** A text up to a separator that is not escaped; an escaped separator stands for itself. */
function delimited(text: string, start: number, separator: string): { text: string; next: number } | null {
  let out = "";
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === separator) return { text: out, next: at + 1 };
    if (character === "\n") return null;
    if (character === "\\" && at + 1 < text.length) {
      at += 1;
      const next = text.charAt(at);
      // An escaped separator that means something in a pattern would be read in two ways.
      if (next === separator && /[.*[\]^$+?(){}|&]/.test(next)) return null;
      out += next === separator ? next : `\\${next}`;
    } else {
      out += character;
    }
  }
  return null;
}

const CLASSES: ReadonlyMap<string, string> = new Map([
  ["[:space:]", "\\s"],
  ["[:digit:]", "0-9"],
  ["[:alpha:]", "A-Za-z"],
  ["[:alnum:]", "A-Za-z0-9"],
  ["[:upper:]", "A-Z"],
  ["[:lower:]", "a-z"],
  ["[:blank:]", " \\t"],
]);

/**
 * A POSIX pattern as a JavaScript one; null when they could differ. Patterns come from the trace, so those that can take
 * more than quadratic time are refused: at most one repetition, none of a group, no choice between two patterns.
 */
export function sedPattern(pattern: string, extended: boolean, flags: string): RegExp | null {
  // An empty one stands for the last pattern that was used.
  if (pattern === "") return null;
  let out = "";
  let repetitions = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    const escaped = character === "\\";
    const token = escaped ? `\\${pattern.charAt(at + 1)}` : character;
    if (escaped) at += 1;
    if (token === "[") {
      const bracket = bracketExpression(pattern, at);
      if (bracket === null) return null;
      out += bracket.text;
      at = bracket.end;
      continue;
    }
    const group = extended ? "()" : "\\(\\)";
    const repeats = extended ? ["*", "+", "?"] : ["*", "\\+", "\\?"];
    if (token === group.slice(0, group.length / 2) || token === group.slice(group.length / 2)) {
      out += token.slice(-1);
    } else if (repeats.includes(token)) {
      if (out === "" || /(?:^|[^\\])[(^]$/.test(out) || out.endsWith(")") || /[*+?]$/.test(out)) return null;
      repetitions += token.endsWith("?") ? 0 : 1;
      out += token.slice(-1);
    } else if (token === "." || token === "^" || token === "$") {
      out += token;
    } else if (/^\\[.*[\]^$/\\&"'#:,@%!=<>-]$/.test(token) && !/^\\[<>]$/.test(token)) {
      out += `\\${token.slice(1)}`.replace(/^\\([/&"'#:,@%!=-])$/, "$1");
    } else if (/^\\[tsSwWb]$/.test(token)) {
      out += token;
    } else if (escaped) {
      // `\n`, back references, `\{`, `\|`, and in the extended form any escaped sign.
      if (extended && /^\\[+?(){}|]$/.test(token)) out += token;
      else return null;
    } else if (extended && "{}|".includes(token)) {
      return null;
    } else {
      out += /[+?(){}|]/.test(token) ? `\\${token}` : token;
    }
  }
  if (repetitions > 1) return null;
  try {
    return new RegExp(out, `${flags.includes("g") ? "g" : ""}${/i/i.test(flags) ? "i" : ""}`);
  } catch {
    // Brackets that do not close, and the like: sed may read them in its own way.
    return null;
  }
}

function bracketExpression(pattern: string, start: number): { text: string; end: number } | null {
  const match = /^\[(\^?)(\]?(?:\[:[a-z]+:\]|[^\]])*)\]/.exec(pattern.slice(start));
  if (match === null) return null;
  let body = match[2] ?? "";
  body = body.replaceAll("\\", "\\\\");
  for (const [name, text] of CLASSES) body = body.replaceAll(name, text);
  if (body.includes("[:")) return null;
  body = body.replace(/^\]/, "\\]").replaceAll("[", "\\[");
  return { text: `[${match[1] ?? ""}${body}]`, end: start + match[0].length - 1 };
}

/** The replacement of `s` for JavaScript's `replace`; null when it holds what we do not follow. */
function sedReplacement(text: string): string | null {
  let out = "";
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "$") out += "$$";
    else if (character === "&") out += "$&";
    else if (character !== "\\") out += character;
    else {
      at += 1;
      const next = text.charAt(at);
      if (/[1-9]/.test(next)) out += `$${next}`;
      else if (next === "n") out += "\n";
      else if (next === "t") out += "\t";
      else if (/[&\\/."'()[\]{}*+?|#:,@%!=-]/.test(next)) out += next;
      else return null;
    }
  }
  // `$1` followed by a digit would read as another group.
  return /\$[1-9][0-9]/.test(out) ? null : out;
}
