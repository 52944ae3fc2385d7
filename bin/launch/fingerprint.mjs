import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const SKIPPED_FOLDERS = new Set(["node_modules", "fixtures", "generated"]);
const SKIPPED_FILES = /\.(test|spec)\.tsx?$|\.md$/;

/**
 * One hash over the contents and names of files and folders; what is missing counts as missing.
 * @param {string} root
 * @param {string[]} entries relative to the root; of a folder: everything but tests, fixtures, documents and generated code
 * @returns {string} hex
 */
export function fingerprint(root, entries) {
  const hash = createHash("sha256").update(`node ${process.versions.modules}\0`);
  for (const entry of entries) add(hash, root, entry);
  return hash.digest("hex");
}

/** @param {import("node:crypto").Hash} hash @param {string} root @param {string} entry */
function add(hash, root, entry) {
  const file = path.join(root, entry);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) {
    hash.update(`missing ${entry}\0`);
  } else if (stat.isDirectory()) {
    for (const name of readdirSync(file).sort()) {
      if (SKIPPED_FOLDERS.has(name) || SKIPPED_FILES.test(name) || name.startsWith(".")) continue;
      add(hash, root, `${entry}/${name}`);
    }
  } else if (stat.isFile()) {
    hash.update(`${entry}\0${stat.size}\0`).update(readFileSync(file));
  }
}
