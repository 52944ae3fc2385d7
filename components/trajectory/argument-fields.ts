import type { TextMark } from "./text-runs";

/** One argument of a call as a person reads it, with the way back to the JSON text that quotations address. */
export interface ArgumentField {
  /** The key; for a part of a nested value its path, such as `edits[0].old_string`. */
  name: string;
  /** Where the key stands in the JSON text, its quotes included; empty for an element of an array. */
  nameStart: number;
  nameEnd: number;
  /** `text` for a string, shown as what it says; `json` for any other value. */
  kind: "text" | "json";
  text: string;
  /** For each UTF-16 unit of `text` where it begins in the JSON text, and at the end where the last one ends. */
  at: readonly number[];
  /** What an edit takes away and what it puts in its place; null where there is no such pair. */
  side: "old" | "new" | null;
}

/** Nested values that hold text of several lines are opened this deep; deeper ones stay JSON. */
const OPEN_DEPTH = 3;

/** The two sides of an edit, by the names that editing tools give them. */
const PAIRS: readonly (readonly [string, string])[] = [
  ["old_string", "new_string"],
  ["old_str", "new_str"],
  ["old_text", "new_text"],
  ["oldString", "newString"],
  ["oldText", "newText"],
  ["search", "replace"],
  ["find", "replace"],
];

const ESCAPES: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/**
 * The arguments of a call as fields, in the order of the JSON text; the new side of an edit stands right under the old
 * one. Null when the text is not one whole JSON object: then it can only be shown as it is.
 */
export function argumentFields(json: string): ArgumentField[] | null {
  if (!isObject(json)) return null;
  const fields: ArgumentField[] = [];
  collect(json, skipSpace(json, 0), "", 1, fields);
  return paired(fields);
}

/** Marks of the JSON text as marks of a field's text: every unit of which any part is marked. */
export function fieldMarks(field: ArgumentField, marks: readonly TextMark[]): TextMark[] {
  return marks.flatMap((mark) => {
    let start = 0;
    while (start < field.text.length && (field.at[start + 1] ?? 0) <= mark.start) start += 1;
    let end = start;
    while (end < field.text.length && (field.at[end] ?? 0) < mark.end) end += 1;
    return end > start ? [{ ...mark, start, end }] : [];
  });
}

/** Marks of the JSON text that touch the key of a field, over the whole name. */
export function nameMarks(field: ArgumentField, marks: readonly TextMark[]): TextMark[] {
  return marks
    .filter((mark) => mark.start < field.nameEnd && mark.end > field.nameStart)
    .map((mark) => ({ ...mark, start: 0, end: field.name.length }));
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Reads the entries of the object or array that begins at `start`. The text is known to be valid JSON. */
function collect(json: string, start: number, path: string, depth: number, fields: ArgumentField[]): void {
  const isArray = json[start] === "[";
  let i = skipSpace(json, start + 1);
  for (let n = 0; i < json.length && json[i] !== "}" && json[i] !== "]"; n++) {
    const nameStart = i;
    let nameEnd = i;
    let name = `${path}[${n}]`;
    if (!isArray) {
      const key = decode(json, i);
      nameEnd = key.end;
      name = path === "" ? key.text : `${path}.${key.text}`;
      i = skipSpace(json, skipSpace(json, key.end) + 1);
    }
    const end = skipValue(json, i);
    const frame = { name, nameStart, nameEnd, side: null };
    if (json[i] === '"') {
      const { text, at } = decode(json, i);
      fields.push({ ...frame, kind: "text", text, at });
    } else if (depth < OPEN_DEPTH && isOpened(json.slice(i, end), isArray && depth > 1)) {
      collect(json, i, name, depth + 1, fields);
    } else {
      fields.push({ ...frame, kind: "json", ...outdented(json, i, end, depth * 2) });
    }
    i = skipSpace(json, end);
    if (json[i] === ",") i = skipSpace(json, i + 1);
  }
}

function skipSpace(json: string, from: number): number {
  let i = from;
  while (i < json.length && " \t\n\r".includes(json[i] ?? "")) i += 1;
  return i;
}

/** The end of the value that begins at `start`. */
function skipValue(json: string, start: number): number {
  let depth = 0;
  let i = start;
  while (i < json.length) {
    const c = json[i] ?? "";
    if (c === '"') i = skipString(json, i);
    else {
      if (depth === 0 && ",]} \t\n\r".includes(c)) return i;
      if (c === "{" || c === "[") depth += 1;
      else if (c === "}" || c === "]") depth -= 1;
      i += 1;
    }
    if (depth === 0 && /["}\]]/.test(c)) return i;
  }
  return i;
}

function skipString(json: string, start: number): number {
  let i = start + 1;
  while (i < json.length && json[i] !== '"') i += json[i] === "\\" ? 2 : 1;
  return i + 1;
}

/** The string whose opening quote stands at `start`, unit by unit with where each was written. */
function decode(json: string, start: number): { text: string; at: number[]; end: number } {
  return decodeRest(json, start + 1);
}

/** What a string says from `start` on, up to its closing quote: `at` is where each unit was written. */
export function decodeRest(json: string, start: number): { text: string; at: number[]; end: number } {
  const at: number[] = [];
  const units: string[] = [];
  let i = start;
  while (i < json.length && json[i] !== '"') {
    at.push(i);
    if (json[i] !== "\\") {
      units.push(json[i] ?? "");
      i += 1;
    } else if (json[i + 1] === "u") {
      units.push(String.fromCharCode(Number.parseInt(json.slice(i + 2, i + 6), 16)));
      i += 6;
    } else {
      const letter = json[i + 1] ?? "";
      units.push(ESCAPES[letter] ?? letter);
      i += 2;
    }
  }
  at.push(i);
  return { text: units.join(""), at, end: i + 1 };
}

/** True for a container that holds text of several lines, and for every object of a list that was opened for one. */
function isOpened(json: string, isOfOpenedList: boolean): boolean {
  if (/^(?:\{\s*\}|\[\s*\]|[^[{])/.test(json)) return false;
  return (isOfOpenedList && json.startsWith("{")) || /(?<!\\)(?:\\\\)*\\n/.test(json);
}

/** A stretch of the JSON text without the indent that it has from where it stands. */
function outdented(json: string, start: number, end: number, indent: number): { text: string; at: number[] } {
  const at: number[] = [];
  let text = "";
  for (let i = start; i < end; i++) {
    at.push(i);
    text += json[i];
    if (json[i] !== "\n") continue;
    for (let cut = 0; cut < indent && json[i + 1] === " "; cut++) i += 1;
  }
  at.push(end);
  return { text, at };
}

function paired(fields: readonly ArgumentField[]): ArgumentField[] {
  const rest = [...fields];
  const ordered: ArgumentField[] = [];
  const take = (name: string) => {
    const i = rest.findIndex((each) => each.name === name);
    return i < 0 ? null : (rest.splice(i, 1)[0] ?? null);
  };
  for (let field = rest.shift(); field !== undefined; field = rest.shift()) {
    const twin = twinsOf(field.name).find((each) => rest.some((other) => other.name === each.name));
    const other = twin === undefined ? null : take(twin.name);
    if (twin === undefined || other === null) ordered.push(field);
    else if (twin.side === "new") ordered.push({ ...field, side: "old" }, { ...other, side: "new" });
    else ordered.push({ ...other, side: "old" }, { ...field, side: "new" });
  }
  return ordered;
}

/** The names that the other side of an edit can have, and which side that is. */
function twinsOf(name: string): { name: string; side: "old" | "new" }[] {
  const dot = name.lastIndexOf(".") + 1;
  const path = name.slice(0, dot);
  const key = name.slice(dot);
  return PAIRS.flatMap(([old, fresh]): { name: string; side: "old" | "new" }[] => {
    if (key === old) return [{ name: path + fresh, side: "new" }];
    return key === fresh ? [{ name: path + old, side: "old" }] : [];
  });
}
