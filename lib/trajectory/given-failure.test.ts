import { describe, expect, it } from "vitest";
import { type GivenFailure, mergeFailure, NOTHING_GIVEN, type TraceFailure } from "./given-failure";

const TRACE: TraceFailure = {
  taskStatement: "Fix the fare.",
  failure: {
    outcome: "failed",
    failingTestCode: null,
    errorReport: "AssertionError: 3 != 4",
    referencePatch: " \n",
    verification: [{ name: "test_fare", passed: false }],
    source: "trace",
    labels: [{ kind: "mistake", step: "1", convention: "trajectory", agent: null, reason: null }],
  },
};

const by = <T>(value: T) => ({ value, by: "Ada", at: "2026-01-02T03:04:05.000Z" });

describe("what is known about a failure", () => {
  it("is what the trace says while nobody gave anything", () => {
    const known = mergeFailure(TRACE, NOTHING_GIVEN);
    expect(known.failure).toEqual({ ...TRACE.failure, referencePatch: null });
    expect(known.taskStatement).toBe("Fix the fare.");
    expect(known.sources).toEqual({
      ...{ taskStatement: "trace", outcome: "trace", errorReport: "trace" },
      ...{ failingTestCode: null, referencePatch: null },
    });
  });

  it("is a person's word for each part that a person gave, and the trace's for every other", () => {
    const given: GivenFailure = { ...NOTHING_GIVEN, outcome: by("resolved"), failingTestCode: by("def test(): ...") };
    const known = mergeFailure(TRACE, given);
    expect(known.failure).toMatchObject({
      ...{ outcome: "resolved", failingTestCode: "def test(): ...", errorReport: "AssertionError: 3 != 4" },
      ...{ source: "person", verification: TRACE.failure.verification, labels: TRACE.failure.labels },
    });
    expect(known.sources).toMatchObject({ outcome: "person", failingTestCode: "person", errorReport: "trace" });
  });

  it.each(["taskStatement", "errorReport", "failingTestCode", "referencePatch"] as const)(
    "takes a given %s before the trace's",
    (part) => {
      const known = mergeFailure(TRACE, { ...NOTHING_GIVEN, [part]: by("mine") });
      expect({ taskStatement: known.taskStatement, ...known.failure }[part]).toBe("mine");
      expect(known.sources[part]).toBe("person");
    },
  );

  it("knows no outcome of the trace where an older import holds a person's in its place", () => {
    const older: TraceFailure = { ...TRACE, failure: { ...TRACE.failure, source: "person" } };
    expect(mergeFailure(older, NOTHING_GIVEN).failure.outcome).toBe("unknown");
    expect(mergeFailure(older, NOTHING_GIVEN).sources.outcome).toBeNull();
    expect(mergeFailure(older, { ...NOTHING_GIVEN, outcome: by("failed") }).failure.outcome).toBe("failed");
  });
});
