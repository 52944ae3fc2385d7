import type { CallItem, RawSpan, Turn } from "@/lib/trajectory/schema";
import { AGENT, type EntryWriter } from "../../entries";
import type { NoteBook } from "../../notes";
import type { TextLine } from "../../text-lines";
import type { SettledEdit } from "./edit-outcomes";
import { spanOf, textOf, withoutBlanks } from "./text-lines";

/** Writes an answer of the model as items of a turn: its words as messages, each edit in them as a call of its own. */
export class AnswerWriter {
  constructor(
    readonly writer: EntryWriter,
    /** The lines as the model wrote them. */
    readonly lines: readonly TextLine[],
    readonly notes: NoteBook,
  ) {}

  /**
   * Adds the words from `first` to `last`, and a call for each edit among them.
   * @param head the first line of the answer in the file, when it begins before its words
   * @param created paths of files that are new: the first edit of each that was applied makes it
   * @returns the calls, in the order of the edits
   */
  addAnswer(
    turn: Turn,
    place: { head: number; first: number; last: number },
    edits: readonly SettledEdit[],
    created: ReadonlySet<string>,
  ): CallItem[] {
    const empty = new Set(created);
    let at = place.first;
    let from = place.head;
    const calls = edits.map(({ edit, path, isApplied }) => {
      const [first, last] = [place.first + edit.first, place.first + edit.last];
      if (this.#addMessage(turn, at, first - 1, from)) from = first;
      const isNew = path !== null && isApplied && empty.delete(path);
      const given = {
        ...(path === null ? {} : { path }),
        ...(edit.path === null || edit.path === path ? {} : { path_as_written: edit.path }),
        ...(edit.kind === "whole_file" ? { content: edit.after } : { search: edit.before, replace: edit.after }),
        ...(isNew ? { created: true } : {}),
      };
      const raw = spanOf(this.lines, Math.min(from, first), last);
      [at, from] = [last + 1, last + 1];
      if (path === null) this.note("edit_without_path", "Edits of which no file is named", first);
      return this.addCall(turn, `aider_${edit.kind}`, "write", given, [raw], textOf(this.lines, first, last));
    });
    this.#addMessage(turn, at, place.last, from);
    return calls;
  }

  addCall(
    turn: Turn,
    tool: string,
    callKind: CallItem["callKind"],
    given: CallItem["arguments"],
    raw: RawSpan[],
    text: string | null,
  ): CallItem {
    const call = { kind: "call" as const, author: AGENT, raw, callKind, tool, callId: null, arguments: given, text };
    return this.writer.addItem(turn, call);
  }

  /** Adds a note about something at a line (0-based). */
  note(code: string, message: string, line: number): void {
    this.notes.add(code, "not_understood", message, spanOf(this.lines, line, line));
  }

  #addMessage(turn: Turn, first: number, last: number, from: number): boolean {
    const kept = withoutBlanks(this.lines, first, last);
    if (kept === null) return false;
    // Blank lines behind the words are the answer's too: in a history of requests they have a role before them.
    const raw = [spanOf(this.lines, Math.min(from, kept.first), last)];
    const text = textOf(this.lines, kept.first, kept.last);
    this.writer.addItem(turn, { kind: "message", author: AGENT, raw, text });
    return true;
  }
}
