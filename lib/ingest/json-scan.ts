import { JSON_MAX_DEPTH } from "@/lib/catalogue/limits";
import { IngestError } from "@/lib/errors";
import {
  afterBareWord,
  afterNumber,
  afterString,
  afterStringUnread,
  type ByteSpan,
  type JsonPatch,
  type JsonRepairs,
  noRepairs,
  type TokenScan,
} from "./json-tokens";

/** An element of a list in a member of the root object: where it is, and where the lists are that it holds itself. */
export interface ElementSpan extends ByteSpan {
  lists: { key: string; start: number; end: number }[];
}

/** A member of the root object: where its value is and, when that is an array, where each element is. */
export interface MemberSpan extends ByteSpan {
  elements: ElementSpan[];
}

/** Where the parts of a JSON value are: the members of a root object, or the elements of a root array. */
export interface JsonLayout {
  members: Map<string, MemberSpan>;
  elements: ByteSpan[];
}

/** What one pass over the bytes of a JSON value found. */
export interface JsonScan {
  layout: JsonLayout;
  patches: readonly JsonPatch[];
  repairs: Readonly<JsonRepairs>;
}

const KEY_LEVELS = 3;
/** Root object, list in a member of it, element of that, list in the element. */
const LIST_DEPTH = 4;
/** More keys than this in one object are not compared: the check must stay linear on hostile input. */
const KEYS_COMPARED = 64;

const [QUOTE, COMMA, COLON, MINUS] = [0x22, 0x2c, 0x3a, 0x2d];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const [LETTER_I, LETTER_N] = [0x49, 0x4e];

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The line (1-based) that a byte offset is on. */
export function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1;
  let from = bytes.indexOf(0x0a);
  while (from !== -1 && from < offset) {
    line++;
    from = bytes.indexOf(0x0a, from + 1);
  }
  return line;
}

/** How a scan passes over strings: it reads and repairs them, or skips them, with the help of the text when it is ASCII. */
export type StringPass = { unread: false } | { unread: true; ascii: string | null };

/**
 * Looks once at every byte of the JSON value in `[start, end)`, before anything is built from it: its depth, where its
 * parts are, and what must be replaced so that it can be parsed and stored. It does not check the whole grammar. Without
 * `withLayout` the layout stays empty, which saves time on short lines. Strings that are skipped unread give no patches.
 * @throws IngestError `too_deep` (deeper than JSON_MAX_DEPTH) or `malformed` (brackets that do not match, a value that
 * is not complete), each with byte and line.
 */
export function scanJson(
  bytes: Uint8Array,
  start: number,
  end: number,
  withLayout: boolean,
  strings: StringPass,
): JsonScan {
  return scanner.scan(bytes, start, end, withLayout, strings);
}

const decoder = new TextDecoder();
/** The layout of every scan that was not asked for one. */
const NO_LAYOUT: JsonLayout = { members: new Map(), elements: [] };
/** What nearly every scan finds: a line's scan must not allocate to say so. Nobody writes into them. */
const NO_PATCHES: JsonPatch[] = [];
const NO_REPAIRS: Readonly<JsonRepairs> = Object.freeze(noRepairs());
const NOTHING_FOUND: JsonScan = { layout: NO_LAYOUT, patches: NO_PATCHES, repairs: NO_REPAIRS };
/** Scratch space of the one scan that can run at a time: a line's scan must not allocate per line. */
const containers = new Uint8Array(JSON_MAX_DEPTH + 1);
const keyHashes = Array.from({ length: KEY_LEVELS + 1 }, () => new Int32Array(KEYS_COMPARED));
const keyStarts = Array.from({ length: KEY_LEVELS + 1 }, () => new Int32Array(KEYS_COMPARED));
const keyCounts = new Int32Array(KEY_LEVELS + 1);

const NO_BYTES: Uint8Array = new Uint8Array();
const READ: StringPass = { unread: false };
/** The lists of every element that holds none, which are most: a long list must not keep an empty one for each. */
const NO_LISTS: ElementSpan["lists"] = [];

/**
 * There is one, for all scans: an engine forgets what it has learned of objects when a collection finds none of them, and
 * the next import would start slowly.
 */
class Scanner {
  private readonly tokens: TokenScan = { bytes: NO_BYTES, end: 0, patches: [], repairs: noRepairs() };
  private bytes = NO_BYTES;
  private strings = READ;
  private withLayout = false;
  private layout = NO_LAYOUT;
  /** 1 where the container at that depth is an object. */
  private readonly isObject = containers;
  private depth = 0;
  /** Where the value of the current member of a root object begins, and its elements when the layout is wanted. */
  private memberStart = -1;
  private memberElements: ElementSpan[] = [];
  private memberKeyStart = -1;
  private memberKeyEnd = -1;
  /** Where the current element of the list of interest begins. */
  private elementStart = -1;
  /** The lists of the current element, where the current one begins, and the last key before it. */
  private elementLists = NO_LISTS;
  private listStart = -1;
  private elementKey: ByteSpan | null = null;

  scan(bytes: Uint8Array, start: number, end: number, withLayout: boolean, strings: StringPass): JsonScan {
    const layout = withLayout ? { members: new Map<string, MemberSpan>(), elements: [] } : NO_LAYOUT;
    const { tokens } = this;
    this.begin(bytes, withLayout, layout, strings);
    tokens.end = end;
    try {
      this.run(start, end);
      const { patches, repairs } = tokens;
      if (this.foundSomething()) return { layout, patches, repairs };
      return withLayout ? { layout, patches: NO_PATCHES, repairs: NO_REPAIRS } : NOTHING_FOUND;
    } finally {
      // What was found was given away; the next scan needs its own.
      if (this.foundSomething()) {
        tokens.patches = [];
        tokens.repairs = noRepairs();
      }
      // An upload of many megabytes must not be held until the next scan.
      this.begin(NO_BYTES, false, NO_LAYOUT, READ);
    }
  }

  /** Whatever is repaired gives a patch, but for duplicate keys. */
  private foundSomething(): boolean {
    return this.tokens.patches.length > 0 || this.tokens.repairs.duplicateKeys > 0;
  }

  private begin(bytes: Uint8Array, withLayout: boolean, layout: JsonLayout, strings: StringPass): void {
    this.bytes = bytes;
    this.tokens.bytes = bytes;
    this.strings = strings;
    this.withLayout = withLayout;
    this.layout = layout;
    this.depth = 0;
    this.memberStart = -1;
    this.memberElements = [];
    this.memberKeyStart = -1;
    this.elementStart = -1;
    this.elementLists = NO_LISTS;
    this.listStart = -1;
    this.elementKey = null;
  }

  private run(start: number, end: number): void {
    const { bytes, tokens, strings } = this;
    let expectKey = false;
    let i = start;
    while (i < end) {
      const byte = bytes[i] ?? 0;
      // Indented documents are up to a third space.
      if (byte <= 0x20) {
        i++;
        continue;
      }
      if (byte === QUOTE) {
        const after = strings.unread ? afterStringUnread(bytes, strings.ascii, i, end) : afterString(tokens, i);
        if (after === -1) {
          this.fail("malformed", `the JSON ends inside a string that starts at byte ${i}${this.place()}`, end);
        }
        if (expectKey && this.depth <= KEY_LEVELS) this.noteKey(i + 1, after - 1);
        i = after;
      } else if (byte === COMMA) {
        expectKey = this.isObject[this.depth] === 1;
        if (this.depth <= 2) this.endPart(i);
        i++;
      } else if (byte === COLON) {
        expectKey = false;
        if (this.depth === 1) this.startMember(i + 1);
        i++;
      } else if ((byte >= 0x30 && byte <= 0x39) || byte === MINUS) i = afterNumber(tokens, i);
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        expectKey = byte === OPEN_OBJECT;
        this.open(i, expectKey);
        i++;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        expectKey = false;
        this.close(i, byte);
        i++;
      } else {
        const after = byte === LETTER_N || byte === LETTER_I ? afterBareWord(tokens, i) : -1;
        i = after === -1 ? i + 1 : after;
        continue;
      }
      // What follows the value is for the parser to refuse.
      if (this.depth === 0) break;
    }
    if (this.depth > 0) {
      const container = this.isObject[this.depth] === 1 ? "an object" : "a list";
      this.fail("malformed", `the JSON ends inside ${container}${this.place()}`, end);
    }
  }

  private open(at: number, isObject: boolean): void {
    if (this.depth >= JSON_MAX_DEPTH) {
      this.fail("too_deep", `the JSON is nested deeper than ${JSON_MAX_DEPTH} levels`, at);
    }
    this.depth++;
    this.isObject[this.depth] = isObject ? 1 : 0;
    if (this.depth === LIST_DEPTH) this.listStart = isObject ? -1 : at;
    if (this.depth > KEY_LEVELS) return;
    if (isObject) keyCounts[this.depth] = 0;
    else if (this.depth === 1 || (this.depth === 2 && this.isObject[1] === 1)) this.elementStart = at + 1;
  }

  private close(at: number, byte: number): void {
    const closesObject = byte === CLOSE_OBJECT;
    if (this.depth === 0 || (this.isObject[this.depth] === 1) !== closesObject) {
      this.fail("malformed", `"${String.fromCharCode(byte)}" closes nothing here${this.place()}`, at);
    }
    if (this.depth <= 2) this.endPart(at);
    else if (this.depth === LIST_DEPTH && this.listStart !== -1) this.endList(at);
    this.depth--;
  }

  private startMember(at: number): void {
    this.memberStart = at;
    if (this.memberElements.length > 0) this.memberElements = [];
  }

  /** Ends a list; what counts is one that is a value of an object in a list in a member of the root object. */
  private endList(at: number): void {
    const isOfElement = this.isObject[3] === 1 && this.isObject[2] === 0 && this.isObject[1] === 1;
    if (!this.withLayout || !isOfElement || this.elementKey === null) return;
    if (this.elementLists === NO_LISTS) this.elementLists = [];
    this.elementLists.push({ key: this.text(this.elementKey), start: this.listStart, end: at + 1 });
    // One key has one value; a second list behind it is not JSON, and must not cost the key's length again.
    this.elementKey = null;
  }

  /** Ends the member or element that a comma or bracket at depth 1 or 2 follows. */
  private endPart(at: number): void {
    if (!this.withLayout) return;
    const inObject = this.isObject[this.depth] === 1;
    if (this.depth === 1 && inObject) {
      if (this.memberStart !== -1 && this.memberKeyStart !== -1) {
        const span = this.trimmed(this.memberStart, at);
        this.layout.members.set(this.memberKey(), { ...span, elements: this.memberElements });
        this.memberElements = [];
      }
      this.memberStart = -1;
      this.memberKeyStart = -1;
    } else if (!inObject) {
      const span = this.trimmed(this.elementStart, at);
      if (this.depth === 1) {
        if (span.end > span.start) this.layout.elements.push(span);
      } else {
        if (this.isObject[1] !== 1 || this.memberStart === -1) return;
        if (span.end > span.start) this.memberElements.push({ ...span, lists: this.elementLists });
        this.elementLists = NO_LISTS;
      }
      this.elementStart = at + 1;
    }
  }

  private noteKey(start: number, end: number): void {
    if (this.depth === 1) {
      this.memberKeyStart = start;
      this.memberKeyEnd = end;
    } else if (this.depth === LIST_DEPTH - 1 && this.withLayout) this.elementKey = { start, end };
    const hashes = keyHashes[this.depth];
    const starts = keyStarts[this.depth];
    const count = keyCounts[this.depth] ?? 0;
    if (!hashes || !starts || count >= KEYS_COMPARED) return;
    const { bytes } = this;
    let hash = end - start;
    for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + (bytes[i] ?? 0)) | 0;
    for (let known = 0; known < count; known++) {
      if (hashes[known] !== hash) continue;
      const i = starts[known] ?? 0;
      let same = 0;
      while (start + same <= end && bytes[i + same] === bytes[start + same]) same++;
      // Up to and including the closing quote.
      if (same <= end - start) continue;
      this.tokens.repairs.duplicateKeys++;
      return;
    }
    hashes[count] = hash;
    starts[count] = start;
    keyCounts[this.depth] = count + 1;
  }

  /** Where in the document the scan is, for people. */
  private place(): string {
    if (this.depth === 0) return "";
    if (this.isObject[1] !== 1) return `, in element ${this.layout.elements.length} of the list`;
    if (this.memberKeyStart === -1) return "";
    const name = this.memberKey();
    if (this.memberStart === -1 || this.depth < 2 || this.isObject[2] === 1) return `, in "${name}"`;
    return `, in element ${this.memberElements.length} of "${name}"`;
  }

  private memberKey(): string {
    return this.text({ start: this.memberKeyStart, end: this.memberKeyEnd });
  }

  private trimmed(from: number, to: number): ByteSpan {
    let [start, end] = [from, to];
    while (start < end && isSpace(this.bytes[start])) start++;
    while (end > start && isSpace(this.bytes[end - 1])) end--;
    return { start, end };
  }

  /** The characters of a short span; a key with escapes is given as written. */
  private text(span: ByteSpan): string {
    return decoder.decode(this.bytes.subarray(span.start, span.end));
  }

  private fail(code: "malformed" | "too_deep", message: string, at: number): never {
    const line = lineAt(this.bytes, at);
    throw new IngestError(code, `${message} (line ${line}, byte ${at})`, { byte: at, line, pointer: null });
  }
}

const scanner = new Scanner();
