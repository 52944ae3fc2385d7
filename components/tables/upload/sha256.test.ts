import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { hashFile } from "./file-hash";
import { Sha256 } from "./sha256";

const expected = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe("Sha256", () => {
  it("agrees with another implementation around every border of a block", () => {
    for (let length = 0; length <= 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) % 256);
      const hash = new Sha256();
      hash.update(bytes);
      expect(hash.digest(), `${length} bytes`).toBe(expected(bytes));
    }
  });

  it("does not depend on how the bytes are cut", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 150 }), { maxLength: 8 }), (pieces) => {
        const hash = new Sha256();
        for (const piece of pieces) hash.update(piece);
        expect(hash.digest()).toBe(expected(Uint8Array.from(pieces.flatMap((piece) => [...piece]))));
      }),
    );
  });

  it("reads a view into a larger buffer at its own place", () => {
    const all = Uint8Array.from({ length: 300 }, (_, i) => i % 256);
    const hash = new Sha256();
    hash.update(all.subarray(100, 250));
    expect(hash.digest()).toBe(expected(all.slice(100, 250)));
  });
});

describe("hashFile", () => {
  afterEach(() => vi.unstubAllGlobals());
  const bytes = Uint8Array.from({ length: 2_500_000 }, (_, i) => (i * 7) % 251);
  const file = new Blob([bytes]);

  it("uses the browser's own where there is one", async () => {
    const report = vi.fn();
    expect(await hashFile(file, new AbortController().signal, report)).toBe(expected(bytes));
    expect(report).not.toHaveBeenCalled();
  });

  it("works without it, in pieces, and says how far it is", async () => {
    vi.stubGlobal("crypto", {});
    const done: number[] = [];
    expect(await hashFile(file, new AbortController().signal, (n) => done.push(n))).toBe(expected(bytes));
    expect(done).toEqual([1_048_576, 2_097_152, 2_500_000]);
  });

  it("stops when it is cancelled", async () => {
    vi.stubGlobal("crypto", {});
    const abort = new AbortController();
    const hash = hashFile(file, abort.signal, () => abort.abort());
    await expect(hash).rejects.toMatchObject({ name: "AbortError" });
  });
});
