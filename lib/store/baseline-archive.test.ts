import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { unpack } from "./baseline-archive";
import { tar, zip, zipOfOne } from "./test-archives";

const MIB = 1024 * 1024;
const open = (bytes: Uint8Array) => unpack([{ name: "x", bytes }]);

/** A tar's header of a file that claims `sizeBytes`, in octal as the format has it. */
async function headerOf(name: string, sizeBytes: number): Promise<Buffer> {
  const header = Buffer.from((await tar([{ name }])).subarray(0, 512));
  header.write(`${sizeBytes.toString(8).padStart(11, "0")} `, 124, "latin1");
  header.fill(0x20, 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\u0000 `, 148, "latin1");
  return header;
}

/** Gzip members follow each other as one file: 160 times 64 MiB of zeros are 10 GiB in 10 MB. */
const zeros = (): Buffer => {
  const member = gzipSync(Buffer.alloc(64 * MIB));
  return Buffer.concat(Array.from({ length: 160 }, () => member));
};

describe("U1: bombs are stopped by what comes out of them", { timeout: 120_000 }, () => {
  const bombs: [string, () => Promise<Buffer> | Buffer, string, RegExp][] = [
    ["10 GiB of zeros as gzip", zeros, "too_large", /256 MiB when unpacked/],
    [
      "a file of 8 GiB in a gzipped tar",
      async () => Buffer.concat([gzipSync(await headerOf("z", 8 * 1024 * MIB - 1)), zeros()]),
      "too_large",
      /256 MiB when unpacked/,
    ],
    [
      "gzip in gzip",
      async () => gzipSync(gzipSync(await tar([{ name: "a", content: "a" }]))),
      "bad_request",
      /cannot be read/,
    ],
    ["gzip of zeros in gzip", () => gzipSync(gzipSync(Buffer.alloc(256 * MIB))), "bad_request", /cannot be read/],
    [
      "10,000 entries on the same bytes",
      () => zipOfOne({ name: "z", content: Buffer.alloc(8 * MIB) }, 10_000),
      "too_large",
      /256 MiB when unpacked/,
    ],
    [
      "100,001 entries of a zip",
      () => zipOfOne({ name: "z", content: Buffer.alloc(0) }, 100_001),
      "too_large",
      /more than 100000 entries/,
    ],
    [
      "100,001 entries of a tar",
      async () => Buffer.alloc(512 * 100_001, await headerOf("z", 0)),
      "too_large",
      /more than 100000 entries/,
    ],
    [
      "a size that is less than what comes out",
      () => zip([{ name: "z", content: Buffer.alloc(300 * MIB), claimedSize: 10 }]),
      "too_large",
      /256 MiB when unpacked/,
    ],
  ];

  test.each(bombs)("%s", async (_, make, code, words) => {
    const bytes = await make();
    expect(bytes.length).toBeLessThan(64 * MIB);
    const before = process.resourceUsage().maxRSS;
    const started = process.cpuUsage();
    await expect(open(bytes)).rejects.toMatchObject({ name: "AppError", code, message: expect.stringMatching(words) });
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(5_000);
    // The most that the process ever held, in KiB.
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(200 * 1024);
  });

  test("a size that is more than what comes out changes nothing", async () => {
    const { files } = await open(zip([{ name: "z", content: Buffer.from("z = 1\n"), claimedSize: 4_000_000_000 }]));
    expect(files).toEqual(new Map([["z", "z = 1\n"]]));
  });
});

describe("U2: names are labels", () => {
  const EVIL = "evil";
  const NAMES = ["../../etc/passwd", "/abs", "C:\\x", "a/../../b", "a\u0000b", `${"long/".repeat(300)}x`, "..", "a\rb"];

  /** A file whose name a pax record gives, which may hold what no header can. */
  async function paxTar(name: string): Promise<Buffer> {
    const rest = ` path=${name}\n`;
    let length = Buffer.byteLength(rest) + 1;
    while (String(length).length + Buffer.byteLength(rest) !== length) length += 1;
    const record = Buffer.from(`${length}${rest}`);
    const header = await headerOf("pax", record.length);
    header.write("x", 156, "latin1");
    header.fill(0x20, 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\u0000 `, 148, "latin1");
    const body = Buffer.alloc(Math.ceil(record.length / 512) * 512);
    record.copy(body);
    return Buffer.concat([header, body, await tar([{ name: "named", content: EVIL }])]);
  }

  test.each(NAMES)("%j is skipped and counted, in a zip and in a tar", async (name) => {
    for (const bytes of [zip([{ name, content: Buffer.from(EVIL) }]), await paxTar(name)]) {
      const { files, skipped } = await open(bytes);
      expect([files.size, skipped]).toEqual([0, new Map([["unsafe_name", 1]])]);
    }
  });

  test("`__proto__`, `constructor` and names twice are names like any other", async () => {
    const entries = ["__proto__", "constructor", "a", "a"].map((name, n) => ({ name, content: `${n}` }));
    const zipped = zip(entries.map(({ name, content }) => ({ name, content: Buffer.from(content) })));
    for (const bytes of [zipped, await tar(entries)]) {
      const { files, skipped } = await open(bytes);
      expect([...files]).toEqual([
        ["__proto__", "0"],
        ["constructor", "1"],
        ["a", "3"],
      ]);
      expect(skipped).toEqual(new Map([["named_twice", 1]]));
    }
    expect({}).not.toHaveProperty("0");
  });

  test("a symbolic link is skipped and counted, and what it names is not read", async () => {
    const plain = await tar([{ name: "l", type: "symlink", linkname: "/etc/passwd" }]);
    const linked = zip([{ name: "l", content: Buffer.from("/etc/passwd"), unixMode: 0o120777 }]);
    for (const bytes of [plain, gzipSync(plain), linked]) {
      const { files, skipped } = await open(bytes);
      expect([files.size, skipped]).toEqual([0, new Map([["not_a_file", 1]])]);
    }
  });

  test("nothing is written to disk, not even under a harmless name", async () => {
    const writes = /^(?:open|mk|write|append|create|copy|cp|link|symlink|rename|rm|unlink|truncate|chmod|utimes)/;
    const spies = [fs, fs.promises].flatMap((folder) =>
      Object.entries(folder)
        .filter(([name, value]) => writes.test(name) && typeof value === "function")
        .map(([name]) => vi.spyOn(folder as unknown as Record<string, () => void>, name)),
    );
    expect(spies.length).toBeGreaterThan(40);
    // What a module imported by name follows the spies too.
    syncBuiltinESMExports();
    try {
      const entries = ["../../x", "b", "c/d"].map((name) => ({ name, content: EVIL }));
      const link = { name: "l", type: "symlink" as const, linkname: "/etc/passwd" };
      const plain = await tar([...entries, link]);
      for (const bytes of [
        plain,
        gzipSync(plain),
        zip(entries.map((one) => ({ ...one, content: Buffer.from(EVIL) }))),
      ]) {
        expect((await open(bytes)).files.size).toBe(2);
      }
      for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    }
  });
});
