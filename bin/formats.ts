import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { FORMAT_FILES } from "@/lib/ingest/format-texts";
import { ADAPTERS } from "@/lib/ingest/ingest";

// Writes what the adapters say about themselves to where people read it: `npm run formats`.
const root = path.join(import.meta.dirname, "..");
for (const { path: name, write } of FORMAT_FILES) {
  const file = path.join(root, name);
  const old = await readFile(file, "utf8");
  const made = write(old, ADAPTERS);
  if (made !== old) await writeFile(file, made);
  process.stdout.write(`${made === old ? "up to date" : "written   "}  ${name}\n`);
}
