import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { writeOutHidden } from "./written-out";

describe("text for the editor", () => {
  it("X8: writes out what the editor would draw as nothing, and says where", () => {
    expect(writeOutHidden("a = 1\r\n# x\u200by\u{e0041}\u{e0041}\n[U+200B]\r\u00ad")).toEqual({
      text: "a = 1\r\n# x[U+200B]y[U+E0041 ×2]\n[U+200B]\r[U+00AD]",
      stretches: [
        { line: 2, startColumn: 4, endColumn: 12 },
        { line: 2, startColumn: 13, endColumn: 25 },
        // The editor ends a line at a lone carriage return too.
        { line: 4, startColumn: 1, endColumn: 9 },
      ],
    });
  });

  it("leaves alone what the editor draws, and a picture of several", () => {
    const text = "\u001b[31m \u202eesrever\u202c \u200e \u{1f469}\u200d\u{1f4bb}\n";
    expect(writeOutHidden(text)).toEqual({ text, stretches: [] });
  });

  it("takes time in proportion to the text", () => {
    const text = "\u200b\u200c".repeat(250_000);
    const tookMs = processorMs(() => expect(writeOutHidden(text).stretches).toHaveLength(500_000));
    expect(tookMs).toBeLessThan(5_000);
  });
});
