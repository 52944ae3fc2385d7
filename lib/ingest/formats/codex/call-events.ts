import type { RecordedFile } from "@/lib/trajectory/schema";
import { isObject, type JsonObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";
import type { CodexLine } from "./lines";
import { durationOf, exitCodeOf, partText } from "./outputs";
import { type ReadCall, readCall } from "./tools";

/** What an event tells about a call that it begins or ends. */
export interface CallEvent {
  callId: string;
  /** The event tells how the call ended; otherwise that it began. */
  isEnd: boolean;
  /** The call as the event states it, for a call that no item holds. */
  call(): ReadCall;
  text: string;
  isError: boolean | null;
  exitCode: number | null;
  durationMs: number | null;
  /** Files that a patch changes; of its beginning only what it is going to do. */
  recorded: RecordedFile[];
}

/** Items of `item_completed` under the names of the events that they took the place of. */
const COMPLETED: ReadonlyMap<string, string> = new Map([
  ["CommandExecution", "exec_command_end"],
  ["FileChange", "patch_apply_end"],
  ["McpToolCall", "mcp_tool_call_end"],
  ["WebSearch", "web_search_end"],
  ["ImageView", "view_image_tool_call"],
  ["Extension", "web_search_end"],
]);

/** The event as versions before the newest wrote it: `item_completed` holds an item that once was an event. */
export function unwrapEvent(line: CodexLine): { type: string; payload: JsonObject } {
  const { item } = line.payload;
  const type = line.type === "item_completed" ? COMPLETED.get(stringMember(item, "type") ?? "") : undefined;
  if (type === undefined || !isObject(item)) return { type: line.type, payload: line.payload };
  return { type, payload: { ...item, call_id: item.id ?? null } };
}

/** Reads an event about a call; null for events about anything else. */
export function readCallEvent(line: CodexLine): CallEvent | null {
  const { type, payload } = unwrapEvent(line);
  const callId = stringMember(payload, "call_id") ?? stringMember(payload, "callId");
  const match = /^(exec_command|patch_apply|mcp_tool_call|web_search|image_generation|collab_\w+?)_(begin|end)$/.exec(
    type,
  );
  const [, name = type, moment = /_request$/.test(type) ? "begin" : "end"] = match ?? [];
  if (
    callId === null ||
    (match === null && !/^(?:view_image_tool_call|dynamic_tool_call_(?:request|response))$/.test(type))
  ) {
    return null;
  }
  const isEnd = moment === "end";
  return {
    callId,
    isEnd,
    call: () => callOf(name, payload),
    ...answerOf(name, payload),
    durationMs: durationOf(payload),
  };
}

function callOf(name: string, payload: JsonObject): ReadCall {
  const only = (...keys: string[]): JsonObject =>
    Object.fromEntries(keys.filter((key) => Object.hasOwn(payload, key)).map((key) => [key, payload[key] ?? null]));
  switch (name) {
    case "exec_command":
      return readCall("shell", { ...only("command"), ...(payload.cwd === undefined ? {} : { workdir: payload.cwd }) });
    case "patch_apply":
      return readCall("apply_patch", only("changes"));
    case "mcp_tool_call": {
      const asked = isObject(payload.invocation) ? payload.invocation : payload;
      const server = stringMember(asked, "server") ?? "";
      return readCall(`mcp__${server}__${stringMember(asked, "tool") ?? ""}`, asked.arguments);
    }
    case "web_search":
      return readCall("web_search", only("query", "action"));
    case "view_image_tool_call":
      return readCall("view_image", only("path"));
    case "image_generation":
      return readCall("image_generation", only("revised_prompt"));
    case "dynamic_tool_call_request":
    case "dynamic_tool_call_response":
      return readCall(stringMember(payload, "tool") ?? "", payload.arguments);
    default:
      return { ...readCall(name, only("prompt", "receiver_thread_id", "new_thread_id")), callKind: "delegate" };
  }
}

type Answer = Pick<CallEvent, "text" | "isError" | "exitCode" | "recorded">;

function answerOf(name: string, payload: JsonObject): Answer {
  const none: Answer = { text: "", isError: null, exitCode: null, recorded: [] };
  switch (name) {
    case "exec_command": {
      const exitCode = exitCodeOf(payload.exit_code);
      return { ...none, text: printed(payload), exitCode, isError: exitCode === null ? null : exitCode !== 0 };
    }
    case "patch_apply": {
      const { success, status } = payload;
      const isDone = typeof success === "boolean" ? success : status === "completed" ? true : null;
      const hasFailed = isDone === false || status === "failed" || status === "declined";
      const recorded = hasFailed ? [] : recordedFiles(payload.changes);
      return { ...none, text: printed(payload), isError: hasFailed ? true : isDone === true ? false : null, recorded };
    }
    case "mcp_tool_call": {
      const { result } = payload;
      const failure = member(result, "Err") ?? payload.error;
      if (failure !== undefined && failure !== null)
        return { ...none, text: stringMember(failure, "message") ?? asText(failure), isError: true };
      const held = member(result, "Ok") ?? result;
      const isError = member(held, "isError") ?? member(held, "is_error");
      return { ...none, text: contentText(held), isError: typeof isError === "boolean" ? isError : null };
    }
    case "web_search":
      return { ...none, text: listMember(payload, "results").map(foundText).join("\n\n") };
    case "dynamic_tool_call_response": {
      const text = listMember(payload, "content_items").map(partText).join("\n");
      return { ...none, text, isError: payload.success === false ? true : payload.success === true ? false : null };
    }
    case "image_generation":
      return { ...none, text: stringMember(payload, "status") ?? "" };
    default:
      return { ...none, text: payload.status === undefined ? "" : asText(payload.status) };
  }
}

function printed(payload: JsonObject): string {
  const whole = stringMember(payload, "aggregated_output");
  if (whole !== null) return whole;
  return ["stdout", "stderr"].map((key) => stringMember(payload, key) ?? "").join("");
}

/** The content of an answer of MCP as text. */
export function contentText(value: JsonValue | undefined): string {
  const parts = listMember(value, "content");
  return parts.length > 0 || value === undefined ? parts.map(partText).join("\n") : asText(value);
}

/** What a search found: its title, its address and a piece of it. */
function foundText(found: JsonValue): string {
  const lines = ["title", "url", "snippet"].flatMap((key) => stringMember(found, key) ?? []);
  return lines.length === 0 ? asText(found) : lines.join("\n");
}

/** What a review says: its judgement, why, and each finding with its title and text. */
export function reviewText(review: JsonObject): string {
  const judged = ["overall_correctness", "overall_explanation"].flatMap((key) => stringMember(review, key) ?? []);
  const findings = listMember(review, "findings").map((finding) =>
    ["title", "body"].flatMap((key) => stringMember(finding, key) ?? []).join("\n"),
  );
  return [...judged, ...findings].join("\n\n");
}

function asText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * The files that `changes` names with what became of them: `{"type": "update", ...}`, or `{"update": {...}}` in older
 * versions. A file that moves keeps its old name here: the patch is against what stood there.
 */
export function recordedFiles(changes: JsonValue | undefined): RecordedFile[] {
  if (!isObject(changes)) return [];
  return Object.entries(changes).flatMap(([path, given]): RecordedFile[] => {
    const { type, change } = changeOf(given);
    const content = stringMember(change, "content");
    const base = { path, before: null, after: null, existedBefore: null, patch: null, byPerson: false };
    if (type === "add" && content !== null) return [{ ...base, after: content }];
    if (type === "delete") return content === null ? [] : [{ ...base, before: content, existedBefore: true }];
    const patch = stringMember(change, "unified_diff");
    return type === "update" && patch !== null ? [{ ...base, existedBefore: true, patch }] : [];
  });
}

function changeOf(given: JsonValue): { type: string; change: JsonValue | undefined } {
  const type = stringMember(given, "type");
  if (type !== null) return { type, change: given };
  const [named] = isObject(given) ? Object.entries(given) : [];
  return { type: named?.[0] ?? "", change: named?.[1] };
}
