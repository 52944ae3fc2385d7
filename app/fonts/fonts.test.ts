import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const here = (path: string): Buffer => readFileSync(new URL(path, import.meta.url));

/** The fonts as `fonts.ts` declares them: read as text, because `next/font` is run by the build alone. */
function declared(name: string): { file: Buffer; holds: (point: number) => boolean } {
  const found = new RegExp(`const ${name} = localFont\\(\\{\\s*src: "([^"]+)"[^;]*?value:\\s*"([^"]+)"`).exec(
    here("./fonts.ts").toString(),
  );
  const ranges = (found?.[2] ?? "").split(", ").map((range) => {
    const [from, to] = range.slice(2).split("-");
    return { from: Number.parseInt(from ?? "", 16), to: Number.parseInt(to ?? from ?? "", 16) };
  });
  return {
    file: here(found?.[1] ?? ""),
    holds: (point) => ranges.some(({ from, to }) => point >= from && point <= to),
  };
}

/** The code points for which a WOFF2 file has a glyph: https://www.w3.org/TR/WOFF2/, and `cmap` of OpenType 1.9. */
function pointsIn(file: Buffer): Set<number> {
  const cmap = tableOf(file, "cmap");
  const points = new Set<number>();
  for (let i = 0; i < cmap.readUInt16BE(2); i += 1) {
    const sub = cmap.subarray(cmap.readUInt32BE(4 + i * 8 + 4));
    const format = sub.readUInt16BE(0);
    const groups = format === 12 ? groupsOf12(sub) : format === 4 ? groupsOf4(sub) : [];
    for (const { from, to } of groups) for (let point = from; point <= to; point += 1) points.add(point);
  }
  // Ends the segments of format 4.
  points.delete(0xffff);
  return points;
}

function groupsOf12(sub: Buffer): { from: number; to: number }[] {
  return Array.from({ length: sub.readUInt32BE(12) }, (_, i) => ({
    from: sub.readUInt32BE(16 + i * 12),
    to: sub.readUInt32BE(20 + i * 12),
  }));
}

function groupsOf4(sub: Buffer): { from: number; to: number }[] {
  const doubled = sub.readUInt16BE(6);
  return Array.from({ length: doubled / 2 }, (_, i) => ({
    from: sub.readUInt16BE(16 + doubled + i * 2),
    to: sub.readUInt16BE(14 + i * 2),
  }));
}

const KNOWN_TAGS = "cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep".split(" ");

function tableOf(file: Buffer, wanted: string): Buffer {
  let at = 48;
  const readNumber = (): number => {
    let value = 0;
    for (let byte = 0x80; byte & 0x80; ) {
      byte = file[at++] ?? 0;
      value = value * 128 + (byte & 0x7f);
    }
    return value;
  };
  let offset = 0;
  let place = { start: 0, end: 0 };
  for (let i = 0; i < file.readUInt16BE(12); i += 1) {
    const flags = file[at++] ?? 0;
    const isSpelt = (flags & 0x3f) === 0x3f;
    const tag = isSpelt ? file.toString("latin1", at, at + 4) : KNOWN_TAGS[flags & 0x3f];
    if (isSpelt) at += 4;
    let length = readNumber();
    const isOutline = tag === "glyf" || tag === "loca";
    // Version 3 leaves outlines as they are, version 0 all others.
    if (isOutline ? flags >> 6 !== 3 : flags >> 6 !== 0) length = readNumber();
    if (tag === wanted) place = { start: offset, end: offset + length };
    offset += length;
  }
  const tables = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20)));
  return tables.subarray(place.start, place.end);
}

describe.each(["sans", "mono"])("the two parts of Geist, %s", (kind) => {
  const latin = declared(`${kind}Latin`);
  const whole = declared(`${kind}Whole`);
  const inLatin = pointsIn(latin.file);
  const inWhole = pointsIn(whole.file);

  it("reads the files", () => {
    expect([0x41, 0x20ac, 0x2122, 0x2212].filter((point) => !inLatin.has(point))).toEqual([]);
    expect(inWhole.size).toBeGreaterThan(inLatin.size);
  });

  it("declares for the small file what it holds, and nothing that only the whole one has", () => {
    expect([...inLatin].filter((point) => !latin.holds(point))).toEqual([]);
    expect([...inWhole].filter((point) => latin.holds(point) && !inLatin.has(point))).toEqual([]);
  });

  it("has no tau, which the page shows in another font without fetching the whole one", () => {
    expect([inWhole.has(0x3c4), latin.holds(0x3c4), whole.holds(0x3c4)]).toEqual([false, true, false]);
  });

  it("declares every printable character for exactly one of them", () => {
    const wrong: number[] = [];
    for (let point = 0x20; point <= 0x10ffff; point += 1)
      if (latin.holds(point) === whole.holds(point)) wrong.push(point);
    expect(wrong).toEqual([]);
  });
});
