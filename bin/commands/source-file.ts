import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { UPLOAD_MAX_BYTES } from "@/lib/catalogue/limits";
import { IngestError } from "@/lib/errors";
import { prepareSource } from "@/lib/ingest/prepare-source";
import type { Source } from "@/lib/ingest/source";
import { Refused } from "./refused";

/**
 * Reads a file of the command line as a source.
 * @throws Refused when it cannot be read, is no file, or is over the limit of uploads; IngestError when what is inside it
 * (a database) cannot be opened.
 */
export async function readSourceFile(file: string): Promise<Source> {
  try {
    const found = await stat(file);
    if (!found.isFile()) throw new Refused(`${file} is not a file.`);
    if (found.size > UPLOAD_MAX_BYTES) {
      throw new Refused(`${file} has more than ${UPLOAD_MAX_BYTES / 1_048_576} MiB, the most that Misstep reads.`);
    }
    return await prepareSource({ name: path.basename(file), bytes: await readFile(file) });
  } catch (error) {
    if (error instanceof Refused || error instanceof IngestError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    throw new Refused(code === "ENOENT" ? `There is no file ${file}.` : `${file} cannot be read (${code}).`);
  }
}

/** The one file that a command was given. @throws Refused for none or several. */
export function oneFile(files: string[], command: string): string {
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) throw new Refused(`misstep ${command} takes exactly one FILE.`);
  return file;
}
