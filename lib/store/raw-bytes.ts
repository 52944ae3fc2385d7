import { pickFiles } from "@/lib/archive/pick-files";
import { UPLOAD_MAX_BYTES } from "@/lib/catalogue/limits";
import type { RawSpan } from "@/lib/trajectory/schema";
import { readRange, readWhole } from "./upload-bytes";

/** The stored bytes that records stand in: the upload's own, or those of the files of an archive, unpacked once. */
export class RawBytes {
  readonly #paths: ReadonlySet<string>;
  #files: Promise<Map<string, Uint8Array>> | null = null;

  /** @param spans all that will be asked for, so that an archive is gone through once */
  constructor(
    readonly uploadId: string,
    readonly sizeBytes: number,
    spans: readonly RawSpan[],
  ) {
    this.#paths = new Set(spans.flatMap(({ file }) => (file === undefined ? [] : [file])));
  }

  /**
   * Bytes from `start` to `end` (exclusive) of the upload, or of a file in it; null when the upload holds no such file.
   * @throws Error when the archive cannot be read, though it could when it was imported.
   */
  async read(file: string | undefined, start: number, end: number): Promise<Uint8Array | null> {
    if (file === undefined) return readRange(this.uploadId, this.sizeBytes, start, end);
    this.#files ??= readWhole(this.uploadId, this.sizeBytes).then((bytes) =>
      pickFiles(bytes, this.#paths, UPLOAD_MAX_BYTES),
    );
    return (await this.#files).get(file)?.subarray(start, end) ?? null;
  }
}
