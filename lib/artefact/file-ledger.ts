import { ABSENT, applyChange, UNKNOWN } from "./known-content";
import type { ContentChange, FileHistory, FileVersion, KnownContent } from "./model";

/** Texts longer than this are not kept for every version but made again from splices when they are asked for. */
const KEPT_CHARS = 4_096;
/** Of long texts, every so many versions one is kept, which bounds the work of making one again. */
const KEEP_EVERY = 32;

/**
 * The life of one file while it is being told. It knows the newest content and keeps the older ones in little memory:
 * 2,000 versions of 200 kB would be 400 MB as texts.
 */
export class FileLedger implements FileHistory {
  readonly aliases: string[] = [];
  readonly versions: FileVersion[] = [];
  /** The versions that the editing tool can go back to, newest last; null where there was none. */
  readonly undo: (number | null)[] = [];
  current: KnownContent = UNKNOWN;
  /** Whether something of the run wrote here, or may have. */
  written = false;
  /** What stashes of the run hold of this file, by the stash's number. */
  readonly stashed = new Map<number, KnownContent>();
  #base: KnownContent | null = null;
  readonly #kept: KnownContent[] = [];
  #latest: { n: number; content: KnownContent } | null = null;

  constructor(readonly path: string) {}

  /** What the file held before the run first wrote to it, as far as that is known. */
  get base(): KnownContent {
    return this.#base ?? this.current;
  }

  /** Marks the first write; later ones change nothing. `isNew`: there was no such file before. */
  beginWriting(isNew: boolean): void {
    if (!this.written) this.#base = isNew ? ABSENT : this.current;
    this.written = true;
  }

  /** Adds a version and returns its number. A change must lead from the newest content to the given one. */
  add(
    version: Omit<FileVersion, "n" | "content" | "change">,
    content: KnownContent,
    change: ContentChange | null,
  ): number {
    const n = this.versions.length;
    const keeps = change === null || n === 0 || n % KEEP_EVERY === 0 || sizeOf(content, KEPT_CHARS) <= KEPT_CHARS;
    if (keeps) this.#kept[n] = content;
    this.current = content;
    this.versions.push({
      ...version,
      n,
      content: keeps ? content : this.#later(n, content.kind),
      change: n === 0 ? null : change,
    });
    return n;
  }

  /** A content that looks like any other and is made when one of its fields is read. */
  #later(n: number, kind: KnownContent["kind"]): KnownContent {
    const make = (): KnownContent => this.#contentAt(n);
    if (kind === "whole") {
      return {
        kind,
        get text() {
          const content = make();
          return content.kind === "whole" ? content.text : "";
        },
      };
    }
    return {
      kind: "partial",
      get ranges() {
        const content = make();
        return content.kind === "partial" ? content.ranges : [];
      },
      get totalLines() {
        const content = make();
        return content.kind === "partial" ? content.totalLines : null;
      },
    };
  }

  #contentAt(n: number): KnownContent {
    let first = n;
    while (first > 0 && this.#kept[first] === undefined && this.#latest?.n !== first) first -= 1;
    let content = this.#kept[first] ?? (this.#latest?.n === first ? this.#latest.content : UNKNOWN);
    for (let index = first + 1; index <= n; index += 1) {
      const change = this.versions[index]?.change;
      if (change != null) content = applyChange(content, change);
    }
    this.#latest = { n, content };
    return content;
  }
}

/** The characters of a content, counted no further than is needed to know that they are more than the limit. */
function sizeOf(content: KnownContent, limit: number): number {
  if (content.kind === "whole") return content.text.length;
  if (content.kind !== "partial") return 0;
  let size = 0;
  for (const range of content.ranges) {
    for (const line of range.lines) {
      size += line.length;
      if (size > limit) return size;
    }
  }
  return size;
}
