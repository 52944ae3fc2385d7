import { expect, test } from "vitest";
import { IngestError } from "@/lib/errors";
import { sortFailure } from "./import-messages";

test("U3: the reason on a row is short and can be stored, whatever name from the file it quotes", () => {
  const error = new IngestError(
    "malformed",
    `the JSON ends in "${"k".repeat(1_980)}\u{1f600}${"k".repeat(10_000_000)}"`,
  );
  const sorted = sortFailure(error);
  if (sorted.kind !== "failed") throw new Error("it would be tried again");
  expect(sorted.failure.message.length).toBeLessThanOrEqual(2_000);
  expect(sorted.failure.message.isWellFormed()).toBe(true);
});
