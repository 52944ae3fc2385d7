import type { JsonObject } from "../safe-json";

/** A call that a message writes as text (formats.md, W11). */
export interface WrittenCall {
  tool: string;
  /** Null when the text of the call breaks off or is not of the form. */
  arguments: JsonObject | null;
  text: string;
}

/** The words of a message and the calls that it writes between them. */
export interface WrittenCalls {
  words: string;
  calls: WrittenCall[];
}

const OPEN = "<function=";
const CLOSE = "</function>";
const PARAMETER = "<parameter=";
const PARAMETER_END = "</parameter>";
/** Names are short; anything longer is not one. */
const NAME_MAX = 100;

/**
 * Takes the calls out of a message that writes them as `<function=name>` with `<parameter=name>value</parameter>`. The
 * line break after and before a parameter's marks is markup; the rest of a value is taken as it stands.
 */
export function readWrittenCalls(text: string): WrittenCalls {
  const calls: WrittenCall[] = [];
  let words = "";
  let from = 0;
  for (let at = text.indexOf(OPEN); at !== -1; at = text.indexOf(OPEN, from)) {
    const name = nameAt(text, at + OPEN.length);
    if (name === null) {
      words += text.slice(from, at + OPEN.length);
      from = at + OPEN.length;
      continue;
    }
    words += text.slice(from, at);
    const body = parametersAt(text, at + OPEN.length + name.length + 1);
    from = body.end;
    calls.push({ tool: name, arguments: body.values, text: text.slice(at, from) });
  }
  return { words: words + text.slice(from), calls };
}

/** The name that stands before the next `>`, null when there is none. */
function nameAt(text: string, at: number): string | null {
  const end = text.slice(at, at + NAME_MAX).indexOf(">");
  const name = end === -1 ? "" : text.slice(at, at + end);
  return /^[\w.-]+$/.test(name) ? name : null;
}

function parametersAt(text: string, start: number): { values: JsonObject | null; end: number } {
  const entries: [string, string][] = [];
  let at = afterBlanks(text, start);
  while (text.startsWith(PARAMETER, at)) {
    const name = nameAt(text, at + PARAMETER.length);
    const value = at + PARAMETER.length + (name?.length ?? 0) + 1;
    const end = name === null ? null : valueEnd(text, value);
    if (name === null || end === null) return { values: null, end: text.length };
    entries.push([name, withoutMarkup(text.slice(value, end.at))]);
    at = afterBlanks(text, end.after);
  }
  // What a stop sequence cut off behind the last parameter changes nothing.
  if (at === text.length) return { values: Object.fromEntries(entries), end: at };
  if (text.startsWith(CLOSE, at)) return { values: Object.fromEntries(entries), end: at + CLOSE.length };
  const close = text.indexOf(CLOSE, at);
  return { values: null, end: close === -1 ? text.length : close + CLOSE.length };
}

/** A value may hold the mark of its own end: only one before another parameter or the end of the call is meant. */
function valueEnd(text: string, start: number): { at: number; after: number } | null {
  for (let at = text.indexOf(PARAMETER_END, start); at !== -1; at = text.indexOf(PARAMETER_END, at + 1)) {
    const after = at + PARAMETER_END.length;
    const next = afterBlanks(text, after);
    if (next === text.length || text.startsWith(PARAMETER, next) || text.startsWith(CLOSE, next)) return { at, after };
  }
  return null;
}

function withoutMarkup(value: string): string {
  return value.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text.charAt(at))) at++;
  return at;
}
