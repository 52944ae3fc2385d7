import { type FolderFile, packFolder, packLogs } from "./folder-archive";

/** Folders that hold no traces and very many files. */
const NEVER_TRACES = new Set([".git", "node_modules"]);

/**
 * What a drop gives to upload: its files, a database with its log and each folder packed into one archive. Must be called inside the drop event:
 * the browser empties the transfer afterwards.
 */
export function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].flatMap((item) => {
    const entry = item.kind === "file" ? item.webkitGetAsEntry() : null;
    return entry === null ? [] : [entry];
  });
  if (entries.length === 0) return packLogs([...transfer.files]);
  return Promise.all(entries.map(uploadsOf)).then((lists) => packLogs(lists.flat()));
}

/** What a chosen folder gives to upload: the browser lists its files with their paths in it. */
export async function chosenFolder(files: readonly File[]): Promise<File[]> {
  const named = files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  const kept = named.filter(({ path }) => !path.split("/").some((part) => NEVER_TRACES.has(part)));
  return packFolder(named[0]?.path.split("/")[0] ?? "folder", kept);
}

async function uploadsOf(entry: FileSystemEntry): Promise<File[]> {
  const files = await filesOf(entry, entry.name);
  return isDirectory(entry) ? packFolder(entry.name, files) : files.map(({ file }) => file);
}

async function filesOf(entry: FileSystemEntry, path: string): Promise<FolderFile[]> {
  if (isFile(entry)) return [{ path, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) }];
  if (!isDirectory(entry)) return [];
  const reader = entry.createReader();
  const files: FolderFile[] = [];
  for (;;) {
    // A reader gives at most 100 entries at a time and an empty list at the end.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return files;
    for (const child of batch) {
      if (!NEVER_TRACES.has(child.name)) files.push(...(await filesOf(child, `${path}/${child.name}`)));
    }
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** Whether something dragged over the page holds files (and not a text selection or a link). */
export function holdsFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes("Files") ?? false;
}
