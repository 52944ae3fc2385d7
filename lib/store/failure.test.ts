import { describe, expect, it } from "vitest";
import { keyLike } from "@/lib/redact/test-support";
import type { FailureContext } from "@/lib/trajectory/schema";
import { failureViewSchema } from "@/lib/views/failure";
import { ANSWER_MAX_BYTES, jsonBytes } from "./answer-size";
import { getFailure } from "./failure";
import { getRun } from "./runs";
import type { ProjectScope } from "./scope";
import { createShare, openShare } from "./shares";
import { makeProject, withTestDatabase } from "./test-database";
import { storeRun, thought, turn } from "./test-runs";

withTestDatabase();

async function stored(failure: Partial<FailureContext>): Promise<{ scope: ProjectScope; id: string }> {
  const scope = await makeProject("Failure");
  const entries = [0, 1, 2].map((n) => turn(n, [thought(`t${n}.0`, "a", n)]));
  return { scope, id: (await storeRun(scope, { entries, failure })).id };
}

describe("what is known of how a run ended", () => {
  it("is the outcome alone when the trace says no more", async () => {
    const { scope, id } = await stored({ outcome: "unknown" });
    const unsaid = { source: null, by: null, at: null, places: [] };
    const whats = ["taskStatement", "errorReport", "failingTestCode", "referencePatch"];
    expect(await getFailure(scope, id)).toEqual({
      outcome: { value: "unknown", own: "unknown", ...unsaid },
      texts: whats.map((what) => ({ what, text: "", totalChars: 0, ownChars: null, ...unsaid })),
      ...{ checks: [], omittedChecks: 0, labels: [], foundAt: [] },
    });
    expect((await getRun(scope, id))?.failure).toEqual({ passed: 0, failed: 0, unsaid: 0, texts: 0, labels: 0 });
  });

  it("is everything that came with the trace, with its place, and a label with the turns of its step", async () => {
    const { scope, id } = await stored({
      errorReport: "AssertionError: 3 != 4",
      referencePatch: "--- a\n+++ b\n",
      verification: [
        { name: "test_a", passed: true },
        { name: "test_b", passed: false, detail: "reward 0" },
        { name: "test_c", passed: null },
      ],
      foundAt: [
        { what: "error_report", where: "/test_result/report" },
        { what: "verification", where: "/test_result/tests" },
      ],
      labels: [
        { kind: "mistake", step: "1", convention: "trajectory", agent: "Coder", reason: "It forgot." },
        {
          ...{ kind: "mistake", step: "1", convention: "another", agent: null, reason: null },
          ...{ definition: { text: "A text.", source: "A set" }, origin: "human" },
        },
      ],
    });
    const view = failureViewSchema.parse(await getFailure(scope, id));
    expect(view.checks).toEqual([
      { name: "test_a", passed: true, detail: null },
      { name: "test_b", passed: false, detail: "reward 0" },
      { name: "test_c", passed: null, detail: null },
    ]);
    expect(view.texts.flatMap(({ what, source, places }) => (source === null ? [] : [[what, source, places]]))).toEqual(
      [
        ["errorReport", "trace", ["/test_result/report"]],
        ["referencePatch", "trace", []],
      ],
    );
    expect(view.labels.map(({ turns }) => turns)).toEqual([[1], []]);
    expect(view.labels[1]).toMatchObject({ definition: { text: "A text.", source: "A set" }, origin: "human" });
    expect(view.foundAt).toEqual([{ what: "verification", where: "/test_result/tests" }]);
    expect((await getRun(scope, id))?.failure).toEqual({ passed: 1, failed: 1, unsaid: 1, texts: 2, labels: 2 });
  });

  it("is cut and counted when it is long, and fits into an answer", async () => {
    const { scope, id } = await stored({
      errorReport: "x".repeat(3_000_000),
      verification: Array.from({ length: 20_000 }, (_, n) => ({
        name: `tests/test_module.py::test_${n}`,
        passed: false,
      })),
    });
    const view = failureViewSchema.parse(await getFailure(scope, id));
    expect(view.texts[1]).toMatchObject({ totalChars: 3_000_000, text: "x".repeat(24_000) });
    expect(view.checks.length + view.omittedChecks).toBe(20_000);
    expect(view.omittedChecks).toBeGreaterThan(0);
    expect(jsonBytes(view)).toBeLessThan(ANSWER_MAX_BYTES);
  });

  it("shows a share no secret of a report, also across the place where the text is cut", async () => {
    const secret = ["sk-", "ant-", "api03-", keyLike(80, 3)].join("");
    const { scope, id } = await stored({
      errorReport: `${"x".repeat(23_990)} ${secret}`,
      verification: [{ name: `test with ${secret}`, passed: false }],
    });
    const opened = await openShare((await createShare(scope, id)).path.slice("/s/".length));
    if (opened === null) throw new Error("the link does not open");
    const answer = JSON.stringify(await getFailure(opened.scope, id));
    expect(answer).not.toContain(secret.slice(0, 12));
    expect(answer).toContain("[redacted:");
  });

  it("is nothing for another project", async () => {
    const { id } = await stored({});
    expect(await getFailure(await makeProject("Other"), id)).toBeNull();
  });
});
