import type { RecordedFile } from "@/lib/trajectory/schema";
import { storable } from "../../safe-json";
import type { HeldFile } from "../../source";
import { decodeUtf8 } from "../../text-decoding";

const HEAD = /^diff --git a\/.* b\/(.*)$/gm;

/** The text of a file, with what Postgres refuses replaced; null when there is no such file or it is blank. */
export function textOf(file: HeldFile | null): string | null {
  if (file === null) return null;
  const text = storable(decodeUtf8(file.bytes).text);
  return text.trim() === "" ? null : text;
}

/** What a git diff says of each file that it changes. */
export function recordedIn(diff: string | null): RecordedFile[] {
  if (diff === null) return [];
  const heads = [...diff.matchAll(HEAD)];
  return heads.map((head, n) => ({
    path: head[1] ?? "",
    before: null,
    after: null,
    existedBefore: null,
    patch: diff.slice(head.index, heads[n + 1]?.index),
    byPerson: false,
  }));
}
