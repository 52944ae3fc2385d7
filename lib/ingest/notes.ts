import type { Note, RawSpan } from "@/lib/trajectory/schema";
import type { JsonRepairs } from "./json-tokens";

/** How many positions a note keeps; its count says how many there were. */
const POSITIONS_KEPT = 20;

/** Collects what was skipped, repaired or guessed while a trace is read: one note a code, with counts and positions. */
export class NoteBook {
  private readonly notes = new Map<string, Note>();

  /** Adds `count` to the note of this code. The message of the first time is kept. */
  add(code: string, level: Note["level"], message: string, position: RawSpan | null, count = 1): void {
    if (count < 1) return;
    const note = this.notes.get(code) ?? { code, level, message, count: 0, positions: [] };
    note.count += count;
    if (position && note.positions.length < POSITIONS_KEPT) note.positions.push(position);
    this.notes.set(code, note);
  }

  /** Adds what the JSON reader repaired. */
  addRepairs(repairs: JsonRepairs, position: RawSpan | null): void {
    const add = (code: string, count: number, message: string): void =>
      this.add(code, "repaired", message, position, count);
    add("non_finite_number", repairs.nonFinite, "NaN, Infinity or a number out of range, read as null");
    add("nul_character", repairs.nul, "NUL characters, replaced by U+FFFD");
    add("lone_surrogate", repairs.surrogates, "Halves of surrogate pairs, replaced by U+FFFD");
    add("control_character", repairs.controls, "Raw control characters inside JSON strings, accepted");
    add("invalid_utf8", repairs.invalidUtf8, "Bytes that are not UTF-8, replaced by U+FFFD");
    add("duplicate_key", repairs.duplicateKeys, "Keys that occur again in the same object; the last value counts");
  }

  /** All notes in the order in which their codes first occurred. */
  list(): Note[] {
    return [...this.notes.values()];
  }
}
