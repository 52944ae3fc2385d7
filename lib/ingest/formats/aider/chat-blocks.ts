import type { NoteBook } from "../../notes";
import type { TextLine } from "../../text-lines";
import { Fences, startTime } from "./fences";
import { isBlank, spanOf } from "./text-lines";

/** Who wrote lines of a chat history: `page` is the mark-up around a published one. */
export type Writer = "start" | "person" | "aider" | "answer" | "page";

/** Lines of one writer that follow each other, `first` and `last` included and not blank. */
export interface ChatBlock {
  writer: Writer;
  first: number;
  last: number;
}

const PAGE = /^(?:<\/div>|<div class="chat-transcript"[^>]*>)\s*$/;

/** A quotation without the blank behind its sign, as tidied histories have it; not the last marker of a block. */
const BARE_QUOTATION = /^>(?!>)/;

/**
 * Takes a chat history apart by who wrote its lines. Aider puts two blanks behind each line of its own and of the person,
 * which tells them from headings and quotations of the assistant; where no line has them (a published or tidied history),
 * a heading right behind the assistant's words counts as the assistant's. Each such decision is noted.
 */
export function chatBlocks(lines: readonly TextLine[], notes: NoteBook): ChatBlock[] {
  const isPublished = lines.some(({ text }) => text.startsWith('<div class="chat-transcript"'));
  const isMarked = !isPublished && lines.some(({ text }) => isPrefixed(text) && text.endsWith("  "));
  const fences = new Fences(lines);
  const blocks: ChatBlock[] = [];
  let session: string | null = null;
  let fenceEnd = -1;
  for (const [n, line] of lines.entries()) {
    const { text } = line;
    if (isBlank(line)) continue;
    const last = blocks.at(-1);
    let writer: Writer = "answer";
    if (n <= fenceEnd) {
      if (isPrefixed(text) && (!isMarked || text.endsWith("  "))) noteQuoted(notes, lines, n);
    } else if (startTime(text) !== null && (n === 0 || isBlank(lines[n - 1]))) {
      writer = "start";
      session = startTime(text);
    } else if (isPublished && PAGE.test(text)) writer = "page";
    else if (isPrefixed(text) || (!isMarked && BARE_QUOTATION.test(text))) {
      writer = isMarked ? markedWriter(lines, n, last) : plainWriter(lines, n, last);
      if (writer === "answer") noteAnswer(notes, lines, n);
    } else if (text.startsWith("```")) fenceEnd = fences.closeOf(n, session) ?? -1;
    if (last?.writer === writer && (writer !== "person" || last.last === n - 1)) last.last = n;
    else blocks.push({ writer, first: n, last: n });
  }
  return blocks;
}

function isPrefixed(text: string): boolean {
  return text.startsWith("> ") || text.startsWith("#### ");
}

function markedWriter(lines: readonly TextLine[], n: number, last: ChatBlock | undefined): Writer {
  const text = lines[n]?.text ?? "";
  if (!text.endsWith("  ")) return "answer";
  if (text.startsWith("> ")) return "aider";
  // A person's words begin behind a blank line; an assistant's heading with two blanks behind it is not told from them.
  return n === 0 || isBlank(lines[n - 1]) || (last?.writer === "person" && last.last === n - 1) ? "person" : "answer";
}

function plainWriter(lines: readonly TextLine[], n: number, last: ChatBlock | undefined): Writer {
  const text = lines[n]?.text ?? "";
  if (text.startsWith(">")) return "aider";
  const isMarked = text.endsWith("  ") && isBlank(lines[n - 1]);
  return last?.writer !== "answer" || isMarked ? "person" : "answer";
}

function noteAnswer(notes: NoteBook, lines: readonly TextLine[], n: number): void {
  const message =
    "Lines that begin like a person's or aider's own, but are not marked or placed as such; read as the assistant's";
  notes.add("read_as_answer", "information", message, spanOf(lines, n, n));
}

function noteQuoted(notes: NoteBook, lines: readonly TextLine[], n: number): void {
  const message = "Lines inside a fence of the assistant that look like a person's or aider's own; read as quoted";
  notes.add("quoted_in_fence", "information", message, spanOf(lines, n, n));
}
