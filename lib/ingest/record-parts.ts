import { type Content, isJsonContent } from "./content";
import { lineCounter } from "./line-counter";
import { namedLines } from "./named-lines";
import type { Part } from "./parts";
import { isObject, type JsonValue, stringMember } from "./safe-json";

/** What a record of a file with several is to people. */
export interface RecordWords {
  /** What one is called: `conversation`, `record`. */
  noun: string;
  /** The member that names it. */
  nameKey: string;
}

/**
 * The records of a file that holds several, in a list or one a line, where more than half of what is looked at are such
 * records; none for any other file.
 */
export function recordParts(
  content: Content,
  isRecord: (value: JsonValue | undefined) => boolean,
  { noun, nameKey }: RecordWords,
): Part[] {
  if (!isJsonContent(content)) return [];
  if (content.kind === "lines") {
    const count = content.sample.filter(({ parsed }) => isRecord(parsed?.value)).length;
    if (count * 2 <= content.sample.length) return [];
    return [...namedLines(content, [nameKey])].map(({ line, start, end, value }) => {
      const name = nameOf(value ?? undefined, nameKey) ?? `line ${line}`;
      return { key: `line ${line}`, name, range: { start, end, line, pointer: "" } };
    });
  }
  const { value, layout } = content.json;
  if (!Array.isArray(value) || value.filter(isRecord).length * 2 <= value.length) return [];
  const lineOf = lineCounter(content.source.bytes);
  return layout.elements.map(({ start, end }, n) => {
    const name = nameOf(value[n], nameKey) ?? `${noun} ${n + 1}`;
    return { key: `${noun} ${n}`, name, range: { start, end, line: lineOf(start), pointer: `/${n}` } };
  });
}

function nameOf(value: JsonValue | undefined, key: string): string | null {
  const name = isObject(value) ? stringMember(value, key) : null;
  return name === null || name.trim() === "" ? null : name;
}
