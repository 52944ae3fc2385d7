import { isObject, type JsonValue } from "../../safe-json";
import { readMessage } from "./openai";
import type { Part, Reading } from "./parts";
import { isMessage } from "./records";
import { isItem, readItem } from "./responses";

/**
 * How many of the records that a request says only repeat what is known, when it begins with all of it or is no more than
 * its beginning; null when it does not continue it.
 * @param known the fingerprints of what was said so far
 */
export function countRepeated(said: readonly JsonValue[], known: readonly string[]): number | null {
  let [same, from] = [0, 0];
  for (const value of said) {
    const print = fingerprint(readingOf(value), value);
    const isSame = print === null ? same < known.length : print === known[same];
    if (!isSame) break;
    if (print !== null) same++;
    from++;
  }
  return same === 0 || (same < known.length && from < said.length) ? null : from;
}

/** What a record says; null when it is neither a message nor an item. */
export function readingOf(value: JsonValue): Reading | null {
  if (!isObject(value)) return null;
  if (isItem(value)) return readItem(value);
  return isMessage(value) ? readMessage(value) : null;
}

/**
 * What two tellings of the same message share. Reasoning, markers of the cache and everything that is not read may come
 * and go between a request and the next; a record of reasoning alone has nothing that lasts, and gives null.
 */
export function fingerprint(reading: Reading | null, value: JsonValue): string | null {
  if (reading === null) return JSON.stringify(value);
  if (reading.parts.length > 0 && reading.parts.every((part) => part.kind === "thought")) return null;
  const said = reading.parts.filter((part) => part.kind !== "thought").map(partFingerprint);
  return [reading.speaker, ...said].join("\u0001");
}

function partFingerprint(part: Part): string {
  if (part.kind === "call") {
    const given = part.arguments === null ? part.text : JSON.stringify(part.arguments);
    return ["call", part.callId, part.tool, given].join("\u0002");
  }
  if (part.kind === "result") return ["result", part.callId, part.text].join("\u0002");
  return `${part.kind}\u0002${part.text}`;
}
