/** A text that was made from stored pieces, with what was masked in it (empty for an owner). */
export interface CachedText {
  text: string;
  /** Secret to mask, in the order in which they were met. */
  secrets: ReadonlyMap<string, string>;
}

/**
 * The texts used last, bounded by their characters. An import never changes and a share's key never changes, so an entry
 * is never stale; a new process (new secret rules) starts empty.
 */
export class TextCache {
  private readonly entries = new Map<string, CachedText>();
  private chars = 0;

  constructor(private readonly maxChars: number) {}

  /** The entry under `key`, made by `make` when it is not here. Texts over half of the bound are made but not kept. */
  async get(key: string, make: () => Promise<CachedText | null>): Promise<CachedText | null> {
    const known = this.entries.get(key);
    if (known !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, known);
      return known;
    }
    const made = await make();
    if (made !== null && made.text.length <= this.maxChars / 2) this.put(key, made);
    return made;
  }

  private put(key: string, made: CachedText): void {
    const previous = this.entries.get(key);
    if (previous !== undefined) this.chars -= previous.text.length;
    this.entries.set(key, made);
    this.chars += made.text.length;
    for (const [oldest, entry] of this.entries) {
      if (this.chars <= this.maxChars) break;
      this.entries.delete(oldest);
      this.chars -= entry.text.length;
    }
  }
}
