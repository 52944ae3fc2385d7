import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { prepareSource } from "../prepare-source";
import type { Source } from "../source";

/** The folder that holds one folder of fixtures a format, and `invalid`. */
export const FIXTURES: string = join(import.meta.dirname, "..", "formats", "fixtures");

/** The files of a format's fixtures in any depth, sorted, without the expected results; none when it has no folder yet. */
export function fixturesOf(format: string): string[] {
  if (!existsSync(join(FIXTURES, format))) return [];
  return readdirSync(join(FIXTURES, format), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".expected.json") && !entry.name.startsWith("."))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The name of a fixture for people: its path below the folder of all fixtures. */
export const fixtureName = (file: string): string => file.slice(FIXTURES.length + 1);

/** The bytes of a fixture. */
export const readFixture = (file: string): Uint8Array => new Uint8Array(readFileSync(file));

/** A fixture as a source, opened where it is an archive or a database. */
export const readFixtureSource = (file: string): Promise<Source> =>
  prepareSource({ name: file, bytes: readFixture(file) });

/** Whether a fixture is text, which can be changed as text: archives and databases are not. */
export const isTextFixture = (file: string): boolean => !readFixture(file).subarray(0, 512).includes(0);
