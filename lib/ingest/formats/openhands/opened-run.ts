import { IngestError } from "@/lib/errors";
import type { RawSpan } from "@/lib/trajectory/schema";
import { type Content, contentLines, isJsonContent, type JsonContent } from "../../content";
import type { NoteBook } from "../../notes";
import { isObject, type JsonObject, type JsonValue, type ParsedJson, parseJson } from "../../safe-json";
import type { HeldFile } from "../../source";
import type { BrokenRecord, EventRecord } from "./event-record";
import { eventFile, isRow, listOf } from "./shapes";

/** The object around a list of events: a row of an evaluation, or what a server answers. */
export interface Around {
  value: JsonObject;
  /** The member that holds the events. */
  listKey: string;
  isRow: boolean;
  /** Where a member stands. */
  place(key: string): RawSpan;
}

/** The events of one run, one after the other, and what stands beside them. */
export interface OpenedRun {
  events: Iterable<EventRecord | BrokenRecord>;
  around: Around | null;
  /** Files of a folder that are no events. */
  files: HeldFile[];
}

/**
 * Finds the events of a run in whatever it was kept in.
 * @param folder the folder of the conversation in an archive that holds several; null for the only one
 * @throws IngestError `malformed` when there is no run in it.
 */
export function openRun(content: Content, folder: string | null, notes: NoteBook): OpenedRun {
  if (content.kind === "files") return openFolder(content.files, folder, notes);
  if (!isJsonContent(content))
    throw new IngestError("malformed", "a run of OpenHands is JSON, JSON Lines or a folder of it");
  if (content.kind === "lines") return { events: lineEvents(content, notes), around: null, files: [] };
  const { json, start } = content;
  notes.addRepairs(json.repairs, null);
  return openDocument(json, { start, end: content.source.bytes.length }, content.source.bytes, notes);
}

function openDocument(
  json: ParsedJson,
  whole: { start: number; end: number },
  bytes: Uint8Array,
  notes: NoteBook,
): OpenedRun {
  const { value, layout } = json;
  if (Array.isArray(value)) {
    const [only] = value;
    const place = layout.elements[0];
    if (value.length === 1 && isRow(only) && place) {
      const row = parseJson(bytes.subarray(place.start, place.end));
      return openObject(row.value, row, place, "/0", notes);
    }
    return { events: listEvents(value, layout.elements, 0, ""), around: null, files: [] };
  }
  // The layout counts from the beginning of the upload.
  if (isObject(value)) return openObject(value, json, { start: 0, end: whole.end }, "", notes);
  const at: RawSpan = { line: null, pointer: "", ...whole };
  const step = { convention: "event", step: "0" };
  return { events: [{ value, at, raw: [at], step, isAnswer: false }], around: null, files: [] };
}

/**
 * @param json the document of `value`, whose layout counts from `whole.start`
 * @param pointer where it stands in the upload
 */
function openObject(
  value: JsonValue,
  json: ParsedJson,
  whole: { start: number; end: number },
  pointer: string,
  notes: NoteBook,
): OpenedRun {
  if (!isObject(value)) throw new IngestError("malformed", "a row of an evaluation is an object");
  const { members } = json.layout;
  const place = (key: string): RawSpan => {
    const span = members.get(key);
    const name = key.replaceAll("~", "~0").replaceAll("/", "~1");
    const [start, end] = span ? [span.start + whole.start, span.end + whole.start] : [null, null];
    return { line: null, pointer: `${pointer}/${name}`, start, end };
  };
  const row = isRow(value);
  const list = listOf(value) ?? (row ? { key: "history", values: [] } : null);
  if (list === null) {
    // One event alone, as a line of a file may stand alone.
    const at: RawSpan = { line: null, pointer, ...whole };
    const step = { convention: "event", step: "0" };
    return { events: [{ value, at, raw: [at], step, isAnswer: false }], around: null, files: [] };
  }
  const elements = members.get(list.key)?.elements ?? [];
  if (elements.length !== list.values.length && list.values.length > 0) {
    const message = "The list of events stands twice; the places of its events are not exact";
    notes.add("list_twice", "repaired", message, place(list.key));
  }
  const events = listEvents(list.values, elements, whole.start, `${pointer}/${list.key}`);
  return { events, around: { value, listKey: list.key, isRow: row, place }, files: [] };
}

function* listEvents(
  values: JsonValue[],
  elements: readonly { start: number; end: number }[],
  offset: number,
  pointer: string,
): Generator<EventRecord> {
  const isExact = elements.length === values.length;
  let number = 0;
  for (const [n, value] of values.entries()) {
    const span = isExact ? elements[n] : undefined;
    const [start, end] = span ? [span.start + offset, span.end + offset] : [null, null];
    const at: RawSpan = { line: null, pointer: `${pointer}/${n}`, start, end };
    // Old evaluations keep pairs of an action and its observation.
    const held = Array.isArray(value) && value.length > 0 ? value : [value];
    for (const [half, event] of held.entries()) {
      const inside: RawSpan = held === value ? { ...at, pointer: `${at.pointer}/${half}` } : at;
      const step = { convention: "event", step: String(number++) };
      yield { value: event, at: inside, raw: [inside], step, isAnswer: held === value && half > 0 };
    }
  }
}

function* lineEvents(content: JsonContent, notes: NoteBook): Generator<EventRecord | BrokenRecord> {
  for (const { line, start, end, parsed, error } of contentLines(content)) {
    const at: RawSpan = { line, pointer: null, start, end };
    const step = { convention: "line", step: String(line) };
    if (parsed === null) {
      yield { at, raw: [at], step, why: error.message };
      continue;
    }
    notes.addRepairs(parsed.repairs, at);
    yield { value: parsed.value, at, raw: [at], step, isAnswer: false };
  }
}

function openFolder(all: HeldFile[], folder: string | null, notes: NoteBook): OpenedRun {
  const own = folder ?? conversationFolders(all)[0] ?? "";
  const inside = all.filter(({ path }) => path.startsWith(own));
  const numbered = inside.flatMap((file) => {
    const found = eventFile(file.path);
    return found?.folder === own ? [{ file, number: found.number }] : [];
  });
  numbered.sort((a, b) => a.number - b.number || (a.file.path < b.file.path ? -1 : 1));
  const events = new Set(numbered.map(({ file }) => file));
  return { events: fileEvents(numbered, notes), around: null, files: inside.filter((file) => !events.has(file)) };
}

/** The folders of conversations in an archive, each once, in the order of their names. */
export function conversationFolders(files: readonly HeldFile[]): string[] {
  return [...new Set(files.flatMap(({ path }) => eventFile(path)?.folder ?? []))].sort();
}

function* fileEvents(
  files: readonly { file: HeldFile; number: number }[],
  notes: NoteBook,
): Generator<EventRecord | BrokenRecord> {
  for (const { file, number } of files) {
    const at: RawSpan = { line: null, pointer: "", start: 0, end: file.bytes.length, file: file.path };
    const step = { convention: "event", step: String(number) };
    try {
      const { value, repairs } = parseJson(file.bytes, 0, file.bytes.length, false);
      notes.addRepairs(repairs, at);
      yield { value, at, raw: [at], step, isAnswer: false };
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      yield { at, raw: [at], step, why: error.message };
    }
  }
}
