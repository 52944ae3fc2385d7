import { Sha256 } from "./sha256";

const PIECE_BYTES = 1024 * 1024;

/**
 * The SHA-256 of a file as lower-case hexadecimal. `crypto.subtle` does it off the main thread (without saying how far
 * it is); without it the file is read in pieces of 1 MiB, with a pause after each, so that the page stays usable.
 * @param report gets the bytes done so far; not called when the browser does not say.
 * @throws DOMException `AbortError` when `signal` fires, `NotReadableError` when the file is gone or has changed.
 */
export async function hashFile(file: Blob, signal: AbortSignal, report: (doneBytes: number) => void): Promise<string> {
  if (globalThis.crypto?.subtle !== undefined) {
    const bytes = await file.arrayBuffer();
    signal.throwIfAborted();
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    signal.throwIfAborted();
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  const hash = new Sha256();
  for (let offset = 0; offset < file.size; offset += PIECE_BYTES) {
    signal.throwIfAborted();
    hash.update(new Uint8Array(await file.slice(offset, offset + PIECE_BYTES).arrayBuffer()));
    report(Math.min(file.size, offset + PIECE_BYTES));
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return hash.digest();
}
