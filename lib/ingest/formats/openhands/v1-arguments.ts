import { isObject, type JsonObject, type JsonValue, member, parseNestedJson, stringMember } from "../../safe-json";

/** A tool that is not named, by the class of its action: `FileEditorAction` is of `file_editor`. */
export function toolOf(action: JsonValue | undefined): string {
  const kind = stringMember(action, "kind")?.replace(/Action$/, "") ?? "";
  return kind === "" ? "unknown" : kind.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}

/**
 * The arguments of a call of the SDK: as the model gave them, and where the tool carried out other values, those. The text is the
 * arguments as written when they are no JSON object; `differs` says that a value was given that was not carried out.
 */
export function argumentsOf(
  toolCall: JsonValue | undefined,
  action: JsonValue | undefined,
): { given: JsonObject | null; text: string | null; differs: boolean } {
  const written = member(toolCall, "arguments");
  const parsed = typeof written === "string" ? parseNestedJson(written) : written;
  const done = isObject(action) && stringMember(action, "kind") !== "MCPToolAction" ? action : null;
  if (!isObject(parsed)) {
    const isWritten = typeof written === "string" && written.trim() !== "" && parsed === undefined;
    const carried = done === null ? member(action, "data") : carriedOut(done);
    return { given: isObject(carried) ? carried : null, text: isWritten ? written : null, differs: false };
  }
  let differs = false;
  let given = parsed;
  for (const [key, value] of done === null ? [] : Object.entries(done)) {
    if (!isCarriedOut(key, value)) continue;
    const isGiven = Object.hasOwn(parsed, key);
    if (isGiven && sameValue(parsed[key], value)) continue;
    // A value that the model did not give is the tool's own default.
    if (!isGiven && value === false) continue;
    differs ||= isGiven;
    // What the model gave stays as it is; in most calls nothing else was carried out.
    if (given === parsed) given = { ...parsed };
    Object.defineProperty(given, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return { given, text: null, differs };
}

/** What was carried out: the members of an action that are not empty, without the name of its class. */
function carriedOut(action: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(action).filter(([key, value]) => isCarriedOut(key, value)));
}

function isCarriedOut(key: string, value: JsonValue): boolean {
  return key !== "kind" && value !== null;
}

/** Whether two values are the same but for their type: numbers and lists come as text from some models. */
function sameValue(left: JsonValue | undefined, right: JsonValue): boolean {
  const plain = (value: JsonValue | undefined): string =>
    typeof value === "string" ? value : (JSON.stringify(value) ?? "").replace(/\s/g, "");
  return left === right || JSON.stringify(left) === JSON.stringify(right) || plain(left) === plain(right);
}
