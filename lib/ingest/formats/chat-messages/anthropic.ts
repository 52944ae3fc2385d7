import { isObject, type JsonObject, type JsonValue, member, stringMember } from "../../safe-json";
import { mediaText, type Part, type ResultPart, unknownPart, unreadKeys } from "./parts";
import { exitCodeOf, readResultText } from "./result-facts";
import { readCall } from "./tools";

const KNOWN_KEYS: ReadonlySet<string> = new Set(["type", "text", "cache_control", "thinking", "signature", "data"]);

/**
 * A content block of Anthropic's Messages API, as parts; null when it is none that is known. Results of the server's own
 * tools (searches, code execution) stand in the agent's message and read like any other result.
 */
export function readBlock(block: JsonObject): Part[] | null {
  const type = stringMember(block, "type") ?? "";
  if (type === "text" && typeof block.text === "string") {
    return [{ kind: "text", text: block.text }, ...rest("text block", block)];
  }
  if (type === "thinking" && typeof block.thinking === "string") {
    return [{ kind: "thought", text: block.thinking }, ...rest("thinking block", block)];
  }
  if (type === "redacted_thinking") return [{ kind: "thought", text: "" }];
  if (type === "tool_use" || type === "server_tool_use" || type === "mcp_tool_use") {
    return [readCall(stringMember(block, "name") ?? "", stringMember(block, "id"), member(block, "input"))];
  }
  if (type === "tool_result" || (type.endsWith("_tool_result") && Object.hasOwn(block, "tool_use_id"))) {
    return [readResult(block)];
  }
  if (type === "image" || type === "document" || type === "container_upload") {
    return [{ kind: "media", text: mediaText(type, member(block, "source") ?? block) }];
  }
  if (type === "search_result") return [{ kind: "text", text: searchText(block) }];
  return null;
}

/** What a block says beside what is shown: citations, for example. */
function rest(what: string, block: JsonObject): Part[] {
  return unreadKeys(block, KNOWN_KEYS).map((key) =>
    unknownPart(`\`${key}\` of a ${what}`, { [key]: block[key] ?? null }),
  );
}

function readResult(block: JsonObject): ResultPart {
  const content = member(block, "content");
  const flagged = member(block, "is_error");
  const run = member(block, "type") === "tool_result" ? null : ofCodeExecution(content);
  const text = run?.text ?? resultContent(content);
  const failed = typeof member(content, "error_code") === "string" || flagged === true;
  const facts = readResultText(text, failed ? true : flagged === false ? false : null);
  const exitCode = run?.exitCode ?? facts.exitCode;
  const isError = facts.isError ?? (exitCode === null ? null : exitCode !== 0);
  return { kind: "result", callId: stringMember(block, "tool_use_id"), tool: null, ...facts, exitCode, isError };
}

/** The output of code that ran on the server. */
function ofCodeExecution(content: JsonValue | undefined): { text: string; exitCode: number | null } | null {
  if (!isObject(content) || typeof content.stdout !== "string") return null;
  const outputs = [content.stdout, stringMember(content, "stderr") ?? ""].filter((text) => text !== "");
  return { text: outputs.join("\n"), exitCode: exitCodeOf(content.return_code) };
}

/** The text of a result's content: a text, blocks of which the text is taken and media are named, or anything else. */
export function resultContent(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.map(blockText).join("\n");
}

function blockText(block: JsonValue): string {
  if (typeof block === "string") return block;
  const text = stringMember(block, "text");
  const type = stringMember(block, "type") ?? "";
  if (text !== null) return text;
  if (type === "image" || type === "document") return mediaText(type, member(block, "source"));
  if (type === "image_url" || type === "input_image") return mediaText("image", member(block, "image_url") ?? block);
  if (type === "input_file" || type === "file") return mediaText("file", member(block, "file") ?? block);
  const isFound = type === "search_result" || type === "web_search_result";
  return isObject(block) && isFound ? searchText(block) : JSON.stringify(block);
}

function searchText(block: JsonObject): string {
  const at = stringMember(block, "source") ?? stringMember(block, "url");
  const lines = [stringMember(block, "title"), at, resultContent(member(block, "content"))];
  return lines.filter((line) => line !== null && line !== "").join("\n");
}
