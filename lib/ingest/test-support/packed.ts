import { downloadZip } from "client-zip";
import { pack } from "tar-stream";

/** Files by their path in an archive. */
export type PackedFiles = Record<string, string | Uint8Array>;

/** The files as a tar, the same bytes each time. */
export async function tarOf(files: PackedFiles): Promise<Uint8Array> {
  const archive = pack();
  for (const [name, held] of Object.entries(files)) {
    archive.entry({ name, mtime: new Date(0) }, typeof held === "string" ? held : Buffer.from(held));
  }
  archive.finalize();
  const pieces: Uint8Array[] = [];
  for await (const piece of archive) if (piece instanceof Uint8Array) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

/** The files as a zip that stores them as they are, the same bytes each time. */
export async function zipOf(files: PackedFiles): Promise<Uint8Array> {
  const entries = Object.entries(files).map(([name, input]) => ({ name, input, lastModified: new Date(0) }));
  return new Uint8Array(await downloadZip(entries).arrayBuffer());
}
