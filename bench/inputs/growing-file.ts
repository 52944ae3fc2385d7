/** The bytes of an input, which is made piece by piece until it is large enough. */
export class GrowingFile {
  private readonly pieces: Buffer[] = [];
  /** Bytes so far. */
  size = 0;

  /** Adds a text in UTF-8. */
  add(text: string): void {
    const bytes = Buffer.from(text);
    this.pieces.push(bytes);
    this.size += bytes.length;
  }

  /** Adds a value as one line of JSON Lines. */
  addLine(value: unknown): void {
    this.add(`${JSON.stringify(value)}\n`);
  }

  bytes(): Buffer {
    return Buffer.concat(this.pieces);
  }
}
