import type { HistoryMessage, ModelRequest } from "./requests";

/** What a person or aider said last in a request, without the reminder of the rules that aider puts behind it. */
export interface LastWords {
  words: string;
  reminder: string;
}

/**
 * For each request the last message without aider's reminder, null where the two cannot be told apart. The next request
 * repeats the message alone; where there is none, a reminder that was seen elsewhere is told by its text.
 */
export function lastWords(requests: readonly ModelRequest[]): (LastWords | null)[] {
  const found: (LastWords | null)[] = requests.map(() => null);
  const reminders = new Set<string>();
  for (let n = requests.length - 2; n >= 0; n--) {
    const last = lastMessage(requests[n]);
    const next = requests[n + 1];
    if (last === null || next === undefined) continue;
    let words: string | null = null;
    for (const { role, text } of next.messages) {
      if (role !== "USER" || text.length <= (words?.length ?? 0) || text.length >= last.text.length) continue;
      if (last.text.startsWith(`${text}\n`)) words = text;
    }
    if (words === null) {
      // The same request again, because there was no answer.
      if (lastMessage(next)?.text === last.text) found[n] = found[n + 1] ?? null;
      continue;
    }
    const reminder = last.text.slice(words.length);
    reminders.add(reminder);
    found[n] = { words, reminder };
  }
  for (const [n, request] of requests.entries()) {
    const text = lastMessage(request)?.text ?? "";
    const reminder = [...reminders].find((one) => text.endsWith(one) && text.length > one.length);
    if (found[n] === null && reminder !== undefined) {
      found[n] = { words: text.slice(0, -reminder.length), reminder };
    }
  }
  return found;
}

/** The last message of a request when it is the user's; null when there is none. */
export function lastMessage(request: ModelRequest | undefined): HistoryMessage | null {
  const last = request?.messages.at(-1);
  return last?.role === "USER" ? last : null;
}

const HARNESS_WORDS =
  /^(?:I have \*added these files|I added these files to the chat|Here are (?:summaries of|some READ ONLY)|I am not sharing any|I switched to a new code base|Don't try and edit any existing code|# \d+ SEARCH\/REPLACE blocks? failed|I ran this command|I committed the changes|I updated the files|Ok\b.*\b(?:changes|edit)|UnifiedDiff\w+: |Attempting to apply|\n?# Fix any|The LLM did not conform)/;
const SWITCH = /^I switched to a new code base/;

/** Whether aider put a message of the user's into the prompt by itself. */
export function isHarnessMessage(text: string): boolean {
  return HARNESS_WORDS.test(text.slice(0, 400));
}

/** How many messages of a prompt are examples: all before the answer to the one that says they are over. */
export function exampleCount(messages: readonly HistoryMessage[]): number {
  const end = messages.findIndex(({ role, text }) => role === "USER" && SWITCH.test(text));
  if (end === -1) return 0;
  return messages[end + 1]?.role === "ASSISTANT" ? end + 2 : end + 1;
}

/** How the model is asked to write its edits, by the rules in the prompt; null when it is not to edit. */
export function askedFormat(request: ModelRequest): "blocks" | "whole" | "udiff" | null {
  const rules = [request.messages.find(({ role }) => role === "SYSTEM")?.text ?? "", lastMessage(request)?.text ?? ""];
  const says = (pattern: RegExp): boolean => rules.some((text) => pattern.test(text));
  if (says(/SEARCH\/REPLACE block/)) return "blocks";
  if (says(/\*file listing\*/)) return "whole";
  return says(/diff -U0|unified diff/) ? "udiff" : null;
}
