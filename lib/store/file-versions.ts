import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { z } from "zod";
import { CERTAINTIES, type Certainty, type KnownContent, type StoredContent } from "@/lib/artefact/model";
import { decodeVersion } from "@/lib/artefact/storage";
import { AppError } from "@/lib/errors";
import { database } from "./client";
import { storedContentSchema, VERSION_BROTLI } from "./stored-import";

const decompress = promisify(brotliDecompress);
/** What one stored version may be at most, decompressed. Bytes. */
const VERSION_MAX_BYTES = 512 * 1024 * 1024;

const certainty = z.enum(CERTAINTIES);

/** A version of a file without its content. */
export interface VersionRow {
  n: number;
  turn: number | null;
  itemId: string | null;
  operation: string;
  certainty: Certainty;
  note: string | null;
}

/** The versions of a file in order, without their contents. */
export async function versionRows(importId: string, fileN: number): Promise<VersionRow[]> {
  const rows = await database().fileVersion.findMany({
    where: { importId, fileN },
    orderBy: { n: "asc" },
    select: { n: true, turn: true, itemId: true, operation: true, certainty: true, note: true },
  });
  return rows.map((row) => ({ ...row, certainty: certainty.parse(row.certainty) }));
}

/** Versions 0 to `n` as they are stored, for blame. */
export async function storedVersions(importId: string, fileN: number, n: number, from = 0): Promise<StoredContent[]> {
  const rows = await database().fileVersion.findMany({
    where: { importId, fileN, n: { gte: from, lte: n } },
    orderBy: { n: "asc" },
    select: { kind: true, data: true },
  });
  return Promise.all(rows.map((row) => storedContent(row.kind, row.data)));
}

/** The content of version `n`: reads the rows from the last one that stands on its own, and no others. */
export async function contentOf(importId: string, fileN: number, n: number): Promise<KnownContent> {
  const base = await database().fileVersion.findFirst({
    where: { importId, fileN, n: { lte: n }, kind: { not: "splices" } },
    orderBy: { n: "desc" },
    select: { n: true },
  });
  const stored = await storedVersions(importId, fileN, n, base?.n ?? 0);
  return stored.length === 0 ? { kind: "unknown" } : decodeVersion(stored, stored.length - 1);
}

async function storedContent(kind: string, data: Uint8Array | null): Promise<StoredContent> {
  if (data === null) return kind === "absent" ? { kind: "absent" } : { kind: "unknown" };
  const body = data.subarray(1);
  const json =
    data[0] === VERSION_BROTLI ? await decompress(body, { maxOutputLength: VERSION_MAX_BYTES }) : Buffer.from(body);
  const parsed = storedContentSchema.safeParse({ ...z.looseObject({}).parse(JSON.parse(json.toString("utf8"))), kind });
  if (!parsed.success) throw new AppError("internal", "a stored file version has another shape than it should");
  return parsed.data;
}
