import { readdir } from "node:fs/promises";
import path from "node:path";

/** The files of a folder and of those in it, by name, with their paths from there; links are not followed. */
export async function* filesUnder(
  folder: string,
  skipped: ReadonlySet<string> = new Set(),
  inside = "",
): AsyncGenerator<string> {
  const entries = await readdir(path.join(folder, inside), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const at = path.join(inside, entry.name);
    if (entry.isDirectory() && !skipped.has(entry.name)) yield* filesUnder(folder, skipped, at);
    else if (entry.isFile()) yield at;
  }
}
