import { readWrittenCalls } from "../../rows/function-text";
import {
  isObject,
  type JsonObject,
  type JsonValue,
  listMember,
  member,
  parseNestedJson,
  stringMember,
} from "../../safe-json";

/** A call that a message makes. */
export interface Call {
  tool: string;
  id: string | null;
  arguments: JsonObject | null;
  /** The call as it was written when it is text, or arguments that are no JSON object. */
  text: string | null;
}

/** A message of a row. */
export interface Message {
  role: string;
  /** Its words, without the calls that it writes between them. */
  text: string;
  thoughts: string[];
  calls: Call[];
  /** Content parts that are no text, with their source. */
  others: { what: string; text: string }[];
  callIds: string[];
  name: string | null;
  isDemonstration: boolean;
  /** Keys that hold something and are not read. */
  unread: string[];
}

const KNOWN: ReadonlySet<string> = new Set([
  ...["role", "content", "name", "tool_call_id", "tool_call_ids", "tool_calls", "function_call"],
  ...["reasoning_content", "reasoning", "thought", "action", "is_demo", "agent", "message_type", "thinking_blocks"],
  ...["cache_control", "type", "index"],
]);

/** Reads a message, whatever it is; of something that is no message the role is empty. */
export function readMessage(value: JsonValue): Message {
  const { text, others } = readContent(member(value, "content"));
  const role = (stringMember(value, "role") ?? "").toLowerCase();
  const written = role === "assistant" ? readWrittenCalls(text) : { words: text, calls: [] };
  const given = readCalls(value);
  const whole = written.calls.filter((call) => call.arguments !== null);
  const broken = written.calls.flatMap((call) =>
    call.arguments === null ? [{ what: "a call that breaks off", text: call.text }] : [],
  );
  const own = stringMember(value, "tool_call_id");
  const ids = listMember(value, "tool_call_ids").flatMap((id) => (typeof id === "string" ? [id] : []));
  return {
    role,
    text: given.length > 0 ? text : written.words,
    thoughts: thoughtsIn(value, text),
    calls:
      given.length > 0
        ? given
        : whole.map((call) => ({ tool: call.tool, id: null, arguments: call.arguments, text: null })),
    others: [...others, ...broken],
    callIds: own === null ? ids : [own],
    name: stringMember(value, "name"),
    isDemonstration: member(value, "is_demo") === true,
    unread: isObject(value) ? Object.keys(value).filter((key) => !KNOWN.has(key) && !isNothing(value[key])) : [],
  };
}

function readContent(content: JsonValue | undefined): Pick<Message, "text" | "others"> {
  if (typeof content === "string") return { text: content, others: [] };
  if (content === undefined || content === null) return { text: "", others: [] };
  const others: Message["others"] = [];
  const texts: string[] = [];
  for (const part of Array.isArray(content) ? content : [content]) {
    const text = typeof part === "string" ? part : stringMember(part, "text");
    if (text !== null) texts.push(text);
    else {
      const type = stringMember(part, "type") ?? "none";
      const isPicture = /^image/.test(type);
      const what = isPicture ? "a picture" : `a content part of type ${type.slice(0, 40)}`;
      others.push({ what, text: isPicture ? `[${type}]` : JSON.stringify(part) });
    }
  }
  return { text: texts.join("\n"), others };
}

/** Reasoning; SWE-agent's own `thought` only where it says something that the content does not. */
function thoughtsIn(value: JsonValue, text: string): string[] {
  const thoughts: string[] = [];
  for (const key of ["reasoning_content", "reasoning", "thought"]) {
    const thought = stringMember(value, key);
    if (thought !== null && thought.trim() !== "" && !text.includes(thought.trim())) thoughts.push(thought);
  }
  return thoughts.slice(0, 1);
}

function readCalls(value: JsonValue): Call[] {
  const held = member(value, "tool_calls");
  const list = typeof held === "string" ? parseNestedJson(held) : held;
  const calls = (Array.isArray(list) ? list : []).flatMap((call) => {
    const body = member(call, "function") ?? call;
    const tool = stringMember(body, "name");
    return tool === null ? [] : [{ tool, id: stringMember(call, "id"), ...readArguments(member(body, "arguments")) }];
  });
  const legacy = member(value, "function_call");
  const tool = stringMember(legacy, "name");
  if (calls.length > 0 || tool === null) return calls;
  return [{ tool, id: null, ...readArguments(member(legacy, "arguments")) }];
}

/** Arguments are JSON text or an object; text that is neither is kept as it was written. */
function readArguments(given: JsonValue | undefined): Pick<Call, "arguments" | "text"> {
  if (isObject(given)) return { arguments: given, text: null };
  if (given === undefined || given === null || given === "") return { arguments: {}, text: null };
  const parsed = typeof given === "string" ? parseNestedJson(given) : given;
  if (isObject(parsed)) return { arguments: parsed, text: null };
  return { arguments: null, text: typeof given === "string" ? given : JSON.stringify(given) };
}

function isNothing(held: JsonValue | undefined): boolean {
  if (held === null || held === undefined || held === "" || held === false) return true;
  return typeof held === "object" && Object.keys(held).length === 0;
}
