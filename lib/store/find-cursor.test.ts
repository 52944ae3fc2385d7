import { describe, expect, it } from "vitest";
import { atStep, type FindCursor, formatCursor, parseCursor } from "./find-cursor";

describe("cursors", () => {
  it.each<FindCursor>([
    atStep(0),
    atStep(5_999),
    { step: 3, text: { of: "item", n: 7 }, piece: 12, pieceStart: 786_420, from: 800_000 },
    { step: 0, text: { of: "context", n: 0 }, piece: 0, pieceStart: 0, from: 0 },
  ])("come back as they went: %j", (cursor) => {
    expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
  });

  it.each(["", "x", "-1", "1.i", "1.x2.0.0.0", "1.i2.0.0", "1.i2.0.0.0.0", "9999999999", "1.i2.0.0.-1", " 1"])(
    "refuses %j",
    (sent) => {
      expect(() => parseCursor(sent)).toThrowError("at is what the answer before this one said");
    },
  );
});
