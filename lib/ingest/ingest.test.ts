import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { turnsOf } from "@/lib/trajectory/schema";
import { autoCodeRover } from "./formats/autocoderover";
import { chooseClaim, detect, ingest, openUpload } from "./ingest";
import { prepareSource } from "./prepare-source";

const fixtures = join(import.meta.dirname, "formats", "fixtures");
const load = (name: string): Uint8Array => new Uint8Array(readFileSync(join(fixtures, name)));

describe("who claims an upload", () => {
  const opinion = (id: string, score: number): { adapter: { id: string }; score: number; reason: string } => ({
    adapter: { id },
    score,
    reason: `it is ${id}`,
  });

  it("U8: takes the surest of at least 0.5", () => {
    expect(chooseClaim([opinion("a", 0.9), opinion("b", 0.6)])?.adapter.id).toBe("a");
    expect(chooseClaim([opinion("a", 0.49)])).toBeNull();
    expect(chooseClaim([])).toBeNull();
  });

  it("U8: refuses a tie, in either order, and names both", () => {
    const tie = (): unknown => chooseClaim([opinion("a", 0.9), opinion("b", 0.9)]);
    expect(tie).toThrowError(
      expect.objectContaining({ code: "ambiguous_format", message: "this could be a (it is a) or b (it is b)" }),
    );
    expect(() => chooseClaim([opinion("b", 0.9), opinion("a", 0.9), opinion("c", 0.6)])).toThrowError(
      expect.objectContaining({ code: "ambiguous_format", message: "this could be b (it is b) or a (it is a)" }),
    );
  });

  it("says why, without reading the whole", () => {
    const source = { name: "x", bytes: load("swe-agent/1.x/editor.traj") };
    expect(detect(source)).toEqual({ format: "swe-agent", score: 0.95, reason: expect.stringContaining("`action`") });
  });
});

describe("a folder", () => {
  it("is shown to every format once when one of them claims it", async () => {
    const asked = vi.spyOn(autoCodeRover, "sniff");
    const source = await prepareSource({ name: "x", bytes: load("autocoderover/1.x/solved.tar") });
    expect(openUpload(source).kind).toBe("one");
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
  });
});

describe("an import", () => {
  it("keeps the places of the upload behind a byte order mark", () => {
    const plain = load("swe-agent/1.x/editor.traj");
    const marked = Uint8Array.from([0xef, 0xbb, 0xbf, ...plain]);
    const [before, after] = [plain, marked].map(
      (bytes) => turnsOf(ingest({ name: "x", bytes }).trajectory)[3]?.items[0]?.raw[0],
    );
    expect(after?.start).toBe((before?.start ?? 0) + 3);
    expect(after?.end).toBe((before?.end ?? 0) + 3);
  });

  it("refuses a trace without content", () => {
    const bytes = new TextEncoder().encode('{"environment": "swe_main", "trajectory": [], "info": {}, "history": []}');
    expect(() => ingest({ name: "x", bytes })).toThrowError(expect.objectContaining({ code: "no_content" }));
  });
});
