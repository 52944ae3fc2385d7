import type { Note, RawSpan, Trajectory } from "@/lib/trajectory/schema";
import type { Content } from "./content";
import { lineAt } from "./json-scan";
import { NoteBook } from "./notes";
import type { Part } from "./parts";
import type { HeldDatabase } from "./source";
import { decodeUtf8 } from "./text-decoding";

/** A stretch of bytes, end exclusive. */
export interface ByteStretch {
  start: number;
  end: number;
}

/** Where every byte of a file went. The sizes add up to the size of the file. */
export interface Accounting {
  /** In items of turns. */
  turnBytes: number;
  /** In items of context, and in no turn. */
  contextBytes: number;
  /** In the positions of notes, and in neither. */
  notedBytes: number;
  /** Blanks, line ends, brackets, commas and the keys of what is read. */
  structureBytes: number;
  /** The rest, with its places. */
  unread: ByteStretch[];
  unreadBytes: number;
}

/**
 * Says where every byte of a file went: the spans of turns first, then of context, then of notes; what is left between
 * them is structure or was not read.
 * @param file the name in the archive whose spans count, undefined for an upload that is no archive
 */
export function accountBytes(bytes: Uint8Array, trajectory: Trajectory, file?: string): Accounting {
  const claimed = new Claims();
  for (const entry of trajectory.entries) {
    if (entry.kind === "turn") for (const item of entry.items) claimed.add(item.raw, file);
  }
  const turnBytes = claimed.size();
  for (const entry of trajectory.entries) if (entry.kind === "context") claimed.add(entry.raw, file);
  const contextBytes = claimed.size() - turnBytes;
  for (const note of trajectory.notes) claimed.add(note.positions, file);
  const notedBytes = claimed.size() - turnBytes - contextBytes;
  const unread: ByteStretch[] = [];
  claimed.eachGap(bytes.length, (start, end) => {
    // Between most records there is a line feed.
    if (end - start > 1 || bytes[start] !== 0x0a) unread.push(...trimStructure(bytes, { start, end }));
  });
  const unreadBytes = unread.reduce((sum, { start, end }) => sum + end - start, 0);
  const structureBytes = bytes.length - claimed.size() - unreadBytes;
  return { turnBytes, contextBytes, notedBytes, structureBytes, unread, unreadBytes };
}

/** Where every row of a database went; the three counts and what is unread add up to all rows. */
export interface RowAccounting {
  rows: number;
  turnRows: number;
  contextRows: number;
  notedRows: number;
  /** The others, as `table/row`, counted from 1. */
  unread: string[];
}

/**
 * Says where every row of a database went, by the `file` of the spans: `table/row`, or a whole table. What a blob in a row
 * holds is for its adapter to account for: bytes of a database file belong to no row alone.
 */
export function accountRows(database: HeldDatabase, trajectory: Trajectory): RowAccounting {
  const filesOf = (raws: RawSpan[][]): Set<string> => new Set(raws.flat().flatMap(({ file }) => file ?? []));
  const { entries, notes } = trajectory;
  const inTurns = filesOf(entries.flatMap((one) => (one.kind === "turn" ? one.items.map(({ raw }) => raw) : [])));
  const inContext = filesOf(entries.flatMap((one) => (one.kind === "turn" ? [] : [one.raw])));
  const inNotes = filesOf(notes.map(({ positions }) => positions));
  const found: RowAccounting = { rows: 0, turnRows: 0, contextRows: 0, notedRows: 0, unread: [] };
  for (const table of database.tables) {
    const count = database.rowCount(table);
    for (let n = 1; n <= count; n++) {
      const row = `${table}/${n}`;
      const holds = (files: ReadonlySet<string>): boolean => files.has(row) || files.has(table);
      if (holds(inTurns)) found.turnRows++;
      else if (holds(inContext)) found.contextRows++;
      else if (holds(inNotes)) found.notedRows++;
      else found.unread.push(row);
    }
    found.rows += count;
  }
  return found;
}

/** Stretches that overlap as they come, and the union of them. */
class Claims {
  private readonly stretches: ByteStretch[] = [];
  private isMerged = true;

  /** Adds the spans that are of the file. Most come in order, and the items of one record share its place. */
  add(raw: RawSpan[], file: string | undefined): void {
    for (const span of raw) {
      const { start, end } = span;
      if (span.file !== file || start === null || end === null || start >= end) continue;
      const last = this.stretches.at(-1);
      if (last && start >= last.start && start <= last.end) last.end = Math.max(last.end, end);
      else {
        if (last && start < last.start) this.isMerged = false;
        this.stretches.push({ start, end });
      }
    }
  }

  size(): number {
    return this.merged().reduce((sum, { start, end }) => sum + end - start, 0);
  }

  /** Gives each stretch of the first `length` bytes that nothing claims, in order. There are as many as lines. */
  eachGap(length: number, visit: (start: number, end: number) => void): void {
    let at = 0;
    for (const { start, end } of this.merged()) {
      if (start > at) visit(at, start);
      at = end;
    }
    if (at < length) visit(at, length);
  }

  private merged(): ByteStretch[] {
    if (this.isMerged) return this.stretches;
    this.stretches.sort((a, b) => a.start - b.start || a.end - b.end);
    let kept = 0;
    for (const stretch of this.stretches) {
      const last = this.stretches[kept - 1];
      if (last && stretch.start <= last.end) last.end = Math.max(last.end, stretch.end);
      else this.stretches[kept++] = stretch;
    }
    this.stretches.length = kept;
    this.isMerged = true;
    return this.stretches;
  }
}

/** Longer gaps are unread whatever they hold: no structure is that long. */
const STRUCTURE_MAX_BYTES = 4_096;
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** What of a gap is more than structure, without the blanks around it; nothing when all of it is. */
function trimStructure(bytes: Uint8Array, { start, end }: ByteStretch): ByteStretch[] {
  let [first, last] = [start, end];
  while (first < last && BLANKS.has(bytes[first] ?? 0)) first++;
  while (last > first && BLANKS.has(bytes[last - 1] ?? 0)) last--;
  if (first === last) return [];
  const isShort = last - first <= STRUCTURE_MAX_BYTES;
  const isStructure =
    isShort &&
    (holdsPunctuationOnly(bytes, first, last) || holdsStructureOnly(decodeUtf8(bytes.subarray(first, last)).text));
  return isStructure ? [] : [{ start: first, end: last }];
}

const PUNCTUATION_BYTES = new Set([...BLANKS, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c]);

/** True for blanks, brackets and commas: between most records there is nothing else, and nothing to decode. */
function holdsPunctuationOnly(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (!PUNCTUATION_BYTES.has(bytes[i] ?? 0)) return false;
  return true;
}

const KEY = /"(?:[^"\\]|\\.)*"/y;
const PUNCTUATION = /[\s{}[\],\ufeff]+/y;
const COLON = /\s*:/y;

/** True for JSON's punctuation, blanks and keys, with no value between them. */
function holdsStructureOnly(text: string): boolean {
  let at = 0;
  const skips = (expression: RegExp): boolean => {
    expression.lastIndex = at;
    if (!expression.test(text)) return false;
    at = expression.lastIndex;
    return true;
  };
  while (at < text.length) if (!skips(PUNCTUATION) && !(skips(KEY) && skips(COLON))) return false;
  return true;
}

/** Positions that the note gets; the count says how many there are. */
const PLACES = 20;

/** Adds a note with the places of everything that no turn, no item of context and no other note holds. */
export function noteUnread(content: Content, trajectory: Trajectory): void {
  const notes = new NoteBook();
  if (content.kind === "database") {
    const message = "Rows of the database that no turn and no item of context holds";
    for (const [n, file] of accountRows(content.database, trajectory).unread.entries()) {
      const place = { line: null, pointer: null, start: null, end: null, file };
      notes.add("not_read", "not_understood", message, n < PLACES ? place : null);
    }
  }
  const message = "Parts of the file that no turn and no item of context holds";
  for (const { file, bytes } of filesOf(content)) {
    const { unread } = accountBytes(bytes, trajectory, file);
    for (const [n, { start, end }] of unread.entries()) {
      const line = n < PLACES ? lineAt(bytes, start) : null;
      const place = { line, pointer: null, start, end, ...(file === undefined ? {} : { file }) };
      notes.add("not_read", "not_understood", message, n < PLACES ? place : null);
    }
  }
  trajectory.notes.push(...notes.list());
}

/** What of a file with several trajectories none of them holds, as a note with its places; nothing when each byte is in one. */
export function noteOutsideParts(content: Content, parts: readonly Part[]): Note[] {
  const { bytes } = content.source;
  const claimed = new Claims();
  for (const { range } of parts) {
    // A part that is picked out of the whole by its key has no place of its own to tell by.
    if (range === null) return [];
    claimed.add([{ line: null, pointer: null, start: range.start, end: range.end }], undefined);
  }
  const notes = new NoteBook();
  const message = "Parts of the file that none of its trajectories holds";
  const unread: ByteStretch[] = [];
  claimed.eachGap(bytes.length, (start, end) => unread.push(...trimStructure(bytes, { start, end })));
  for (const [n, { start, end }] of unread.entries()) {
    const place = n < PLACES ? { line: lineAt(bytes, start), pointer: null, start, end } : null;
    notes.add("not_read", "not_understood", message, place);
  }
  return notes.list();
}

function filesOf(content: Content): { file: string | undefined; bytes: Uint8Array }[] {
  if (content.kind === "database") return [];
  if (content.kind !== "files") return [{ file: undefined, bytes: content.source.bytes }];
  return content.files.map(({ path, bytes }) => ({ file: path, bytes }));
}
