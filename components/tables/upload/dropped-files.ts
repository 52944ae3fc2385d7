/**
 * The files of a drop, those inside dropped folders included (depth first, in the order that the browser gives). Must be
 * called inside the drop event: the browser empties the transfer afterwards.
 */
export function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].flatMap((item) => {
    const entry = item.kind === "file" ? item.webkitGetAsEntry() : null;
    return entry === null ? [] : [entry];
  });
  if (entries.length === 0) return Promise.resolve([...transfer.files]);
  return Promise.all(entries.map(filesOf)).then((lists) => lists.flat());
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (isFile(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  if (!isDirectory(entry)) return [];
  const reader = entry.createReader();
  const files: File[] = [];
  for (;;) {
    // A reader gives at most 100 entries at a time and an empty list at the end.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return files;
    for (const child of batch) if (!child.name.startsWith(".")) files.push(...(await filesOf(child)));
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
