/**
 * A trace as JSON values, to be changed and written again: one document, or lines of which some may not be JSON. Read with
 * `JSON.parse` and not with the reader under test.
 */
export interface TraceParts {
  isLines: boolean;
  /** A value, or a line that is not JSON as it stands. */
  values: ({ value: unknown } | { line: string })[];
}

/** Reads a well-formed document, or lines: of JSON, or of text. */
export function readParts(bytes: Uint8Array): TraceParts {
  const text = new TextDecoder().decode(bytes);
  try {
    return { isLines: false, values: [{ value: JSON.parse(text) }] };
  } catch {
    const lines = text.split("\n");
    const values = lines.map(readLine);
    // A line of text may be JSON too: it is no record unless most lines are.
    const records = values.filter((part) => "value" in part).length;
    const isJson = records * 2 > lines.filter((line) => line.trim() !== "").length;
    return { isLines: true, values: isJson ? values : lines.map((line) => ({ line })) };
  }
}

function readLine(line: string): { value: unknown } | { line: string } {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return { line };
  }
}

const PLACEHOLDERS = 0xe000;

/** Stands in a string for text that `JSON.stringify` would not write: character `n` of Unicode's private area. */
export const placeholder = (n: number): string => String.fromCharCode(PLACEHOLDERS + n);

/** How parts are written: each object may get members in front of its own, as JSON text that ends with a comma. */
export type Prefix = (members: [string, unknown][], depth: number) => string;

/** Writes parts as JSON text; `values` may hold placeholders. */
export function writeParts({ values }: TraceParts, prefix: Prefix = () => ""): string {
  return values.map((part) => ("line" in part ? part.line : writeValue(part.value, prefix, 1))).join("\n");
}

function writeValue(value: unknown, prefix: Prefix, depth: number): string {
  if (Array.isArray(value)) return `[${value.map((each) => writeValue(each, prefix, depth + 1)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value);
  const own = members.map(([key, held]) => `${JSON.stringify(key)}:${writeValue(held, prefix, depth + 1)}`).join(",");
  const before = prefix(members, depth);
  return `{${own === "" ? before.replace(/,$/, "") : before + own}}`;
}

/** A place in a value: the keys and indices that lead there. */
export type Path = readonly (string | number)[];

/** Every place in a value that holds something `wanted`, outermost first. */
export function pathsOf(value: unknown, wanted: (held: unknown, path: Path) => boolean, path: Path = []): Path[] {
  const found: Path[] = wanted(value, path) ? [path] : [];
  if (Array.isArray(value)) found.push(...value.flatMap((held, n) => pathsOf(held, wanted, [...path, n])));
  else if (typeof value === "object" && value !== null) {
    for (const [key, held] of Object.entries(value)) found.push(...pathsOf(held, wanted, [...path, key]));
  }
  return found;
}

/** A copy of a value in which one place is replaced, or taken out when `change` gives undefined. */
export function changedAt(value: unknown, path: Path, change: (held: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    const list = value.map((held, n) => (n === step ? changedAt(held, rest, change) : held));
    return list.filter((held) => held !== undefined);
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, held]) => [
    key,
    key === step ? changedAt(held, rest, change) : held,
  ]);
  return Object.fromEntries(members.filter(([, held]) => held !== undefined));
}

/** A copy of a value with every string in it changed; `key` is the nearest key above it. */
export function withStrings(value: unknown, change: (text: string, key: string) => unknown, key = ""): unknown {
  if (typeof value === "string") return change(value, key);
  if (Array.isArray(value)) return value.map((held) => withStrings(held, change, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, withStrings(held, change, name)]));
}

/** The same change of every value of the parts. */
export function mapParts(parts: TraceParts, change: (value: unknown) => unknown): TraceParts {
  return { ...parts, values: parts.values.map((part) => ("line" in part ? part : { value: change(part.value) })) };
}
