import { IngestError } from "@/lib/errors";

const HEADER_BYTES = 100;
/** Kinds of b-tree pages (SQLite file format, section 1.6). */
const [INDEX_INTERIOR, TABLE_INTERIOR, INDEX_LEAF, TABLE_LEAF] = [2, 5, 10, 13];
const [CELL_COUNT, RIGHT_CHILD, CELL_POINTERS] = [3, 8, 12];

/**
 * Walks the pages of b-trees of an SQLite file, each at most once. SQLite itself follows pages that lead back to
 * themselves nearly without an end, and its own check evaluates expressions of the file.
 */
export class PageWalk {
  private readonly view: DataView;
  private readonly pageSize: number;
  private readonly seen: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const stated = bytes.length < HEADER_BYTES ? 0 : this.view.getUint16(16);
    // The format writes 65536 as 1.
    this.pageSize = stated === 1 ? 65_536 : stated;
    if (this.pageSize < 512) throw damaged("its header is cut or states no size of a page");
    this.seen = new Uint8Array(Math.floor(bytes.length / this.pageSize) + 1);
  }

  /** @throws IngestError `malformed` when a page of this tree is missing, no page of a tree, or met a second time. */
  check(root: number): void {
    const open = [root];
    for (let page = open.pop(); page !== undefined; page = open.pop()) {
      if (page < 1 || page >= this.seen.length) throw damaged(`page ${page} is not in the file`);
      if (this.seen[page] === 1) throw damaged(`page ${page} belongs to two places`);
      this.seen[page] = 1;
      for (const child of this.childrenOf(page)) open.push(child);
    }
  }

  private childrenOf(page: number): number[] {
    const start = (page - 1) * this.pageSize;
    const header = page === 1 ? start + HEADER_BYTES : start;
    const kind = this.view.getUint8(header);
    if (kind === TABLE_LEAF || kind === INDEX_LEAF) return [];
    if (kind !== TABLE_INTERIOR && kind !== INDEX_INTERIOR) throw damaged(`page ${page} belongs to no table`);
    const children: number[] = [];
    const cells = this.view.getUint16(header + CELL_COUNT);
    for (let n = 0; n < cells; n++) {
      const pointer = header + CELL_POINTERS + 2 * n;
      const cell = pointer + 2 <= start + this.pageSize ? this.view.getUint16(pointer) : this.pageSize;
      if (cell + 4 > this.pageSize) throw damaged(`page ${page} points beyond itself`);
      children.push(this.view.getUint32(start + cell));
    }
    children.push(this.view.getUint32(header + RIGHT_CHILD));
    return children;
  }
}

function damaged(what: string): IngestError {
  const at = { byte: 0, line: null, pointer: null };
  return new IngestError("malformed", `this SQLite database is damaged: ${what}`, at);
}
