import type { RawSpan } from "@/lib/trajectory/schema";
import { HARNESS } from "../../entries";
import { isObject, type JsonObject, type JsonValue, member, parseNestedJson, stringMember } from "../../safe-json";
import type { HeldFile } from "../../source";
import { decodeUtf8 } from "../../text-decoding";
import { JUDGED, shownOfRow } from "./evaluation";
import type { Around } from "./opened-run";
import type { RunWriter } from "./run-writer";
import { eventShape } from "./shapes";

/** What an evaluation gave the agent to do. */
export interface Instruction {
  text: string;
  at: RawSpan;
  /** True when a message of the history says it too. */
  isSaidAgain: boolean;
}

/** How many events are looked through for the first words of a person. */
const LOOKED_AT = 50;

/** The instruction of a row; null when it has none. */
export function instructionOf(around: Around): Instruction | null {
  const text = stringMember(around.value, "instruction");
  if (text === null || text.trim() === "") return null;
  const events = member(around.value, around.listKey);
  const first = (Array.isArray(events) ? events.slice(0, LOOKED_AT) : []).flat().map(saidByPerson);
  const said = first.find((words) => words !== null) ?? "";
  return { text, at: around.place("instruction"), isSaidAgain: said.includes(text.trim()) };
}

/** The words of a person in an event, null when it is none of a person. */
function saidByPerson(event: JsonValue): string | null {
  if (stringMember(event, "source") !== "user" || eventShape(event) === null) return null;
  const given = member(event, "args") ?? member(event, "llm_message");
  const content = member(given, "content");
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => stringMember(part, "text") ?? "").join("\n") : null;
}

/**
 * Adds what stands beside the events of a document as one item of context. How a row was judged is left out of it and
 * noted with its place: it is failure context.
 */
export function addAround(run: RunWriter, around: Around, isInstructionShown: boolean): void {
  const { value, listKey, isRow, place } = around;
  const values = isRow ? shownOfRow(around, run.notes) : {};
  const rest: JsonObject = {};
  const raw: RawSpan[] = [];
  for (const [key, held] of Object.entries(value)) {
    if (key === listKey || (isInstructionShown && key === "instruction")) continue;
    if (isRow && JUDGED.some((name) => name === key)) {
      const message = "How the run was judged, and what it delivered; shown as such, and kept out of the trace";
      run.notes.add("failure_context", "information", message, place(key));
      continue;
    }
    raw.push(place(key));
    const shown = Object.hasOwn(values, key) ? values[key] : held;
    Object.defineProperty(rest, key, { value: shown, enumerable: true, configurable: true, writable: true });
  }
  const [at] = raw;
  if (at === undefined) return;
  const text = JSON.stringify(JSON.parse(run.texts.json(rest, at)), null, 2);
  run.writer.addContext({ contextKind: "metadata", author: HARNESS, sourceSteps: [], raw, text });
}

/** Adds the files of a conversation's folder that are no events. Returns the state of the conversation, if one is there. */
export function addFiles(run: RunWriter, files: readonly HeldFile[]): JsonObject | null {
  let state: JsonObject | null = null;
  for (const { path, bytes } of files) {
    const at: RawSpan = { line: null, pointer: "", start: 0, end: bytes.length, file: path };
    const value = /(?:^|\/)base_state\.json$/.test(path) ? parseNestedJson(decodeUtf8(bytes).text) : undefined;
    if (state === null && isObject(value)) {
      state = value;
      const text = run.texts.json(value, at);
      run.writer.addContext({ contextKind: "metadata", author: HARNESS, sourceSteps: [], raw: [at], text });
    } else if (bytes.length > 0) {
      const message = "Files beside the events; the raw record holds them";
      run.notes.add("file_not_read", "information", message, at);
    }
  }
  return state;
}
