import type { NoteBook } from "../../notes";
import { isObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";
import { contentText } from "./agent-message";
import { type Message, repliedMessage } from "./messages";

/** Fields of a message that are read, or known to say nothing about the run. */
const FIELDS = new Set([
  "role",
  "content",
  "extra",
  "tool_calls",
  "tool_call_id",
  "function_call",
  "reasoning_content",
  "reasoning",
  "thinking_blocks",
  "timestamp",
  "name",
  "type",
]);
/** Fields of a reply of the Responses API and its answers, which are messages themselves. */
const REPLY_FIELDS = new Set(["output", "object", "id", "call_id", "model", "usage", "created_at", "status"]);
const EXTRA_FIELDS = new Set([
  "actions",
  "response",
  "model_response",
  "cost",
  "timestamp",
  "raw_output",
  "returncode",
  "exception_info",
  "exception",
  "exception_type",
  "exit_status",
  "submission",
  "traceback",
  "exception_str",
  "interrupt_type",
  "n_actions",
]);

/** Notes what of a message only the raw record shows: fields that are not known and hold something, pictures, signatures. */
export function noteFields(message: Message, notes: NoteBook): void {
  for (const list of PART_LISTS) noteParts(message, list, notes);
  const { value, extra } = message;
  const isReply = Array.isArray(value.output) || value.type === "function_call_output";
  for (const key of Object.keys(value)) {
    if (FIELDS.has(key) || (isReply && REPLY_FIELDS.has(key))) continue;
    const held = value[key] ?? null;
    if (isEmpty(held)) continue;
    // What a provider adds usually says the reasoning again.
    if (key === "provider_specific_fields" && repeatsOnly(held, value)) continue;
    noteField(message, key, pointerKey(key), notes);
  }
  if (!isObject(extra)) return;
  for (const key of Object.keys(extra)) {
    if (EXTRA_FIELDS.has(key) || isEmpty(extra[key] ?? null)) continue;
    noteField(message, key, `extra/${pointerKey(key)}`, notes);
  }
}

function noteField({ raw }: Message, key: string, path: string, notes: NoteBook): void {
  const words = `Fields of messages that only the raw record shows, such as \`${key}\``;
  notes.add("field_not_understood", "not_understood", words, { ...raw, pointer: `${raw.pointer}/${path}` });
}

/** Members of a message that may be lists of parts. */
const PART_LISTS = ["content", "thinking_blocks", "output"];

/** Members of blocks that are no text of the agent's: pictures, and what a provider signs or hides of the reasoning. */
const LEFT_OUT = ["image_url", "signature", "encrypted_content", "data"];

function noteParts({ value, raw }: Message, list: string, notes: NoteBook): void {
  const parts = member(value, list);
  if (!Array.isArray(parts)) return;
  for (const [n, block] of parts.entries()) {
    if (!LEFT_OUT.some((key) => !isEmpty(member(block, key) ?? null))) continue;
    const words = "Pictures, and signed or hidden parts of the reasoning; the raw record holds them";
    notes.add("part_left_out", "information", words, { ...raw, pointer: `${raw.pointer}/${list}/${n}` });
  }
}

/** Notes that a reply repeats its message, which is read once; where it does not, the raw record has both. */
export function noteReply(message: Message, notes: NoteBook): void {
  const replied = repliedMessage(member(message.extra, "response"));
  if (replied === undefined) return;
  const words = "Messages beside which the model's whole reply is kept; it is left out, its tokens are read";
  notes.add("repeated_reply", "information", words, message.raw);
  const isOwn = stringMember(message.extra, "interrupt_type") === null;
  const isSame =
    contentText(member(replied, "content")) === contentText(member(message.value, "content")) &&
    isSameCalls(listMember(replied, "tool_calls"), listMember(message.value, "tool_calls"));
  if (isOwn && !isSame) {
    const differs = "Replies that differ from the message beside them; the message is shown, the raw record has both";
    notes.add("reply_differs", "information", differs, message.raw);
  }
}

function isSameCalls(one: JsonValue[], other: JsonValue[]): boolean {
  return (
    one.length === other.length &&
    one.every((call, n) => isSameCall(member(call, "function"), member(other[n], "function")))
  );
}

function isSameCall(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return member(one, "name") === member(other, "name") && member(one, "arguments") === member(other, "arguments");
}

function repeatsOnly(held: JsonValue, message: JsonValue): boolean {
  return (
    isObject(held) && Object.entries(held).every(([key, value]) => isEmpty(value) || value === member(message, key))
  );
}

/** True for a value that says nothing: null, "", false, 0 characters, an empty list or object. */
export function isEmpty(value: JsonValue): boolean {
  if (value === null || value === "" || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** A key as a JSON pointer writes it (RFC 6901). */
export function pointerKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
