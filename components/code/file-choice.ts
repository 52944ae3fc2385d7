import type { FileRow, RunView } from "@/lib/views/run";
import type { TurnView, WriteView } from "@/lib/views/turn";

/** A tab of the code pane. */
export interface FileTab {
  file: number;
  display: string;
  /** The last part of the path, with its folder where two tabs would look the same. */
  name: string;
  addedLines: number | null;
  removedLines: number | null;
  /** `write`, `refused`, `opaque` or `read`; `other` for a file that the turn does not touch. */
  role: "write" | "refused" | "opaque" | "read" | "other";
  isScratch: boolean;
}

const baseName = (path: string) => path.split("/").at(-1) || path;
const withFolder = (path: string) => path.split("/").slice(-2).join("/");

function roleOf(writes: readonly WriteView[]): FileTab["role"] {
  if (writes.some((write) => write.status === "applied" || write.status === "assumed")) return "write";
  return writes.some((write) => write.status === "opaque") ? "opaque" : "refused";
}

function total(writes: readonly WriteView[], key: "addedLines" | "removedLines"): number | null {
  const known = writes.filter((write) => write.status === "applied" || write.status === "assumed");
  if (known.length === 0 || known.some((write) => write[key] === null)) return null;
  return known.reduce((sum, write) => sum + (write[key] ?? 0), 0);
}

/**
 * The files of a turn: `lead`, the one that is asked about, when the turn touches it; what the turn wrote, delivered files
 * first; then what it read; and the open file when it is neither.
 */
export function fileTabs(
  turn: TurnView | null,
  files: readonly FileRow[],
  open: number | null,
  lead: number | null = null,
): FileTab[] {
  const tabs: Omit<FileTab, "name">[] = [];
  const byFile = new Map<number, WriteView[]>();
  for (const write of turn?.writes ?? []) byFile.set(write.file, [...(byFile.get(write.file) ?? []), write]);
  for (const [file, writes] of byFile) {
    tabs.push({
      file,
      display: writes[0]?.display ?? "",
      addedLines: total(writes, "addedLines"),
      removedLines: total(writes, "removedLines"),
      role: roleOf(writes),
      isScratch: writes.every((write) => write.isScratch),
    });
  }
  const order = ["write", "opaque", "refused", "read", "other"];
  tabs.sort((a, b) => order.indexOf(a.role) - order.indexOf(b.role) || Number(a.isScratch) - Number(b.isScratch));
  const plain = { addedLines: null, removedLines: null, isScratch: false };
  for (const read of turn?.reads ?? []) {
    if (!tabs.some((tab) => tab.file === read.file)) {
      tabs.push({ ...plain, file: read.file, display: read.display, role: "read" });
    }
  }
  if (open !== null && !tabs.some((tab) => tab.file === open)) {
    const row = files.find((each) => each.n === open);
    if (row) tabs.push({ ...plain, file: open, display: row.display, role: "other", isScratch: row.isScratch });
  }
  tabs.sort((a, b) => Number(b.file === lead) - Number(a.file === lead));
  const names = tabs.map((tab) => baseName(tab.display));
  return tabs.map((tab, i) => {
    const isShared = names.filter((name) => name === names[i]).length > 1;
    return { ...tab, name: isShared ? withFolder(tab.display) : (names[i] ?? tab.display) };
  });
}

/** The file that an address names, by its shown name or its path. */
export function namedFile(files: readonly FileRow[], name: string | null): FileRow | null {
  if (name === null) return null;
  return files.find((file) => file.display === name) ?? files.find((file) => file.path === name) ?? null;
}

/**
 * The file of a turn that is asked about: the one that the quoted call wrote, else the one that the verdict points to at
 * this turn; null when the turn touches neither.
 */
export function leadFile(
  run: Pick<RunView, "files" | "verdict">,
  turn: TurnView | null,
  item: string | null,
): number | null {
  if (turn === null) return null;
  const quoted = item === null ? [] : turn.writes.filter((write) => write.item === item);
  const delivered = quoted.find((write) => !write.isScratch) ?? quoted[0];
  if (delivered) return delivered.file;
  for (const candidate of run.verdict?.candidates ?? []) {
    if (candidate.turn !== turn.index || candidate.file === null) continue;
    const touched = [...turn.writes, ...turn.reads].find(
      (each) => each.path === candidate.file || each.display === candidate.file,
    );
    if (touched) return touched.file;
  }
  return null;
}

/**
 * The file to open at a turn: the one that the address names; else the one that is asked about; else the first that the
 * turn wrote or read, delivered files before scratch; else the file that the verdict is about; else the first file that
 * the run wrote and that is not its own scratch.
 */
export function chooseFile(
  run: Pick<RunView, "files" | "verdict">,
  turn: TurnView | null,
  name: string | null,
  item: string | null = null,
): number | null {
  const named = namedFile(run.files, name);
  if (named) return named.n;
  const first = leadFile(run, turn, item) ?? fileTabs(turn, run.files, null)[0]?.file;
  if (first !== undefined) return first;
  const judged = run.verdict?.candidates.find((candidate) => candidate.file !== null)?.file ?? null;
  const about = run.files.find((file) => file.path === judged || file.display === judged);
  const written = run.files.find((file) => file.writeCount > 0 && !file.isScratch);
  return (about ?? written ?? run.files.find((file) => file.writeCount > 0) ?? run.files[0])?.n ?? null;
}

/** How an address names a file: by its short name when that is clear. */
export function fileAddress(files: readonly FileRow[], file: number): string | null {
  const row = files.find((each) => each.n === file);
  if (!row) return null;
  return files.find((each) => each.display === row.display)?.n === file ? row.display : row.path;
}

/** The line of a file that the verdict points to at a turn, when it does. */
export function verdictLine(run: Pick<RunView, "files" | "verdict">, turn: number, file: number): number | null {
  const row = run.files.find((each) => each.n === file);
  const match = run.verdict?.candidates.find(
    (each) => each.turn === turn && each.line !== null && (each.file === row?.path || each.file === row?.display),
  );
  return match?.line ?? null;
}
