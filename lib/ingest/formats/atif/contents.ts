import { isObject, type JsonValue, stringMember } from "../../safe-json";

/** A text of the format: a string, or parts of which those that are no text are named. */
export interface Content {
  text: string;
  /** Kinds of parts that are not shown. */
  media: string[];
}

/** Reads a message or the content of a result: a text, a list of parts, or nothing. */
export function readContent(content: JsonValue | undefined): Content {
  if (content === undefined || content === null) return { text: "", media: [] };
  if (typeof content === "string") return { text: content, media: [] };
  const media: string[] = [];
  const texts = (Array.isArray(content) ? content : [content]).map((part) => {
    const text = typeof part === "string" ? part : stringMember(part, "text");
    if (text !== null) return text;
    const type = stringMember(part, "type") ?? "unknown";
    media.push(type);
    const source = isObject(part) ? part.source : undefined;
    const about = [stringMember(source, "media_type"), stringMember(source, "path")].filter((one) => one !== null);
    if (type === "image" || about.length > 0) return `[${[type, ...about].join(", ")}]`;
    return JSON.stringify(part);
  });
  return { text: texts.join("\n"), media };
}
