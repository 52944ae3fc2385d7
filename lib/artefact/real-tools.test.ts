import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { compare, hasTool, scratchFolder } from "./test-support/real-tools";
import { FAMILIES } from "./test-support/scenarios";

/** Cases a family; `npm run fuzz -- writes` runs as many as wanted, with new seeds, and finds the smallest that fails. */
const CASES = 25;

const { folder, remove } = scratchFolder();
afterAll(remove);

// Machines without GNU's tools have nothing to hold the replay against.
const families = FAMILIES.filter(({ needs }) => needs.every(hasTool));

describe("what the real tools make of generated commands is what is told, or is declared unknown", () => {
  it.each(families)("$name", { timeout: 300_000 }, ({ scenarios }) => {
    const sum = compare(folder, fc.sample(scenarios, { numRuns: CASES, seed: 20_260_101 }));
    // Declaring everything unknown would agree with anything.
    expect(sum.told).toBeGreaterThan(sum.unknown / 2);
  });
});
