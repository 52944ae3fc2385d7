import { isCut, saysFailed } from "../../editor-answers";
import { callKindOf, splitEditorAction, toolOf } from "../../editor-commands";
import { fileViews } from "../../editor-views";
import { AGENT, type EntryWriter, plainResult } from "../../entries";
import type { NoteBook } from "../../notes";
import type { HistoryMessage } from "./messages";
import { saysMore } from "./steps";

/**
 * Adds turns from a history alone, as demonstration files have it: an assistant message is a turn, and what follows
 * until the next one are its results. A message that is neither is kept between turns.
 */
export function addHistoryTurns(
  writer: EntryWriter,
  messages: HistoryMessage[],
  notes: NoteBook,
  model: string | null,
): void {
  let open: {
    turn: ReturnType<EntryWriter["addTurn"]>;
    calls: { id: string; callId: string | null; tool: string; path: string | null }[];
  } | null = null;
  for (const message of messages) {
    const sourceSteps = [{ convention: "history", step: String(message.index) }];
    const raw = [message.raw];
    if (message.role === "assistant") {
      const turn = writer.addTurn({ agent: "main", sourceSteps, model });
      open = { turn, calls: addOrder(writer, turn, message, notes) };
      if (turn.items.length === 0) {
        const reason = "a message without words and action";
        writer.addItem(turn, { kind: "opaque", author: AGENT, raw, text: JSON.stringify(message.value), reason });
      }
      continue;
    }
    const isAnswer = message.role === "user" || message.role === "tool";
    if (!open || !isAnswer || (message.role === "user" && open.calls.length === 0)) {
      notes.add(
        "message_without_step",
        "information",
        "Messages of the history that belong to no step; kept between turns",
        message.raw,
      );
      const author = { role: "harness" as const, name: null };
      writer.addContext({
        contextKind: message.role === "" ? "opaque" : "injected",
        author,
        sourceSteps,
        raw,
        text: message.content,
      });
      continue;
    }
    const call =
      open.calls.find((other) => other.callId !== null && message.callIds.includes(other.callId)) ?? open.calls[0];
    const result = plainResult(message.content, raw, {
      author: { role: "tool", name: call?.tool ?? null },
      callItem: call?.id ?? null,
      callId: call?.callId ?? null,
      isError: saysFailed(message.content.replace(/^OBSERVATION:\s*/, "")),
      isCut: isCut(message.content),
      reads: fileViews(message.content, null, call?.path ? { path: call.path, isWhole: false } : null),
    });
    writer.addItem(open.turn, result);
    if (open.calls.length > 1) open.calls = open.calls.filter((other) => other !== call);
  }
}

function addOrder(
  writer: EntryWriter,
  turn: ReturnType<EntryWriter["addTurn"]>,
  message: HistoryMessage,
  notes: NoteBook,
): { id: string; callId: string | null; tool: string; path: string | null }[] {
  const raw = [message.raw];
  const block = lastBlock(message.content);
  const action = message.action ?? (message.calls.length === 0 ? (block?.text ?? null) : null);
  const thought =
    message.thought ?? (action !== null && message.calls.length === 0 ? message.content.slice(0, block?.start) : null);
  if (thought !== null && thought.trim() !== "")
    writer.addItem(turn, { kind: "thought", author: AGENT, raw, text: thought });
  if (message.content.trim() !== "" && saysMore(message.content, thought ?? "", action ?? "")) {
    writer.addItem(turn, { kind: "message", author: AGENT, raw, text: message.content });
  }
  if (message.calls.length > 0) {
    return message.calls.map((call) => {
      const command = typeof call.arguments?.command === "string" ? call.arguments.command : null;
      const text = message.calls.length === 1 && message.action ? message.action : call.text;
      const callKind = callKindOf(call.name, call.name === "bash" ? (command ?? text) : text, command);
      const given = { callKind, tool: call.name, callId: call.id, arguments: call.arguments, text };
      const item = writer.addItem(turn, { kind: "call", author: AGENT, raw, ...given });
      const path = typeof call.arguments?.path === "string" ? call.arguments.path : null;
      return { id: item.id, callId: call.id, tool: call.name, path };
    });
  }
  if (action === null || action.trim() === "") {
    notes.add(
      "format_error_step",
      "information",
      "Steps in which the agent gave no action that could be run",
      message.raw,
    );
    return [];
  }
  const args = splitEditorAction(action);
  const tool = toolOf(action);
  const callKind = callKindOf(tool, action, typeof args?.command === "string" ? args.command : null);
  const item = writer.addItem(turn, {
    kind: "call",
    author: AGENT,
    raw,
    callKind,
    tool,
    callId: null,
    arguments: args,
    text: action,
  });
  return [{ id: item.id, callId: null, tool, path: typeof args?.path === "string" ? args.path : null }];
}

/** The last fenced or marked block of a message, and where it starts. By plain search: patterns are slow on unclosed ones. */
function lastBlock(content: string): { text: string; start: number } | null {
  const fenceEnd = content.lastIndexOf("```");
  const fence = fenceEnd === -1 ? -1 : content.lastIndexOf("```", fenceEnd - 1);
  const line = fence === -1 ? -1 : content.indexOf("\n", fence);
  if (fence !== -1 && line !== -1 && line < fenceEnd) return { text: content.slice(line + 1, fenceEnd), start: fence };
  const end = content.lastIndexOf("</command>");
  const open = end === -1 ? -1 : content.lastIndexOf("<command>", end);
  if (open === -1) return null;
  return { text: content.slice(open + "<command>".length, end).replace(/^\n/, ""), start: open };
}
