import type { Note } from "@/lib/trajectory/schema";
import { HARNESS } from "../../entries";
import type { HeldFile } from "../../source";
import { wholeFile } from "./folder";
import { textOf } from "./patches";
import type { RunWriter } from "./run-writer";

/** Files that were read. */
export interface KnownFiles {
  /** All of it is in turns and context. */
  held: Set<string>;
  /** Some messages, or all, repeat what others say. */
  repeated: Set<string>;
}

const SHOWN_BYTES = 65_536;

/**
 * What a task of version 2 holds beside its threads: small JSON and tests become context, all else is named with its
 * place, however many files there are. It stands behind all turns, since the file of the task (`meta`, which may be
 * missing) holds the developers' patch, and every run has a copy of it.
 */
export function addBeside(
  run: RunWriter,
  files: readonly HeldFile[],
  { held, repeated }: KnownFiles,
  meta: HeldFile | null,
): Note[] {
  const copies: HeldFile[] = [];
  const references: HeldFile[] = [];
  const others: HeldFile[] = [];
  const unread = files.filter(({ path }) => !held.has(path) && !repeated.has(path));
  for (const file of unread) {
    const text = textOf(file);
    const isMeta = file.path.endsWith("/meta.json");
    if (isMeta && meta !== null && file !== meta && text === textOf(meta)) copies.push(file);
    else if (file.path.endsWith("developer_patch.diff")) references.push(file);
    else if (/\.(?:json|py)$/.test(file.path) && file.bytes.length <= SHOWN_BYTES && text !== null) {
      const raw = [wholeFile(file)];
      run.writer.addContext({ contextKind: "metadata", author: HARNESS, sourceSteps: [], raw, text });
    } else others.push(file);
  }
  const repeats = files.filter(({ path }) => repeated.has(path));
  return [
    ...noteOf("repeated_thread", "Files of which some messages, or all, repeat what others say", repeats),
    ...noteOf("repeated_file", "Copies of the task's file in its runs", copies),
    ...noteOf("reference_patch", "The developers' patch, kept apart from the turns", references),
    ...noteOf("file_beside", "Files beside the conversation, such as logs; the upload keeps them", others),
  ];
}

function noteOf(code: string, message: string, files: readonly HeldFile[]): Note[] {
  if (files.length === 0) return [];
  return [{ code, level: "information", message, count: files.length, positions: files.map(wholeFile) }];
}
