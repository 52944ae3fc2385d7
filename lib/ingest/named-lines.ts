import { IngestError } from "@/lib/errors";
import type { JsonContent } from "./content";
import { type LineSpan, lineSpans, parseLine } from "./json-lines";
import { scanJson } from "./json-scan";
import { isObject, type JsonObject, parseJson } from "./safe-json";

/** A line with the texts that name what it holds; `value` is null when it is no object, or not complete. */
export type NamedLine = LineSpan & { value: JsonObject | null };

type JsonLines = Extract<JsonContent, { kind: "lines" }>;

const [OPEN_OBJECT, QUOTE] = [0x7b, 0x22];
/** A row as the hub's API wraps it holds its names one level deeper. */
const WRAPPER = "row";

/**
 * The lines of a file that holds a record on each, with at least those members of `keys` that are texts. Lines that were
 * not parsed to find out whose they are are only scanned: each is parsed by its own import, and a second time here would
 * cost half as much again.
 */
export function* namedLines(content: JsonLines, keys: readonly string[]): Generator<NamedLine> {
  const { sample, start: from } = content;
  const { bytes } = content.source;
  let seen = 0;
  for (const { line, start, end } of lineSpans(bytes, from)) {
    const known = sample[seen++];
    const value = known ? known.parsed?.value : membersOf(bytes, { line, start, end }, keys);
    yield { line, start, end, value: isObject(value) ? value : null };
  }
}

/** The texts among some members of the object on a line; null when there is none that is complete. */
function membersOf(bytes: Uint8Array, span: LineSpan, keys: readonly string[]): JsonObject | null {
  if (bytes[span.start] !== OPEN_OBJECT) return null;
  // Its own bytes: the scan of a line that is broken looks for the line's number from where they begin.
  const own = bytes.subarray(span.start, span.end);
  try {
    const { members } = scanJson(own, 0, own.length, true, { unread: true, ascii: null }).layout;
    if (members.has(WRAPPER)) {
      const value = parseLine(bytes, span).parsed?.value;
      return isObject(value) ? value : null;
    }
    const found: JsonObject = {};
    for (const key of keys) {
      const member = members.get(key);
      if (member && own[member.start] === QUOTE) found[key] = parseJson(own, member.start, member.end, false).value;
    }
    return found;
  } catch (error) {
    // Its own import says what is wrong with it.
    if (error instanceof IngestError) return null;
    throw error;
  }
}
