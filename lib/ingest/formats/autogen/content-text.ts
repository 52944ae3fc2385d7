import type { RawSpan } from "@/lib/trajectory/schema";
import type { NoteBook } from "../../notes";
import { isObject, type JsonValue, member, storable, stringMember } from "../../safe-json";

/** Only longer ones are taken out of a text: a short one may be what an agent writes about. */
const DATA_URI = /data:([\w.+-]{1,100}\/[\w.+-]{1,100});base64,[A-Za-z0-9+/=]{200,}/g;
const BASE64 = /^[A-Za-z0-9+/=\s]{64,}$/;

/** Turns contents into text; pictures are named and counted, parts of other kinds keep their JSON. */
export class ContentText {
  constructor(private readonly notes: NoteBook) {}

  /** The text of a content: a string, a list of parts, or an object. Nothing at all is an empty text. */
  of(content: JsonValue | undefined, at: RawSpan): string {
    if (content === undefined || content === null) return "";
    if (typeof content === "string") return this.plain(content, at);
    if (Array.isArray(content)) return content.map((part) => this.part(part, at)).join("\n");
    return this.part(content, at);
  }

  private part(part: JsonValue, at: RawSpan): string {
    if (typeof part === "string") return this.plain(part, at);
    const text = stringMember(part, "text");
    if (text !== null) return this.plain(text, at);
    const data = stringMember(part, "data");
    if (data !== null && BASE64.test(data.slice(0, 4_096))) return this.picture("picture", data.length, at);
    const image = member(part, "image_url");
    const url = typeof image === "string" ? image : stringMember(image, "url");
    if (url !== null) {
      const type = /^data:([\w.+-]{1,100}\/[\w.+-]{1,100})[;,]/.exec(url)?.[1];
      return type === undefined ? `[picture: ${url}]` : this.picture(type, url.length, at);
    }
    return isObject(part) || Array.isArray(part) ? storable(JSON.stringify(part, null, 2)) : String(part);
  }

  private plain(text: string, at: RawSpan): string {
    if (!text.includes(";base64,")) return text;
    return text.replace(DATA_URI, (uri, type: string) => this.picture(type, uri.length, at));
  }

  private picture(type: string, characters: number, at: RawSpan): string {
    this.notes.add("picture", "information", "Pictures, which the texts only name; the raw record holds them", at);
    return `[${type}: ${characters} characters]`;
  }
}
