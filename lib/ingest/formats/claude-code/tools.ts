import type { CallKind } from "@/lib/trajectory/schema";
import { type JsonValue, listMember, member, stringMember } from "../../safe-json";
import { shellCallKind } from "../../shell-kind";

const KINDS: ReadonlyMap<string, CallKind> = new Map<string, CallKind>([
  ["read", "read"],
  ["notebookread", "read"],
  ["ls", "read"],
  ["webfetch", "read"],
  ["write", "write"],
  ["edit", "write"],
  ["multiedit", "write"],
  ["notebookedit", "write"],
  ["grep", "search"],
  ["glob", "search"],
  ["websearch", "search"],
  ["web_search", "search"],
  ["toolsearch", "search"],
  ["bashoutput", "execute"],
  ["killbash", "execute"],
  ["killshell", "execute"],
  ["task", "delegate"],
  ["agent", "delegate"],
]);

/** What kind of call it is, by the tool's name; a shell command counts as what it does. */
export function callKindOf(tool: string, input: JsonValue | undefined): CallKind {
  const name = tool.toLowerCase();
  if (name === "bash") return shellCallKind(stringMember(input, "command") ?? "");
  return KINDS.get(name) ?? "other";
}

/** The plan that a call states: the entries of TodoWrite, or the text of ExitPlanMode. Null for other calls. */
export function planOf(tool: string, input: JsonValue | undefined): string | null {
  if (tool === "ExitPlanMode") return stringMember(input, "plan");
  if (tool !== "TodoWrite") return null;
  const lines = listMember(input, "todos").map((todo) => {
    if (typeof todo === "string") return `- ${todo}`;
    const content = stringMember(todo, "content") ?? JSON.stringify(todo);
    const status = stringMember(todo, "status");
    return status === null ? `- ${content}` : `- [${status}] ${content}`;
  });
  return lines.length > 0 ? lines.join("\n") : null;
}

/** The text of a result's content: a string, or blocks of which the text is taken and others are named. */
export function resultText(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined || content === null ? "" : JSON.stringify(content);
  return content.map(blockText).join("\n");
}

/** A block as text: pictures and documents are named with their type and size, anything else unknown keeps its JSON. */
export function blockText(block: JsonValue): string {
  if (typeof block === "string") return block;
  const text = stringMember(block, "text");
  if (text !== null) return text;
  const type = stringMember(block, "type");
  const source = member(block, "source");
  if (type === "image" || type === "document") {
    const size = stringMember(source, "data")?.length ?? 0;
    return `[${type}: ${stringMember(source, "media_type") ?? "unknown type"}, ${size} characters of base64]`;
  }
  return JSON.stringify(block);
}
