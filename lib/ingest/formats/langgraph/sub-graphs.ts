import { textOf } from "../../langchain/conversation";
import { readMessage } from "../../langchain/message";
import { stringMember } from "../../safe-json";
import type { Checkpoint } from "./checkpoint";
import type { MessageRecord, Replay } from "./replay";

/**
 * The identifier of the call that started a graph: its namespace names the task that it ran in, and what that task wrote
 * says which call it answers. Where a task answers several calls, or its writes are gone, the words that the graph begins
 * with tell. Null when neither does.
 */
export function callThatStarted(
  namespace: string,
  records: readonly MessageRecord[],
  outer: { checkpoints: readonly Checkpoint[]; replay: Replay },
): string | null {
  const task = (namespace.split("|").at(-1) ?? "").split(":").at(-1);
  const answered = outer.checkpoints.flatMap(({ writes }) =>
    writes.flatMap(({ taskId, channel, value }) =>
      taskId === task && channel === "messages" ? (Array.isArray(value) ? value : [value]) : [],
    ),
  );
  const ids = new Set(answered.flatMap((value) => readMessage(value)?.callId ?? []));
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return only;
  const first = records.find(({ message }) => message.kind === "human");
  if (first === undefined) return null;
  const words = textOf(first.message.content);
  const asked = outer.replay.records.flatMap(({ message }) =>
    message.calls.flatMap(({ id, arguments: given }) =>
      id !== null && stringMember(given ?? undefined, "description") === words && (ids.size === 0 || ids.has(id))
        ? [id]
        : [],
    ),
  );
  return asked.length === 1 ? (asked[0] ?? null) : null;
}
