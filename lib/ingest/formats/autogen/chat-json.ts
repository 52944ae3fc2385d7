import type { RawSpan } from "@/lib/trajectory/schema";
import type { NoteBook } from "../../notes";
import { isObject, type JsonObject, type JsonValue, listMember, member, storable, stringMember } from "../../safe-json";
import type { ContentText } from "./content-text";
import type { ChatMessage, OtherPiece, Piece, SuggestedCall, ToolAnswer } from "./pieces";
import { readArguments } from "./tools";

/** One row of a list of messages, or a line that is no JSON. */
export type Row = { raw: RawSpan; step: { convention: string; step: string } } & (
  | { value: JsonValue }
  | { text: string }
);

/** A row as a message of AutoGen 0.2; one that is no message stays as it is and is noted. */
export function readPiece(row: Row, texts: ContentText, notes: NoteBook): Piece {
  const message = "value" in row && isObject(row.value) ? readMessage(row.value, row.raw, row.step, texts) : null;
  if (message !== null) return message;
  const [code, text] =
    "text" in row
      ? ["line_not_understood", row.text]
      : ["message_not_understood", storable(JSON.stringify(row.value, null, 2))];
  notes.add(code, "not_understood", "Records that are not understood; kept as they stand", row.raw);
  const piece: OtherPiece = { kind: "opaque", text, raw: [row.raw], step: row.step };
  return piece;
}

function readMessage(
  value: JsonObject,
  raw: RawSpan,
  step: ChatMessage["step"],
  texts: ContentText,
): ChatMessage | null {
  const role = stringMember(value, "role");
  const isMessage =
    role !== null || ["content", "tool_calls", "tool_responses"].some((key) => Object.hasOwn(value, key));
  if (!isMessage) return null;
  const name = stringMember(value, "name");
  const content = texts.of(member(value, "content"), raw);
  const answers = answersOf(value, content, texts, raw);
  // The content of several answers is all of them again, and of one the answer itself.
  const isAnswer = answers.length > 0;
  return {
    kind: "message",
    // A function's answer carries the name of the function.
    author: role === "function" || name === null || name.trim() === "" ? null : name,
    role,
    text: isAnswer ? beyondAnswers(content, answers) : content,
    calls: callsOf(value),
    answers,
    ranCode: false,
    raw: [raw],
    step,
  };
}

function answersOf(value: JsonObject, content: string, texts: ContentText, at: RawSpan): ToolAnswer[] {
  const given = listMember(value, "tool_responses").filter(isObject);
  if (given.length > 0) {
    return given.map((answer) => ({
      id: stringMember(answer, "tool_call_id"),
      tool: stringMember(answer, "name"),
      text: texts.of(member(answer, "content"), at),
    }));
  }
  if (value.role === "tool") return [{ id: stringMember(value, "tool_call_id"), tool: null, text: content }];
  return value.role === "function" ? [{ id: null, tool: stringMember(value, "name"), text: content }] : [];
}

/** What a message says besides its answers; in most it is nothing. */
function beyondAnswers(content: string, answers: readonly ToolAnswer[]): string {
  const joined = answers.map(({ text }) => text).join("\n\n");
  // Versions in between put the identifier before each.
  const named = answers.map(({ id, text }) => `Tool Call Id: ${id ?? ""}\n${text}`).join("\n\n");
  return [joined, named].some((all) => all.trim() === content.trim()) ? "" : content;
}

function callsOf(value: JsonObject): SuggestedCall[] {
  const calls = listMember(value, "tool_calls").filter(isObject);
  const legacy = member(value, "function_call");
  return [
    ...calls.map((call) => suggested(stringMember(call, "id"), member(call, "function"))),
    ...(isObject(legacy) ? [suggested(null, legacy)] : []),
  ];
}

function suggested(id: string | null, called: JsonValue | undefined): SuggestedCall {
  return { id, tool: stringMember(called, "name") ?? "function", ...readArguments(member(called, "arguments")) };
}
