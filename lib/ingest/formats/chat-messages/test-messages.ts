import {
  type CallItem,
  type ContextItem,
  type Item,
  type ResultItem,
  type Trajectory,
  turnsOf,
} from "@/lib/trajectory/schema";
import { ingest } from "../../ingest";

/** Values as the bytes of one JSON document. */
export const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
/** Values as the bytes of JSON Lines. */
export const encodeLines = (values: unknown[]): Uint8Array =>
  new TextEncoder().encode(values.map((value) => JSON.stringify(value)).join("\n"));
/** Imports one document. */
export const read = (value: unknown): Trajectory => ingest({ name: "x", bytes: encode(value) }).trajectory;
/** Imports JSON Lines. */
export const readLines = (...values: unknown[]): Trajectory =>
  ingest({ name: "x", bytes: encodeLines(values) }).trajectory;

export const task = { role: "user", content: "Do it." };

/** A call as OpenAI's messages hold it. */
export const call = (id: string | undefined, name: string, args: unknown): object => ({
  ...(id === undefined ? {} : { id }),
  type: "function",
  function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
});
/** A message of the agent that calls. */
export const calls = (...list: unknown[]): object => ({ role: "assistant", content: null, tool_calls: list });
/** A message that answers a call. */
export const answer = (id: string | undefined, content: unknown, more: object = {}): object => ({
  role: "tool",
  ...(id === undefined ? {} : { tool_call_id: id }),
  content,
  ...more,
});

export const itemsOf = (trajectory: Trajectory): Item[] => turnsOf(trajectory).flatMap((turn) => turn.items);
export const callsOf = (trajectory: Trajectory): CallItem[] =>
  itemsOf(trajectory).filter((item) => item.kind === "call");
export const resultsOf = (trajectory: Trajectory): ResultItem[] =>
  itemsOf(trajectory).filter((item) => item.kind === "result");
export const contextOf = (trajectory: Trajectory): ContextItem[] =>
  trajectory.entries.filter((entry) => entry.kind === "context");
/** What stands between turns, in words. */
export const told = (trajectory: Trajectory): string[] =>
  contextOf(trajectory).map(({ contextKind, author, text }) => `${contextKind}/${author.role}: ${text}`);
export const countOf = (trajectory: Trajectory, code: string): number =>
  trajectory.notes.find((note) => note.code === code)?.count ?? 0;
/** Each call with the texts that answer it, in order. */
export const paired = (trajectory: Trajectory): string[] =>
  callsOf(trajectory).map(({ id, arguments: given, text }) => {
    const answers = resultsOf(trajectory).filter((result) => result.callItem === id);
    return `${text ?? given?.command ?? given?.path}: ${answers.map((result) => result.text).join(", ")}`;
  });
