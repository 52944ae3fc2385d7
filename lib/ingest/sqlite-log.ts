/** The first four bytes of a write-ahead log; the last bit says in which order of bytes its sums were made. */
const MAGIC = [0x37, 0x7f, 0x06];
const VERSION = 3_007_000;
const [HEADER_BYTES, FRAME_HEADER_BYTES] = [32, 24];
/** Where the header says how large a page is, and where the salts stand. */
const [PAGE_SIZE, SALTS] = [8, 16];
const SALT_BYTES = 8;

/** True for bytes that begin as the write-ahead log of an SQLite database does. */
export function isLog(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, n) => bytes[n] === byte) && (bytes[3] === 0x82 || bytes[3] === 0x83);
}

/**
 * The database as SQLite itself would find it beside its write-ahead log: each page as the last finished transaction in
 * the log left it. What follows that, begun but not finished or left over from before the log was last emptied, counts
 * for nothing, as there (SQLite file format, section 4).
 * @returns a new array of at most the bytes of both, or null when the log is none of this file, or damaged at its head.
 */
export function withLog(file: Uint8Array, log: Uint8Array): Uint8Array | null {
  const header = readHeader(log);
  if (header === null || header.pageSize !== pageSizeOf(file)) return null;
  const { pageSize } = header;
  const pages = new Map<number, Uint8Array>();
  let waiting: Frame[] = [];
  let count = Math.floor(file.length / pageSize);
  for (const frame of validFrames(log, header)) {
    waiting.push(frame);
    if (frame.pagesAfter === 0) continue;
    // Each page of the database stands in the file or in the log: a larger one is made up.
    if (frame.pagesAfter * pageSize > file.length + log.length) return null;
    for (const { page, content } of waiting) pages.set(page, content);
    waiting = [];
    count = frame.pagesAfter;
  }
  const merged = new Uint8Array(count * pageSize);
  merged.set(file.subarray(0, merged.length));
  for (const [page, content] of pages) if (page <= count) merged.set(content, (page - 1) * pageSize);
  return merged;
}

function pageSizeOf(file: Uint8Array): number {
  // The format writes 65536 as 1.
  const stated = ((file[16] ?? 0) << 8) | (file[17] ?? 0);
  return stated === 1 ? 65_536 : stated;
}

interface Header {
  view: DataView;
  pageSize: number;
  /** As it stands behind the header; the first frame goes on from there. */
  sum: Sum;
}

/** The header of a log; null when its sum is not right, or it says what no log says. */
function readHeader(log: Uint8Array): Header | null {
  if (log.length < HEADER_BYTES || !isLog(log)) return null;
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const pageSize = view.getUint32(PAGE_SIZE);
  const isPageSize = pageSize >= 512 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0;
  if (view.getUint32(4) !== VERSION || !isPageSize) return null;
  const sum = new Sum(view, view.getUint32(0) % 2 === 0);
  sum.add(0, HEADER_BYTES - 8);
  return sum.is(HEADER_BYTES - 8) ? { view, pageSize, sum } : null;
}

interface Frame {
  /** Counted from 1. */
  page: number;
  content: Uint8Array;
  /** How many pages the database has, after the frame that ends a transaction; 0 in all others. */
  pagesAfter: number;
}

/** The frames of a log in order, up to the first of which the salts or the sum are not right. */
function* validFrames(log: Uint8Array, { view, pageSize, sum }: Header): Generator<Frame> {
  const size = FRAME_HEADER_BYTES + pageSize;
  for (let at = HEADER_BYTES; at + size <= log.length; at += size) {
    for (let n = 0; n < SALT_BYTES; n++) if (log[at + 8 + n] !== log[SALTS + n]) return;
    sum.add(at, 8);
    sum.add(at + FRAME_HEADER_BYTES, pageSize);
    const page = view.getUint32(at);
    if (page === 0 || !sum.is(at + 16)) return;
    yield { page, content: log.subarray(at + FRAME_HEADER_BYTES, at + size), pagesAfter: view.getUint32(at + 4) };
  }
}

/** The running sum of a log: two numbers of 32 bits, which go on from the header through all frames. */
class Sum {
  private first = 0;
  private second = 0;

  constructor(
    private readonly view: DataView,
    private readonly isLittle: boolean,
  ) {}

  add(start: number, length: number): void {
    const { view, isLittle } = this;
    for (let at = start; at < start + length; at += 8) {
      this.first = (this.first + view.getUint32(at, isLittle) + this.second) >>> 0;
      this.second = (this.second + view.getUint32(at + 4, isLittle) + this.first) >>> 0;
    }
  }

  /** Whether the two numbers at a place are these. They always stand there with the high byte first. */
  is(at: number): boolean {
    return this.view.getUint32(at) === this.first && this.view.getUint32(at + 4) === this.second;
  }
}
