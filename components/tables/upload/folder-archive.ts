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

/** What SQLite adds to the name of a database for the files that it keeps beside it while it is used. */
const BESIDE_DATABASE = ["-wal", "-shm"];

/** Whether one of the files is a write-ahead log by its name, which `packLogs` puts to its database. */
export function holdLog(files: readonly File[]): boolean {
  return files.some(({ name }) => name.endsWith("-wal"));
}

/**
 * Files dropped together, with each database whose write-ahead log is among them packed into one archive with it: what was
 * written last may stand in the log only. Files whose names are there twice stay alone: whose log it is cannot be told.
 */
export async function packLogs(files: readonly File[]): Promise<File[]> {
  const named = new Map<string, File[]>();
  for (const file of files) named.set(file.name, [...(named.get(file.name) ?? []), file]);
  const uploads: File[] = [];
  const packed = new Set<File>();
  for (const file of files) {
    const group = [file, ...BESIDE_DATABASE.flatMap((ending) => named.get(file.name + ending) ?? [])];
    const isUnique = group.every(({ name }) => named.get(name)?.length === 1);
    if (!isUnique || !named.has(`${file.name}-wal`)) continue;
    uploads.push(
      ...(await packFolder(
        file.name,
        group.map((one) => ({ path: one.name, file: one })),
      )),
    );
    for (const one of group) packed.add(one);
  }
  return [...files.filter((file) => !packed.has(file)), ...uploads];
}

/** One file after the other, so that no more than one is held beside the archive. */
async function* entriesOf(
  files: readonly FolderFile[],
): AsyncGenerator<{ name: string; input: ArrayBuffer; lastModified: Date }> {
  for (const { path, file } of files) yield { name: path, input: await file.arrayBuffer(), lastModified: NO_TIME };
}
