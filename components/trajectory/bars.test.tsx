import { describe, expect, it } from "vitest";
import { placeOf } from "./bars";

describe("the address at the foot of the page", () => {
  it("keeps the token of a link to itself", () => {
    expect(placeOf("/s/AAAAAAAAAAAAAAAAAAAAAA?turn=7")).toBe("/s/…?turn=7");
  });

  it("shows file names in their own letters, and anything else as it is", () => {
    expect(placeOf("/t/x?file=%D7%90/b.py&line=3")).toBe("/t/x?file=\u05d0/b.py&line=3");
    expect(placeOf("/t/x?file=a%26b%")).toBe("/t/x?file=a%26b%");
  });
});
