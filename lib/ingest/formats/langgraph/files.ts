import { isObject, type JsonValue, member } from "../../safe-json";

/** The virtual files of a state by path: their text, as the tools of Deep Agents wrote it. */
export type FileTexts = Map<string, string>;

/** A file that one step changed; null where there was none before, or none after. */
export interface FileChange {
  path: string;
  before: string | null;
  after: string | null;
}

/** The channel `files`: texts, or objects whose `content` is a text or its lines. Others are left out. */
export function readFiles(value: JsonValue | undefined): FileTexts {
  const files: FileTexts = new Map();
  if (!isObject(value)) return files;
  for (const [path, file] of Object.entries(value)) {
    const text = textOfFile(file);
    if (text !== null) files.set(path, text);
  }
  return files;
}

function textOfFile(file: JsonValue): string | null {
  const content = typeof file === "string" ? file : member(file, "content");
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  return content.every((line) => typeof line === "string") ? content.join("\n") : null;
}

/** The files after an update of the channel: a file with null is deleted, others replace. */
export function updateFiles(files: FileTexts, update: JsonValue): FileTexts {
  const next = new Map(files);
  for (const [path, text] of readFiles(update)) next.set(path, text);
  if (isObject(update)) {
    for (const [path, file] of Object.entries(update)) if (file === null) next.delete(path);
  }
  return next;
}

/** What changed between two states, by path. */
export function changesBetween(before: FileTexts, after: FileTexts): FileChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path) => {
    const change = { path, before: before.get(path) ?? null, after: after.get(path) ?? null };
    return change.before === change.after ? [] : [change];
  });
}
