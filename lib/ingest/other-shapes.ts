import { isObject, type JsonObject, type JsonValue, listMember, stringMember } from "./safe-json";

/** How a format that no adapter reads is recognised. */
export interface Shape {
  name: string;
  /** What was seen, in words. */
  reason: string;
  /** True for what many formats hold: that alone says nothing about whose it is. */
  isGeneric?: true;
  matches: (value: JsonObject) => boolean;
}

/** Whether an object has all the keys. */
export function has(value: JsonValue | undefined, ...keys: string[]): boolean {
  return isObject(value) && keys.every((key) => Object.hasOwn(value, key));
}

/** Whether a member is one of the texts. */
export function is(value: JsonObject, key: string, ...texts: string[]): boolean {
  const found = value[key];
  return typeof found === "string" && texts.includes(found);
}

/** Whether a member is a text that starts so. */
export function starts(value: JsonObject, key: string, prefix: string): boolean {
  return stringMember(value, key)?.startsWith(prefix) ?? false;
}

/** Whether one of the first elements of a list member passes. */
export function some(value: JsonObject, key: string, test: (element: JsonValue) => boolean): boolean {
  return listMember(value, key).slice(0, 20).some(test);
}

/** The beginnings of what a message says: its content, or the texts of its content's parts. */
export function texts(message: JsonObject): string[] {
  const { content } = message;
  const parts = Array.isArray(content) ? content.slice(0, 20).map((part) => stringMember(part, "text")) : [content];
  return parts.flatMap((text) => (typeof text === "string" ? [text.slice(0, 200)] : []));
}
