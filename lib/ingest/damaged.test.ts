import { describe, expect, it } from "vitest";
import { prepareSource } from "./prepare-source";
import { brokenBy, damaged, damagedInputs } from "./test-support/damage";
import { fixtureName, fixturesOf, readFixture } from "./test-support/fixtures";
import { tarOf } from "./test-support/packed";

describe("damaged inputs", () => {
  it("that once failed, and were kept by `npm run fuzz`, give a valid trajectory or an IngestError", async () => {
    const problems: string[] = [];
    for (const file of fixturesOf("damaged")) {
      const problem = await brokenBy({ name: file, bytes: readFixture(file) });
      if (problem !== null) problems.push(`${fixtureName(file)}: ${problem}`);
    }
    expect(problems).toEqual([]);
  });

  it("are the same for the same seed, and each differs from what it was made of", () => {
    const bytes = new TextEncoder().encode('{"a": [1, 2, 3]}');
    const all = [...damaged(bytes, 20, 7)];
    expect(all).toEqual([...damaged(bytes, 20, 7)]);
    expect(all).not.toEqual([...damaged(bytes, 20, 8)]);
    expect(all).toHaveLength(40);
    for (const one of all) expect(one.bytes).not.toEqual(bytes);
  });

  it("of an archive are damaged as a whole, and each of its files in a whole one", async () => {
    const bytes = await tarOf({ "a.txt": "aaaa", "b.txt": "bbbb" });
    const all: { how: string; bytes: Uint8Array }[] = [];
    for await (const one of damagedInputs(bytes, 4, 7)) all.push(one);
    expect(all.filter(({ how }) => how.startsWith("file-"))).toHaveLength(8);
    expect(all).toHaveLength(16);
    const { inside } = await prepareSource({ name: "x", bytes: all.at(-1)?.bytes ?? bytes });
    const held = inside?.kind === "files" ? inside.files.map((file) => new TextDecoder().decode(file.bytes)) : [];
    expect(held[0]).toBe("aaaa");
    expect(held[1]).not.toBe("bbbb");
  });

  it("that are read to something that is no trajectory are told", async () => {
    const source = { name: "x", bytes: new TextEncoder().encode("{") };
    expect(await brokenBy(source)).toBeNull();
    const broken = Object.defineProperty({ name: "x", bytes: source.bytes }, "bytes", {
      get: () => {
        throw new TypeError("not an IngestError");
      },
    });
    expect(await brokenBy(broken)).toContain("not an IngestError");
  });
});
