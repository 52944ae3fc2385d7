import { describe, expect, it } from "vitest";
import {
  formatClock,
  formatCost,
  formatDuration,
  formatMoment,
  formatPlural,
  formatSize,
  formatTokens,
} from "./numbers";

describe("numbers as they are written", () => {
  it.each([
    [formatDuration(400), "0.4 s"],
    [formatDuration(41_000), "41 s"],
    [formatDuration(2_468_000), "41 min 08 s"],
    [formatDuration(59_600), "60 s"],
    [formatDuration(11_100_000), "3 h 05 min"],
    [formatTokens(18_204), "18,204"],
    [formatTokens(1_210_000), "1.21 M"],
    [formatSize(312), "312"],
    [formatSize(2_100), "2.1 k"],
    [formatSize(142_000), "142 k"],
    [formatSize(12_000_000), "12.0 M"],
    [formatCost(1.944), "$1.94"],
    [formatCost(0.0123), "$0.0123"],
    [formatPlural(1, "turn"), "1 turn"],
    [formatPlural(2_612, "turn"), "2,612 turns"],
    [formatPlural(6_084, "turn"), "6,084 turns"],
    [formatClock("2026-11-30T14:07:31.120Z"), "14:07:31"],
    [formatClock("yesterday"), "yesterday"],
    [formatMoment("2026-12-07T18:00:00Z"), "7 December 2026, 18:00 UTC"],
  ])("%s", (written, expected) => {
    expect(written).toBe(expected);
  });
});
