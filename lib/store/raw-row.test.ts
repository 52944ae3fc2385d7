import { describe, expect, it } from "vitest";
import { rowText } from "./raw-row";

const span = (file: string | undefined, start: number | null, pointer: string | null) => ({
  line: null,
  pointer,
  start,
  end: start === null ? null : start + 1,
  ...(file === undefined ? {} : { file }),
});

describe("what the raw pane says of a row of a database", () => {
  it("names the row and the place in it", () => {
    expect(rowText(span("writes/12", null, "/0"))).toMatch(/^Row 12 of the table writes, at \/0\. /);
    expect(rowText(span("odd/name\n/3", null, null))).toMatch(/^Row 3 of the table odd\/name\n\. /);
  });

  it("is nothing for files and for the upload itself", () => {
    expect(rowText(span("folder/trace.json", null, "/a"))).toBeNull();
    expect(rowText(span("writes/12", 5, null))).toBeNull();
    expect(rowText(span(undefined, null, "/a"))).toBeNull();
  });
});
