import { describe, expect, it } from "vitest";
import { exportLabels, getReviews, giveReview } from "./reviews";
import { getRun } from "./runs";
import type { ProjectScope } from "./scope";
import { makeProject, withTestDatabase } from "./test-database";
import { storeRun, thought, turn, verdictAt } from "./test-runs";

withTestDatabase();

const entries = [0, 1, 2].map((n) => turn(n, [thought(`t${n}.0`, `thought ${n}`)]));
const named = verdictAt(1, { item: "t1.0", turn: 1, field: "text", start: 0, end: 9, text: "thought 1" });

/** A run with the structural rule's verdict at #2, and the analysis that the verdict is of. */
async function judged(verdict = named): Promise<{ scope: ProjectScope; id: string; analysisId: string | null }> {
  const scope = await makeProject();
  const { id } = await storeRun(scope, { entries, verdict });
  return { scope, id, analysisId: (await getRun(scope, id))?.verdictId ?? null };
}

async function labelsOf(scope: ProjectScope) {
  const labels = [];
  for await (const label of exportLabels(scope)) labels.push(label);
  return labels;
}

describe("what a person says about the structural rule's verdict", () => {
  it.each([
    { kind: "confirmed", turn: 1, reason: "So it is." },
    { kind: "moved", turn: 2, reason: "It was later." },
    { kind: "rejected", turn: null, reason: "The test is wrong." },
  ] as const)("is kept, and is exported beside what the rule said: $kind", async (said) => {
    const { scope, id, analysisId } = await judged();
    await giveReview(scope, id, { analysisId, ...said });
    expect(await getReviews(scope, id)).toMatchObject([
      { ...said, analysisId, by: scope.actor.name, isOfOlderImport: false },
    ]);
    expect(await labelsOf(scope)).toMatchObject([
      { trajectory: id, ...said, engine: "structural", engine_turn: 1, by: scope.actor.name },
    ]);
  });

  it("is exported without a turn of the rule where that named none", async () => {
    const { scope, id, analysisId } = await judged({
      ...named,
      ...{ status: "undetermined", undeterminedReason: "No file was written." },
    });
    await giveReview(scope, id, { analysisId, kind: "moved", turn: 0, reason: "It was the first one." });
    expect(await labelsOf(scope)).toMatchObject([{ kind: "moved", turn: 0, engine: "structural", engine_turn: null }]);
  });

  it.each([
    [{ kind: "confirmed", turn: null, reason: "x" }, "bad_request"],
    [{ kind: "rejected", turn: 1, reason: "x" }, "bad_request"],
    [{ kind: "moved", turn: 3, reason: "x" }, "bad_request"],
    [{ kind: "moved", turn: 1, reason: " " }, "bad_request"],
  ])("is refused where it does not hold: %j", async (said, code) => {
    const { scope, id, analysisId } = await judged();
    await expect(giveReview(scope, id, { analysisId, ...said })).rejects.toMatchObject({ code });
    expect(await getReviews(scope, id)).toEqual([]);
  });
});
