import { randomBytes } from "node:crypto";
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/**
 * Makes a folder that only its owner may enter (0700), also when it was there with wider rights.
 * @param {string} path
 */
export function makePrivateFolder(path) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
}

/**
 * Writes a small file that only its owner may read (0600). The name appears with the whole content or not at all, so a
 * full disk or a kill cannot leave half a password behind.
 * @param {string} path
 * @param {string} text
 */
export function writePrivateFile(path, text) {
  const partial = `${path}.${process.pid}.partial`;
  const file = openSync(partial, "w", 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(partial, path);
}

/**
 * The random value kept in a file: 256 bits, base64url, made on first use.
 * @param {string} path
 * @returns {string}
 */
export function keptSecret(path) {
  const known = readIfThere(path)?.trim();
  if (known) {
    chmodSync(path, 0o600);
    return known;
  }
  const secret = randomBytes(32).toString("base64url");
  writePrivateFile(path, `${secret}\n`);
  return secret;
}

/**
 * A file's text, or null when there is no such file.
 * @param {string} path
 * @returns {string | null}
 */
export function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  }
}
