import type { Note, RawSpan } from "@/lib/trajectory/schema";
import type { JsonRepairs } from "./json-tokens";

/** How many positions a note keeps; its count says how many there were. */
const POSITIONS_KEPT = 20;

const REPAIRS: readonly { code: string; counted: keyof JsonRepairs; message: string }[] = [
  {
    code: "non_finite_number",
    counted: "nonFinite",
    message: "NaN, Infinity or a number out of range, read as null",
  },
  { code: "nul_character", counted: "nul", message: "NUL characters, replaced by U+FFFD" },
  { code: "lone_surrogate", counted: "surrogates", message: "Halves of surrogate pairs, replaced by U+FFFD" },
  {
    code: "control_character",
    counted: "controls",
    message: "Raw control characters inside JSON strings, accepted",
  },
  { code: "invalid_utf8", counted: "invalidUtf8", message: "Bytes that are not UTF-8, replaced by U+FFFD" },
  {
    code: "duplicate_key",
    counted: "duplicateKeys",
    message: "Keys that occur again in the same object; the last value counts",
  },
];

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
  addRepairs(repairs: Readonly<JsonRepairs>, position: RawSpan | null): void {
    const { nonFinite, nul, surrogates, controls, invalidUtf8, duplicateKeys } = repairs;
    // Nothing is repaired in nearly every line.
    if (nonFinite + nul + surrogates + controls + invalidUtf8 + duplicateKeys === 0) return;
    for (const { code, counted, message } of REPAIRS) this.add(code, "repaired", message, position, repairs[counted]);
  }

  /** All notes in the order in which their codes first occurred. */
  list(): Note[] {
    return [...this.notes.values()];
  }
}
