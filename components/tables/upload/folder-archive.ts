import { UPLOAD_MAX_BYTES } from "@/lib/catalogue/limits";

/** A file of a folder with its path in it, beginning with the folder's own name. */
export interface FolderFile {
  path: string;
  file: File;
}

/** What a zip adds to a file: its name twice, and headers. */
const ENTRY_BYTES = 200;

/** The time of every file of an archive, in whatever zone: the same folder gives the same bytes, and is known again. */
const NO_TIME = new Date(1980, 0, 1);

/**
 * A folder as one upload: its files belong together (the rounds of a task, a trace and its result). Its only file alone
 * stays as it is; and of a folder that is too large for one upload each file is one.
 */
export async function packFolder(name: string, files: readonly FolderFile[]): Promise<File[]> {
  const sizeBytes = files.reduce((sum, { path, file }) => sum + file.size + 2 * path.length + ENTRY_BYTES, 0);
  if (files.length < 2 || sizeBytes > UPLOAD_MAX_BYTES) return files.map(({ file }) => file);
  // Fetched when the first folder comes.
  const { downloadZip } = await import("client-zip");
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  return [new File([await downloadZip(entriesOf(sorted)).arrayBuffer()], `${name}.zip`)];
}

/** One file after the other, so that no more than one is held beside the archive. */
async function* entriesOf(
  files: readonly FolderFile[],
): AsyncGenerator<{ name: string; input: ArrayBuffer; lastModified: Date }> {
  for (const { path, file } of files) yield { name: path, input: await file.arrayBuffer(), lastModified: NO_TIME };
}
