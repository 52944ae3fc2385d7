import { type CallItem, type Item, type ResultItem, type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import { ingest } from "../../ingest";
import { FIXTURES, readFixture } from "../../test-support/fixtures";

/** The trajectory of a fixture. */
export const load = (name: string): Trajectory =>
  ingest({ name, bytes: readFixture(`${FIXTURES}/codex/${name}`) }).trajectory;
/** The trajectory of lines: text stands as it is, anything else as its JSON. */
export const from = (...lines: unknown[]): Trajectory => {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  return ingest({ name: "x", bytes: new TextEncoder().encode(text) }).trajectory;
};
/** A line of the conversation with the model. */
export const item = (payload: object): unknown => ({
  timestamp: "2026-01-01T00:00:00Z",
  type: "response_item",
  payload,
});
/** A line of what the user interface was told. */
export const event = (payload: object): unknown => ({ timestamp: "2026-01-01T00:00:00Z", type: "event_msg", payload });
/** A call of a function, with arguments as JSON or as the text that they are. */
export const call = (call_id: string, name: string, args: unknown): unknown =>
  item({ type: "function_call", name, call_id, arguments: typeof args === "string" ? args : JSON.stringify(args) });
/** The output of a call. */
export const output = (call_id: string, text: unknown): unknown =>
  item({ type: "function_call_output", call_id, output: text });
/** A message with one part for each text. */
export const said = (role: string, ...texts: string[]): unknown =>
  item({ type: "message", role, content: texts.map((text) => ({ type: "input_text", text })) });
/** What the session has used so far, and what its last request did. */
export const tokens = (total: number, last: number): unknown =>
  event({
    type: "token_count",
    info: {
      total_token_usage: { input_tokens: total, cached_input_tokens: 0, output_tokens: 1 },
      last_token_usage: { input_tokens: last, cached_input_tokens: 0, output_tokens: 1 },
    },
  });
/** All items of all turns. */
export const allItems = (trajectory: Trajectory): Item[] => turnsOf(trajectory).flatMap((turn) => turn.items);
/** All calls. */
export const callsOf = (trajectory: Trajectory): CallItem[] =>
  allItems(trajectory).filter((one) => one.kind === "call");
/** All results. */
export const resultsOf = (trajectory: Trajectory): ResultItem[] =>
  allItems(trajectory).filter((one) => one.kind === "result");
/** How often each code was noted. */
export const noted = (trajectory: Trajectory): Record<string, number> =>
  Object.fromEntries(trajectory.notes.map((note) => [note.code, note.count]));
/** Kind and text of everything between turns. */
export const contexts = (trajectory: Trajectory): [string, string][] =>
  trajectory.entries.flatMap((entry) => (entry.kind === "context" ? [[entry.contextKind, entry.text]] : []));
