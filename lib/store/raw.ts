import type { RawSpan } from "@/lib/trajectory/schema";
import type { RawView } from "@/lib/views/turn";
import { fitStrings, jsonBytes } from "./answer-size";
import { database } from "./client";
import { RawBytes } from "./raw-bytes";
import { rowText } from "./raw-row";
import { checkNumber } from "./reading";
import { checkId, checkProjectScope, type ProjectScope } from "./scope";
import { storedItemsSchema } from "./stored-item";

/** Bytes of one record that an answer holds; the rest is counted and can be downloaded. */
export const RAW_RECORD_BYTES = 65_536;
const RAW_RECORDS_MAX_BYTES = 900_000;

/**
 * The records of the upload that a turn was made from, each once and in the order of the file, read from the stored
 * upload by their byte spans. A long record is cut and the bytes left out are counted; records that do not fit or that
 * have no byte span are counted in `total` only. Null when there is no such turn. For the owner: a share never sees the
 * upload.
 */
export async function getRaw(scope: ProjectScope, id: string, index: number): Promise<RawView | null> {
  checkProjectScope(scope);
  const trajectoryId = checkId(id);
  const at = checkNumber(index);
  const trajectory = await database().trajectory.findFirst({
    where: { id: trajectoryId, projectId: scope.projectId },
    select: { currentImportId: true, upload: { select: { id: true, sizeBytes: true } } },
  });
  if (!trajectory?.currentImportId) return null;
  const turn = await database().turn.findUnique({
    where: { importId_index: { importId: trajectory.currentImportId, index: at } },
    select: { items: true },
  });
  if (turn === null) return null;
  const spans = distinctSpans(storedItemsSchema.parse(turn.items).flatMap((item) => item.raw));
  const source = new RawBytes(trajectory.upload.id, Number(trajectory.upload.sizeBytes), spans);
  const records: RawView["records"] = [];
  let bytes = 0;
  for (const span of spans) {
    const row = rowText(span);
    if (row !== null) {
      const record = { span, text: row, omittedBytes: 0 };
      bytes += jsonBytes(record) + 1;
      if (bytes > RAW_RECORDS_MAX_BYTES) break;
      records.push(record);
      continue;
    }
    if (span.start === null || span.end === null) continue;
    const part = await source.read(span.file, span.start, Math.min(span.end, span.start + RAW_RECORD_BYTES));
    if (part === null) continue;
    const whole = wholeCharacters(part);
    const record = fitStrings(
      { span, text: new TextDecoder().decode(whole), omittedBytes: Math.max(0, span.end - span.start - whole.length) },
      RAW_RECORDS_MAX_BYTES,
    );
    bytes += jsonBytes(record) + 1;
    if (bytes > RAW_RECORDS_MAX_BYTES) break;
    records.push(record);
  }
  return { records, total: spans.length };
}

/** Each record once: spans inside another one (two parts of the same line) go. In the order of the file, file by file. */
function distinctSpans(spans: RawSpan[]): RawSpan[] {
  const files = new Set(spans.map(({ file }) => file));
  if (files.size > 1) return [...files].flatMap((file) => distinctSpans(spans.filter((span) => span.file === file)));
  const placed = spans
    .filter((span) => span.start !== null && span.end !== null)
    .sort((a, b) => (a.start ?? 0) - (b.start ?? 0) || (b.end ?? 0) - (a.end ?? 0));
  const kept: RawSpan[] = [];
  let reached = -1;
  for (const span of placed) {
    if ((span.end ?? 0) <= reached) continue;
    reached = span.end ?? 0;
    kept.push(span);
  }
  const unplaced = spans.filter((span) => span.start === null || span.end === null);
  const seen = new Map(unplaced.map((span) => [`${span.file} ${span.line} ${span.pointer}`, span]));
  return [...kept, ...seen.values()];
}

/** The bytes without a UTF-8 character that was cut at the end. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start >= 0 && start + length > bytes.length ? bytes.subarray(0, start) : bytes;
}
