import type { NoteBook } from "../../notes";
import { isObject, type JsonObject, type JsonValue, listMember, member, storable, stringMember } from "../../safe-json";
import { callOf, callsOf, textOf } from "./content";
import type { CamelPiece, Origin, Row } from "./pieces";
import { isOpening, sideOf } from "./rules";

/** Whether values are the messages of a role play: one of the first has the rules of a side. */
export function isRolePlay(values: readonly JsonValue[]): boolean {
  return values.slice(0, 5).some((value) => sideOf(stringMember(value, "content") ?? "") !== null);
}

/** Whether a value is one round of a role play: what the user and the assistant said, and what was called. */
export function isRound(value: JsonValue): value is JsonObject {
  return isObject(value) && typeof value.user === "string" && typeof value.assistant === "string";
}

/**
 * Reads the messages of a conversation of OWL, which is one side's memory: `assistant` is what that side says, `user` what
 * it was told by the other. Both are agents.
 */
export function readConversation(rows: readonly Row[], notes: NoteBook): CamelPiece[] {
  const side = rows.map((row) => sideOf("value" in row ? (stringMember(row.value, "content") ?? "") : ""));
  const own = side.find((one) => one !== null) ?? "assistant";
  const other = own === "user" ? "assistant" : "user";
  return rows.map((row): CamelPiece => {
    const origin: Origin = { raw: row.raw, step: row.step, at: null };
    if ("text" in row) return { kind: "opaque", origin, code: "line_not_understood", text: row.text };
    const role = stringMember(row.value, "role");
    if (role === null || !isObject(row.value)) return unknownPiece(row.value, origin);
    const text = textOf(member(row.value, "content"), origin, notes);
    if (role === "system" || role === "developer") return { kind: "prompt", of: "system", origin, name: own, text };
    if (role === "tool" || role === "function") {
      const id = stringMember(row.value, "tool_call_id");
      return { kind: "answer", origin, id, tool: stringMember(row.value, "name"), text };
    }
    if (role === "user" && isOpening(text)) return { kind: "prompt", of: "injected", origin, name: null, text };
    const said = [text, textOf(member(row.value, "refusal"), origin, notes)].filter((part) => part !== "").join("\n");
    const reasoning = member(row.value, "reasoning") ?? member(row.value, "reasoning_content");
    const thought = textOf(reasoning, origin, notes);
    const name = role === "assistant" ? own : other;
    return { kind: "speech", origin, name, memory: null, text: said, thought, calls: callsOf(row.value) };
  });
}

/** Reads the rounds that OWL gives back of a role play: the user's words, then the assistant's with its calls before them. */
export function readRounds(rows: readonly Row[], notes: NoteBook): CamelPiece[] {
  return rows.flatMap((row): CamelPiece[] => {
    const origin: Origin = { raw: row.raw, step: row.step, at: null };
    if ("text" in row) return [{ kind: "opaque", origin, code: "line_not_understood", text: row.text }];
    if (!isRound(row.value)) return [unknownPiece(row.value, origin)];
    const said = (name: "user" | "assistant"): CamelPiece => ({
      kind: "speech",
      origin,
      name,
      memory: null,
      text: textOf(member(row.value, name), origin, notes),
      thought: "",
      calls: [],
    });
    const called = listMember(row.value, "tool_calls").filter(isObject);
    const pieces = called.flatMap((record): CamelPiece[] => {
      const [id, tool] = [stringMember(record, "tool_call_id"), stringMember(record, "tool_name")];
      const call = callOf(id, tool, member(record, "args"));
      const text = textOf(member(record, "result"), origin, notes);
      return [
        { kind: "speech", origin, name: "assistant", memory: null, text: "", thought: "", calls: [call] },
        { kind: "answer", origin, id, tool, text },
      ];
    });
    return [said("user"), ...pieces, said("assistant")];
  });
}

function unknownPiece(value: JsonValue, origin: Origin): CamelPiece {
  const text = storable(JSON.stringify(value, null, 2));
  return { kind: "opaque", origin, code: "message_not_understood", text };
}
