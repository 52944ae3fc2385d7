/** One place of a file that a patch changes: lines that stand there, and those that come in their stead. */
export interface PatchChunk {
  /** Lines after `@@`, which stand before the place, one after the other. */
  contexts: string[];
  before: string[];
  after: string[];
  /** The place is the end of the file. */
  atEnd: boolean;
  /** How many lines come and go; the others are there to find the place. */
  added: number;
  removed: number;
}

/** What a patch does to one file. */
export type PatchedFile =
  | { kind: "add"; path: string; text: string }
  | { kind: "delete"; path: string }
  | { kind: "update"; path: string; movedTo: string | null; chunks: PatchChunk[] };

/** A patch that was read, or why the tool refuses it. */
export type PatchReading = { ok: true; files: PatchedFile[] } | { ok: false; reason: string };

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const ADD = "*** Add File: ";
const DELETE = "*** Delete File: ";
const UPDATE = "*** Update File: ";
const MOVE = "*** Move to: ";
const END_OF_FILE = "*** End of File";

/**
 * Reads a patch for `apply_patch` (formats.md, W4). Blanks around its marks, a here-document around all of it and blank
 * lines between its parts are allowed, as the tool allows them.
 */
export function readPatch(text: string): PatchReading {
  const lines = insideHereDocument(linesIn(text.trim()));
  if (lines[0]?.trim() !== BEGIN) return refused(`The first line of the patch must be '${BEGIN}'`);
  if (lines.length < 2 || lines.at(-1)?.trim() !== END) return refused(`The last line of the patch must be '${END}'`);
  const reader = new PatchReader(lines.slice(1, -1));
  return reader.read();
}

/** Reads the changes of one file without anything around them: the lines that follow the name of a file. */
export function readChunks(text: string): PatchChunk[] | null {
  const reader = new PatchReader(linesIn(text.trimEnd()));
  const chunks = reader.readChunks();
  return chunks === null || chunks.length === 0 || reader.isOpen ? null : chunks;
}

/** The names of files in a patch that need not be readable as a whole, each once. */
export function namesInPatch(text: string): string[] {
  const names = linesIn(text).flatMap((line) => {
    const mark = [ADD, DELETE, UPDATE, MOVE].find((one) => line.startsWith(one));
    return mark === undefined ? [] : line.slice(mark.length).trim() || [];
  });
  return [...new Set(names)];
}

function refused(reason: string): PatchReading {
  return { ok: false, reason };
}

function linesIn(text: string): string[] {
  return text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

/** A model may write the whole here-document as an argument. */
function insideHereDocument(lines: string[]): string[] {
  const isOpened = /^<<(['"]?)EOF\1$/.test(lines[0] ?? "");
  return isOpened && lines.length >= 4 && lines.at(-1)?.endsWith("EOF") === true ? lines.slice(1, -1) : lines;
}

class PatchReader {
  private at = 0;
  private reason = "";

  constructor(private readonly lines: readonly string[]) {}

  /** Lines are left that belong to nothing. */
  get isOpen(): boolean {
    return this.at < this.lines.length;
  }

  read(): PatchReading {
    const files: PatchedFile[] = [];
    while (this.isOpen) {
      const line = (this.lines[this.at] ?? "").trim();
      this.at += 1;
      if (line === "") continue;
      const file = this.readFile(line);
      if (file === null) return refused(this.reason);
      files.push(file);
    }
    return files.length === 0 ? refused("No files were modified") : { ok: true, files };
  }

  private readFile(line: string): PatchedFile | null {
    if (line.startsWith(ADD)) return { kind: "add", path: line.slice(ADD.length), text: this.readAdded() };
    if (line.startsWith(DELETE)) return { kind: "delete", path: line.slice(DELETE.length) };
    if (!line.startsWith(UPDATE)) {
      this.reason = `'${line.slice(0, 200)}' is not a valid hunk header`;
      return null;
    }
    const path = line.slice(UPDATE.length);
    const move = this.lines[this.at];
    const movedTo = move?.startsWith(MOVE) === true ? move.slice(MOVE.length).trim() : null;
    if (movedTo !== null) this.at += 1;
    const chunks = this.readChunks();
    if (chunks === null) return null;
    if (chunks.length === 0 && movedTo === null) {
      this.reason = `Update file hunk for path '${path}' is empty`;
      return null;
    }
    return { kind: "update", path, movedTo, chunks };
  }

  private readAdded(): string {
    let text = "";
    for (; this.lines[this.at]?.startsWith("+") === true; this.at += 1) text += `${this.lines[this.at]?.slice(1)}\n`;
    return text;
  }

  /** The chunks up to the next file; null when one of them cannot be read. */
  readChunks(): PatchChunk[] | null {
    const chunks: PatchChunk[] = [];
    while (this.isOpen) {
      const line = this.lines[this.at] ?? "";
      if (line.trim() === "") this.at += 1;
      else if (line.startsWith("*")) break;
      else {
        const chunk = this.readChunk(chunks.length === 0);
        if (chunk === null) return null;
        chunks.push(chunk);
      }
    }
    return chunks;
  }

  private readChunk(isFirst: boolean): PatchChunk | null {
    const chunk: PatchChunk = { contexts: [], before: [], after: [], atEnd: false, added: 0, removed: 0 };
    const start = this.at;
    for (
      let mark = this.lines[this.at];
      mark === "@@" || mark?.startsWith("@@ ") === true;
      mark = this.lines[this.at]
    ) {
      this.at += 1;
      // Numbers of lines, as other patches have them, name no line of the file.
      const context = mark.slice(3);
      if (context !== "" && !/^-\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(context)) chunk.contexts.push(context);
    }
    if (this.at === start && !isFirst) return this.fail("Expected update hunk to start with a @@ context marker");
    const first = this.at;
    while (this.isOpen && this.takeLine(chunk, this.lines[this.at] ?? "", this.at === first)) this.at += 1;
    return this.at === first ? this.fail("Update hunk does not contain any lines") : chunk;
  }

  /** Whether a line belongs to the chunk. */
  private takeLine(chunk: PatchChunk, line: string, isFirst: boolean): boolean {
    if (chunk.atEnd) return false;
    const [sign, text] = [line.charAt(0), line.slice(1)];
    if (line === END_OF_FILE && !isFirst) chunk.atEnd = true;
    else if (sign === "" || sign === " ") {
      chunk.before.push(text);
      chunk.after.push(text);
    } else if (sign === "+") {
      chunk.after.push(text);
      chunk.added += 1;
    } else if (sign === "-") {
      chunk.before.push(text);
      chunk.removed += 1;
    } else return false;
    return true;
  }

  private fail(reason: string): null {
    this.reason = `${reason}, got: '${(this.lines[this.at] ?? "").slice(0, 200)}'`;
    return null;
  }
}
