import type { NoteBook } from "../../notes";
import type { TextLine } from "../../text-lines";
import { isBlank, spanOf } from "./text-lines";

/** A message of a request or an answer; `first` to `last` are its lines in the file, with the line that separates it. */
export interface HistoryMessage {
  role: string;
  text: string;
  /** The first line of its words. */
  words: number;
  first: number;
  last: number;
}

/** One request to the model with its whole prompt, and the answer; times are as the history gives them, without a zone. */
export interface ModelRequest {
  /** The line `TO LLM`, or `LLM RESPONSE` where the history begins with an answer. */
  head: number;
  sentAt: string | null;
  messages: HistoryMessage[];
  answer: (HistoryMessage & { at: string }) | null;
}

/** A history of requests: `lines` are those of the file without the roles before the words. */
export interface RequestHistory {
  lines: TextLine[];
  requests: ModelRequest[];
  /** Lines before the first request. */
  before: { first: number; last: number } | null;
}

const SENT = /^TO LLM (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\s*$/;
const ANSWERED = /^LLM RESPONSE (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\s*$/;
const SEPARATOR = /^-{7}\s*$/;
const ROLE = /^(SYSTEM|USER|ASSISTANT|TOOL|FUNCTION|DEVELOPER)(?: |$)/;

/** Takes a history of requests apart. Each line of a message has its role before it, so that nothing in it is ambiguous. */
export function readRequests(lines: readonly TextLine[], notes: NoteBook): RequestHistory {
  const requests: ModelRequest[] = [];
  const plain: TextLine[] = [];
  const outside: number[] = [];
  let request: ModelRequest | null = null;
  let message: HistoryMessage | null = null;
  let separator: number | null = null;
  for (const [n, line] of lines.entries()) {
    const { text } = line;
    const sent = SENT.exec(text)?.[1];
    const answered = ANSWERED.exec(text)?.[1];
    if (sent !== undefined) {
      request = { head: n, sentAt: sent, messages: [], answer: null };
      requests.push(request);
      [message, separator] = [null, n];
      plain.push(line);
      continue;
    }
    if (answered !== undefined) {
      if (request === null || request.answer !== null) {
        request = { head: n, sentAt: null, messages: [], answer: null };
        requests.push(request);
      }
      request.answer = { role: "ASSISTANT", text: "", words: n + 1, first: n, last: n, at: answered };
      [message, separator] = [request.answer, null];
      plain.push(line);
      continue;
    }
    if (SEPARATOR.test(text) && request !== null && request.answer === null) {
      separator ??= n;
      message = null;
      plain.push(line);
      continue;
    }
    const role = ROLE.exec(text)?.[1] ?? null;
    if (request === null) {
      if (!isBlank(line)) outside.push(n);
      plain.push(line);
      continue;
    }
    if (message === null && !isBlank(line)) {
      message = { role: role ?? "USER", text: "", words: n, first: separator ?? n, last: n };
      separator = null;
      request.messages.push(message);
    }
    const words = role !== null && role === message?.role ? text.slice(role.length + 1) : text;
    if (role === null && !isBlank(line)) {
      const note = "Lines without a role, read as part of the message that they follow";
      notes.add("line_without_role", "information", note, spanOf(lines, n, n));
    }
    plain.push({ ...line, text: words });
    if (message !== null && (role !== null || !isBlank(line))) message.last = n;
  }
  for (const one of requests) {
    for (const each of one.answer === null ? one.messages : [...one.messages, one.answer]) {
      each.text = plain
        .slice(each.words, each.last + 1)
        .map(({ text }) => text)
        .join("\n");
    }
  }
  const [first, last] = [outside[0], outside.at(-1)];
  return { lines: plain, requests, before: first === undefined || last === undefined ? null : { first, last } };
}
