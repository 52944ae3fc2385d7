import type { Sniff } from "../../adapter";
import type { Content } from "../../content";

const START = /^# aider chat started at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\s*$/m;
const CALL = /^TO LLM \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\s*\n-{7}\s*\n(?:SYSTEM|USER|ASSISTANT) /m;
const ANSWER = /^LLM RESPONSE \d{4}-\d\d-\d\dT/m;
const PUBLISHED = /^<div class="chat-transcript"/m;
/** Lines that only aider writes. */
const OWN =
  /^> (?:Aider v\d|\$ aider\b|Applied edit to |Did not apply edit to |Tokens: .* sent, |Commit [0-9a-f]{6,40} |\^C again to exit|Repo-map: |Main model: .* edit format)/m;
const PERSON = /^#### \S/m;
const BLOCK = /^<{5,9} (?:SEARCH|ORIGINAL)\s*$/m;

/** Whether a text is a history that aider wrote, by the first 64 kB and by where the first session starts. */
export function sniffAider(content: Content): Sniff {
  if (content.kind !== "text") return { score: 0, reason: "no text" };
  const { head } = content;
  if (CALL.test(head)) return { score: 0.95, reason: "`TO LLM` with a time, and messages by role" };
  if (ANSWER.test(head)) return { score: 0.6, reason: "`LLM RESPONSE` with a time" };
  if (START.test(head)) return { score: 0.95, reason: "a line `# aider chat started at`" };
  const isOwn = OWN.test(head);
  if (PUBLISHED.test(head) && PERSON.test(head)) {
    return { score: isOwn ? 0.9 : 0.7, reason: "chat transcripts as aider's site shows them" };
  }
  if (isOwn && (PERSON.test(head) || BLOCK.test(head))) {
    return { score: 0.8, reason: "lines of aider beside a person's or the assistant's" };
  }
  return { score: 0, reason: "none of aider's headings and quoted lines" };
}

/** Whether a text is the history of requests to the model. */
export function isRequestHistory(head: string): boolean {
  return CALL.test(head) || (ANSWER.test(head) && !START.test(head));
}
