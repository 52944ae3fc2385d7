import type { Content, JsonContent } from "../../content";
import { isJsonContent } from "../../content";
import type { JsonLayout } from "../../json-scan";
import { lineCounter } from "../../line-counter";
import { NoteBook } from "../../notes";
import type { Part } from "../../parts";
import { isObject, type JsonObject, type JsonValue, stringMember } from "../../safe-json";
import { countRepeated, fingerprint, readingOf } from "./continuation";
import { readConversation } from "./conversation";
import { unitKind } from "./records";
import { type BrokenUnit, type Unit, unitsOf } from "./units";

/** Units that follow each other and are one trajectory: requests of which each continues the one before, or one record. */
export interface Stretch {
  /** The line or index of its first unit. */
  key: string;
  name: string | null;
  first: Unit | BrokenUnit;
  last: Unit | BrokenUnit;
  isConversation: boolean;
}

/**
 * The conversations of a file whose lines or elements are whole conversations, when there are several that do not continue
 * each other; records that are none are parts as well. Nothing when the file is one conversation, or its records are
 * messages.
 */
export function splitChat(content: Content): Part[] {
  if (!isJsonContent(content)) return [];
  const stretches = stretchesOf(content);
  if (stretches.length < 2) return [];
  const lineOf = lineCounter(content.source.bytes);
  let conversations = 0;
  return stretches.map(({ key, name, first, last, isConversation }) => {
    if (isConversation) conversations++;
    const { start, line } = first.raw;
    const { end } = last.raw;
    const called = isConversation ? `Conversation ${conversations}` : `${first.step.convention} ${first.step.step}`;
    // Several elements of a list are no document without its brackets.
    const standsAlone = content.kind === "lines" || first === last;
    const range =
      standsAlone && start !== null && end !== null
        ? { start, end, line: line ?? lineOf(start), pointer: first.raw.pointer ?? "" }
        : null;
    return { key, name: name ?? called, range };
  });
}

/** No places: what is compared are values, and looking for places costs as much as reading. */
const NO_PLACES: JsonLayout = { members: new Map(), elements: [] };

/** The units in stretches that each are one trajectory. Empty when there are not two conversations among them. */
export function stretchesOf(content: JsonContent): Stretch[] {
  const stretches: Stretch[] = [];
  let open: { stretch: Stretch; known(): string[] } | null = null;
  let conversations = 0;
  // Records that are none stand inside a conversation when it goes on behind them.
  let between: (Unit | BrokenUnit)[] = [];
  for (const unit of unitsOf(content, new NoteBook())) {
    const kind = "why" in unit ? "other" : unitKind(unit.value);
    if (kind === "message" || kind === "item" || kind === "response") return [];
    if ("why" in unit || !isObject(unit.value) || kind === "other") {
      between.push(unit);
      continue;
    }
    const said = saidIn(unit.value, unit, content);
    const repeated: number | null = open === null ? null : countRepeated(said, open.known());
    if (open === null || repeated === null) {
      stretches.push(...between.map((other) => stretchOf(other, null)));
      open = { stretch: stretchOf(unit, unit.value), known: printsOf(said) };
      stretches.push(open.stretch);
      conversations++;
    } else {
      open.stretch.last = unit;
      open.known().push(...prints(said.slice(repeated)));
    }
    between = [];
  }
  stretches.push(...between.map((other) => stretchOf(other, null)));
  return conversations > 1 ? stretches : [];
}

function stretchOf(unit: Unit | BrokenUnit, value: JsonObject | null): Stretch {
  const name = value === null ? null : nameOf(value);
  return { key: unit.step.step, name, first: unit, last: unit, isConversation: value !== null };
}

function saidIn(value: JsonObject, unit: Unit, content: JsonContent): JsonValue[] {
  const { prompt, answer } = readConversation(value, { ...unit, layout: NO_PLACES }, content.source.bytes);
  return [...prompt, ...answer].map((record) => record.value);
}

/** The prints of what a request says, once they are asked for: most files hold one request, which nothing follows. */
function printsOf(said: JsonValue[]): () => string[] {
  let known: string[] | null = null;
  return () => {
    known ??= prints(said);
    return known;
  };
}

function prints(said: JsonValue[]): string[] {
  return said.flatMap((value) => fingerprint(readingOf(value), value) ?? []);
}

/** Where data sets say which conversation a record is. */
const NAMES = ["task_id", "conversation_id", "session_id", "trajectory_id", "id", "name", "title"];

function nameOf(value: JsonObject): string | null {
  for (const key of NAMES) {
    const name = stringMember(value, key);
    if (name !== null && name.trim() !== "") return name;
    const number = value[key];
    if (typeof number === "number") return `${key} ${number}`;
  }
  return null;
}
