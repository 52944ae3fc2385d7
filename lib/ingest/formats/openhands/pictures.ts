import type { RawSpan } from "@/lib/trajectory/schema";
import type { NoteBook } from "../../notes";
import { isObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";

/** Only longer ones are taken out of a text: a short one may be what an agent writes about. */
const DATA_URI = /data:([\w.+-]{1,100}\/[\w.+-]{1,100});base64,([A-Za-z0-9+/=]{200,})/g;
/** Members that hold a picture as base64 without saying so. */
const PICTURES = new Set(["screenshot", "set_of_marks", "screenshot_data"]);

/** Turns parts of events into text, and counts the pictures that it leaves out. */
export class TextReader {
  constructor(private readonly notes: NoteBook) {}

  /** A text without the data of pictures in it. */
  plain(text: string, at: RawSpan): string {
    if (!text.includes(";base64,")) return text;
    return text.replace(DATA_URI, (_, type: string, data: string) => this.picture(type, data.length, at));
  }

  /** The text of a content: a string, or parts of which pictures are named. Other parts keep their JSON. */
  content(given: JsonValue | undefined, at: RawSpan): string {
    if (given === undefined || given === null) return "";
    if (typeof given === "string") return this.plain(given, at);
    if (!Array.isArray(given)) return this.part(given, at);
    return given.map((part) => this.part(part, at)).join("\n");
  }

  /** A value as JSON, with pictures named. */
  json(value: JsonValue, at: RawSpan): string {
    return JSON.stringify(value, (key, held) => {
      if (typeof held !== "string") return held;
      const isData = PICTURES.has(key) && held.length >= 200 && !held.startsWith("data:");
      return isData ? this.picture("unknown type", held.length, at) : this.plain(held, at);
    });
  }

  /** Counts a picture and gives what stands for it. */
  picture(type: string, characters: number, at: RawSpan): string {
    const message = "Pictures, which the texts only name; the raw record holds them";
    this.notes.add("picture", "information", message, at);
    return `[picture: ${type}, ${characters} characters]`;
  }

  /** Names the pictures that stand beside the text of an observation. */
  beside(held: JsonValue | undefined, at: RawSpan): string[] {
    const named: string[] = [];
    for (const key of PICTURES) {
      const data = stringMember(held, key);
      if (data !== null && data !== "") named.push(data.startsWith("data:") ? this.uri(data, at) : this.data(data, at));
    }
    return [...named, ...listMember(held, "image_urls").map((url) => this.uri(url, at))];
  }

  private part(part: JsonValue, at: RawSpan): string {
    if (typeof part === "string") return this.plain(part, at);
    const text = stringMember(part, "text");
    if (text !== null) return this.plain(text, at);
    if (stringMember(part, "type") === "image" || isObject(member(part, "image_url"))) {
      const urls = listMember(part, "image_urls");
      const single = stringMember(member(part, "image_url"), "url");
      return [...urls, ...(single === null ? [] : [single])].map((url) => this.uri(url, at)).join("\n");
    }
    return this.json(part, at);
  }

  private uri(url: JsonValue, at: RawSpan): string {
    if (typeof url !== "string") return this.json(url, at);
    const type = /^data:([\w.+-]{1,100}\/[\w.+-]{1,100})[;,]/.exec(url)?.[1];
    return type === undefined ? `[picture: ${url}]` : this.picture(type, url.length, at);
  }

  private data(data: string, at: RawSpan): string {
    return this.picture("unknown type", data.length, at);
  }
}
