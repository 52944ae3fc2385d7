import { type Content, sampleValues } from "./content";
import { OBJECTS } from "./other-objects";
import { RECORDS } from "./other-records";
import { has, type Shape } from "./other-shapes";
import { isObject, type JsonObject, type JsonValue } from "./safe-json";

/** A known format that no adapter reads. */
export interface OtherFormat {
  name: string;
  reason: string;
  /** True when only something was seen that many formats hold. */
  isGeneric: boolean;
}

/** Texts that are not JSON. */
const TEXTS: { name: string; reason: string; pattern: RegExp }[] = [
  { name: "a SpecStory transcript", reason: "`_**User**_` blocks", pattern: /^_\*\*(?:User|Assistant)/m },
  {
    name: "an asciinema or terminal log",
    reason: "terminal control sequences",
    pattern: /^(?:\p{Cc}\[|\[)\?2004[hl]/u,
  },
  {
    name: "a SWE-agent demonstration in YAML",
    reason: "a list under `history:`",
    pattern: /^history:[ \t\r]*\n[ \t]*- /m,
  },
];

/** Databases of other agents, by tables that they have. */
const DATABASES: { name: string; tables: string[] }[] = [
  { name: "an opencode database", tables: ["message", "part", "session"] },
  { name: "a Goose database", tables: ["messages", "sessions"] },
  { name: "a Cursor store", tables: ["blobs", "meta"] },
];

/** Says which other known format the content looks like, so that a refusal names it. Null when it looks like none. */
export function recogniseOther(content: Content): OtherFormat | null {
  if (content.kind === "database") {
    const { tables } = content.database;
    const found = DATABASES.find((one) => one.tables.every((table) => tables.includes(table)));
    return found ? { name: found.name, reason: `its tables ${found.tables.join(", ")}`, isGeneric: false } : null;
  }
  if (content.kind === "files") {
    // Its samples hold lists of messages: each alone would be taken for a chat, without its scores and events.
    const isInspect = content.files.some(({ path }) => path === "header.json" || path.startsWith("_journal/"));
    return isInspect
      ? { name: "an Inspect .eval log", reason: "`header.json` or `_journal/`", isGeneric: false }
      : null;
  }
  if (content.kind === "text") {
    const found = TEXTS.find((text) => text.pattern.test(content.head));
    return found ? { name: found.name, reason: found.reason, isGeneric: false } : null;
  }
  const document = content.kind === "document" ? content.json.value : undefined;
  const whole = isObject(document) ? OBJECTS.find((shape) => shape.matches(document)) : undefined;
  if (
    Array.isArray(document) &&
    document.length > 0 &&
    document.every(
      (thread) =>
        Array.isArray(thread) && thread.length > 0 && thread.every((message) => has(message, "role", "content")),
    )
  ) {
    return { name: "an AutoCodeRover conversation", reason: "a list of lists of messages", isGeneric: false };
  }
  const records = Array.isArray(document) ? document.slice(0, 200) : sampleValues(content);
  const objects = records.filter(isObject);
  const one = recordShape(objects);
  const first = objects[0];
  const header = first ? OBJECTS.find((shape) => shape.matches(first)) : undefined;
  const seen = [whole, one, header].filter((shape) => shape !== undefined);
  const found = seen.find((shape) => !shape.isGeneric) ?? seen[0];
  return found ? { name: found.name, reason: found.reason, isGeneric: found.isGeneric === true } : null;
}

/** Says which known format messages or events look like, by what one of them holds. Null when they look like none. */
export function recogniseRecords(values: JsonValue[]): OtherFormat | null {
  const found = recordShape(values.filter(isObject));
  return found ? { name: found.name, reason: found.reason, isGeneric: found.isGeneric === true } : null;
}

function recordShape(objects: JsonObject[]): Shape | undefined {
  return RECORDS.find((shape) => objects.some((value) => shape.matches(value)));
}
