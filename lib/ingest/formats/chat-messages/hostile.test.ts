import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { type Turn, turnsOf } from "@/lib/trajectory/schema";
import { ingest } from "../../ingest";
import { answer, call, calls, encode, encodeLines, task } from "./test-messages";

describe("sizes that take quadratic time when read carelessly", { timeout: 60_000 }, () => {
  const MANY = 60_000;
  const many = (make: (n: number) => unknown): unknown[] => Array.from({ length: MANY }, (_, n) => make(n));
  const item = (n: number): object => ({
    type: "reasoning",
    id: "same",
    summary: n === 0 ? ["x".repeat(1_000_000)] : [`${n}`],
  });

  it.each([
    ["calls and answers of one identifier", many((n) => (n < MANY / 2 ? calls(call("1", "a", {})) : answer("1", "x")))],
    ["parallel calls of one identifier", [calls(...many(() => call("1", "a", {}))), ...many(() => answer("1", "x"))]],
    [
      "calls and answers without identifiers",
      many((n) => (n < MANY / 2 ? calls(call(undefined, "a", {})) : answer(undefined, "x", { name: "a" }))),
    ],
    ["items of one identifier", [task, ...many(item)]],
    ["keys", [{ ...task, ...Object.fromEntries(Array.from({ length: MANY }, (_, n) => [`k${n}`, n])) }]],
    ["reminders that never close", [{ role: "user", content: "<system-reminder>\n".repeat(MANY) }, task]],
    [
      "blanks",
      [
        { role: "user", content: `${" \n".repeat(1_000_000)}OBSERVATION` },
        calls(call("1", "a", {})),
        answer("1", "\n".repeat(1_000_000)),
      ],
    ],
    [
      "rows that look like a file",
      [calls(call("1", "Read", { path: "/a" })), answer("1", "1\ta\n2\tb\n".repeat(MANY))],
    ],
    [
      "settings of deep nesting",
      { messages: [task], tools: JSON.parse(`${"[".repeat(400)}${"1,".repeat(MANY)}1${"]".repeat(400)}`) },
    ],
  ])("%s", (_, value) => {
    const bytes = encode(value);
    const tookMs = processorMs(() => {
      ingest({ name: "x", bytes });
    });
    expect(tookMs).toBeLessThan(10_000);
  });

  it("requests that repeat each other", () => {
    const bytes = encodeLines(
      Array.from({ length: 600 }, (_, n) => ({ messages: [task, ...Array(n).fill(answer("1", "x".repeat(50)))] })),
    );
    let turns: Turn[] = [];
    const tookMs = processorMs(() => {
      turns = turnsOf(ingest({ name: "x", bytes }).trajectory);
    });
    expect(turns).toEqual([]);
    expect(tookMs).toBeLessThan(10_000);
  });
});
