import type { RawSpan } from "@/lib/trajectory/schema";
import { type JsonLayout, scanJson } from "../json-scan";

/** Says where the members of one object of an upload are, and the elements of lists in them. */
export class Places {
  private known: JsonLayout | null;

  /**
   * @param raw where the object is
   * @param layout the same for its parts when that is known already; else it is looked for when somebody asks
   */
  constructor(
    readonly raw: RawSpan,
    layout: JsonLayout | null,
    private readonly bytes: Uint8Array,
  ) {
    this.known = layout;
  }

  /** Where a member's value is. */
  member(key: string): RawSpan {
    return this.at(`/${escaped(key)}`, this.layout()?.members.get(key));
  }

  /** Where an element of a list is; where the member is when it is a text that holds the list. */
  element(key: string, index: number): RawSpan {
    const member = this.layout()?.members.get(key);
    const element = member?.elements[index];
    return element ? this.at(`/${escaped(key)}/${index}`, element) : this.at(`/${escaped(key)}`, member);
  }

  /** The places inside a member that is an object. */
  inside(key: string): Places {
    return new Places(this.member(key), null, this.bytes);
  }

  /** The places inside an element that is an object. */
  insideElement(key: string, index: number): Places {
    return new Places(this.element(key, index), null, this.bytes);
  }

  private at(path: string, span: { start: number; end: number } | undefined): RawSpan {
    const { line, pointer, file } = this.raw;
    const place = { line, pointer: `${pointer ?? ""}${path}`, start: span?.start ?? null, end: span?.end ?? null };
    return file === undefined ? place : { ...place, file };
  }

  private layout(): JsonLayout | null {
    if (this.known) return this.known;
    const { start, end } = this.raw;
    if (start === null || end === null) return null;
    this.known = scanJson(this.bytes, start, end, true, { unread: true, ascii: null }).layout;
    return this.known;
  }
}

/** A key as a part of a JSON pointer. */
function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
