import { describe, expect, test } from "vitest";
import { type Answer, OVERFLOW } from "@/e2e/model-server/answers";
import {
  answersOf,
  diagnosis,
  endOf,
  environmentOf,
  failedRun,
  KEY,
  latestOf,
  look,
  prior,
  requirements,
  usage,
  withInvestigations,
} from "@/e2e/model-server/investigations";
import type { Asked } from "@/e2e/model-server/server";
import { resetEnv } from "@/lib/env";
import { DEFAULT_SETTINGS, diagnosisSchema } from "@/lib/investigator/diagnosis";
import { keyLike } from "@/lib/redact/test-support";
import { database } from "@/lib/store/client";
import { giveFailure } from "@/lib/store/given-failure";
import { getInvestigations } from "@/lib/store/investigation-reads";
import { cancelInvestigation, startInvestigation } from "@/lib/store/investigations";
import { getJudgeCall, tokensToday } from "@/lib/store/judge-calls";
import { exportLabels, getReviews, giveReview } from "@/lib/store/reviews";
import { makeProject, withTestDatabase } from "@/lib/store/test-database";
import { PATIENT, statusOf } from "./test-jobs";

const { url } = withTestDatabase();
const { modelServer, worker } = withInvestigations(url);

describe("an investigation", { timeout: 240_000 }, () => {
  test("asks over real HTTP, is stored with its trail, stands in the list, and can be read question by question", async () => {
    const scope = await makeProject();
    const secrets = [1, 2, 3, 4].map((n) => `ghp_${keyLike(36, n)}`);
    const script = {
      name: "run",
      marker: "test_whole",
      answers: [
        { ...requirements("whole"), expects: { forced: "freeze_requirements", contains: ["FAILED test_whole"] } },
        { ...prior, expects: { forced: "state_prior", lacks: ["Step 2."] } },
        { ...look, expects: { contains: ["Step 2.", "The bug is gone."], forced: null } },
        { ...diagnosis("whole"), expects: { contains: ["pytest"] } },
      ],
    };
    const server = await modelServer([script], secrets);
    await worker(environmentOf(server));
    const id = await failedRun(scope, "whole", `whole ${secrets[0]}`);
    await giveFailure(scope, id, {
      taskStatement: `Fix the bug of whole, as ${secrets[1]} may.`,
      errorReport: `FAILED test_whole: assert 1 == 2, token ${secrets[2]}`,
      failingTestCode: `TOKEN = "${secrets[3]}"`,
    });
    await startInvestigation(scope, id, DEFAULT_SETTINGS);
    expect(await endOf(scope, id)).toBe("done");
    expect(server.violations).toEqual([]);
    const latest = await latestOf(scope, id);
    expect(latest?.diagnosis?.finding).toMatchObject({ turn: 2, fate: "persistent", confidence: "medium" });
    expect(latest?.diagnosis?.usage).toMatchObject({
      calls: 4,
      inputTokens: 4_000,
      cachedTokens: 400,
      outputTokens: 200,
    });
    expect(latest?.trail.map(({ kind }) => kind)).toEqual(["asked", "asked", "asked", "tool", "asked"]);
    const row = await database().trajectory.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ verdictEngine: "investigator", verdictTurn: 2, verdictStatus: "determined" });
    const call = await getJudgeCall(scope, { trajectoryId: id, analysisId: latest?.id, judge: 0, position: 2 });
    expect(call).toMatchObject({ purpose: "investigation", inputTokens: 1_000, answer: { finish: "calls" } });
    expect(call.messages.map(({ text }) => text).join("\n")).toContain("Step 2.");
    const log: string[] = [];
    for (let position = 0; position < 4; position += 1) {
      const asked = { trajectoryId: id, analysisId: latest?.id, judge: 0, position };
      log.push(JSON.stringify(await getJudgeCall(scope, asked)));
    }
    // M7: neither what was sent nor what a person reads of it holds a secret.
    for (const [n, secret] of secrets.entries()) {
      expect(log.join() + JSON.stringify(latest)).not.toContain(secret);
      expect(log.join()).toContain(`[redacted:github-token#${n + 1}]`);
    }
    expect(await tokensToday(scope)).toBe(4 * 1_050);

    await giveReview(scope, id, { analysisId: latest?.id, kind: "moved", turn: 4, reason: "It shows at #5." });
    await giveReview(scope, id, { analysisId: latest?.id, kind: "confirmed", turn: 2, reason: "No, it is right." });
    expect((await getReviews(scope, id)).map(({ kind, turn }) => [kind, turn])).toEqual([
      ["confirmed", 2],
      ["moved", 4],
    ]);
    const labels = [];
    for await (const label of exportLabels(scope)) labels.push(label);
    expect(labels).toMatchObject([
      {
        trajectory: id,
        kind: "confirmed",
        turn: 2,
        engine: "investigator",
        engine_turn: 2,
        reason: "No, it is right.",
      },
    ]);
    await expect(
      giveReview(scope, id, { analysisId: latest?.id, kind: "moved", turn: 99, reason: "x" }),
    ).rejects.toMatchObject({ code: "bad_request" });
  });

  test("is ended by a person at once, and by a failure with its reason; neither is a verdict", async () => {
    const scope = await makeProject();
    const server = await modelServer([
      { name: "slow", marker: "test_slow", answers: () => ({ fault: "hang" }) },
      { name: "shut", marker: "test_shut", answers: () => ({ status: 401, error: { message: `bad key ${KEY}` } }) },
    ]);
    await worker(environmentOf(server));
    const slow = await failedRun(scope, "slow");
    const analysis = await startInvestigation(scope, slow, DEFAULT_SETTINGS);
    await expect(startInvestigation(scope, slow, DEFAULT_SETTINGS)).rejects.toMatchObject({ code: "conflict" });
    await expect.poll(() => server.asked.length, PATIENT).toBeGreaterThan(0);
    await cancelInvestigation(scope, slow, analysis);
    await expect(cancelInvestigation(scope, slow, analysis)).rejects.toMatchObject({ code: "conflict" });

    const shut = await failedRun(scope, "shut");
    await startInvestigation(scope, shut, DEFAULT_SETTINGS);
    expect(await endOf(scope, shut)).toBe("failed");
    const failed = await latestOf(scope, shut);
    expect(failed).toMatchObject({ diagnosis: null, error: { code: "refused" } });
    expect(JSON.stringify(failed)).not.toContain(KEY);
    for (const id of [slow, shut]) {
      expect(await database().trajectory.findUniqueOrThrow({ where: { id } })).toMatchObject({
        verdictEngine: "structural",
      });
    }
    expect((await latestOf(scope, slow))?.status).toBe("cancelled");
    // The slot of the one that was ended is free again.
    await cancelInvestigation(scope, slow, await startInvestigation(scope, slow, DEFAULT_SETTINGS));
  });

  test("R8: goes on over 429, a cut answer, broken JSON, a quotation that is not there and a question that is too long", async () => {
    const scope = await makeProject();
    const broken: Answer = { calls: [{ name: "freeze_requirements", arguments: '{"requirements": [' }], usage };
    const misquoted = diagnosis("elsewhere");
    const answers: Answer[] = [
      { status: 429, error: { message: "slow down" }, headers: { "retry-after": "0" } },
      broken,
      requirements("rough"),
      { fault: "cut" },
      prior,
      OVERFLOW.openai,
      look,
      misquoted,
      diagnosis("rough"),
    ];
    const server = await modelServer([{ name: "run", marker: "test_rough", answers }]);
    await worker(environmentOf(server));
    const id = await failedRun(scope, "rough");
    await startInvestigation(scope, id, DEFAULT_SETTINGS);
    expect(await endOf(scope, id)).toBe("done");
    expect(server.violations).toEqual([]);
    expect(server.asked).toHaveLength(answers.length);
    const latest = await latestOf(scope, id);
    expect(latest?.diagnosis?.finding?.turn).toBe(2);
    expect(latest?.trail.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["refolded", "refused", "tool", "asked"]),
    );
    const first = await getJudgeCall(scope, { trajectoryId: id, analysisId: latest?.id, judge: 0, position: 0 });
    expect(first.failedTries).toEqual(["rate_limited"]);
  });

  test("gives a question up when its seconds are over, and says that this was a limit", async () => {
    const scope = await makeProject();
    const answers = (asked: Asked): Answer =>
      asked.forced === "freeze_requirements" ? requirements("late") : asked.forced === null ? { fault: "hang" } : prior;
    const server = await modelServer([{ name: "run", marker: "test_late", answers }]);
    await worker(environmentOf(server));
    const id = await failedRun(scope, "late");
    await startInvestigation(scope, id, { ...DEFAULT_SETTINGS, limits: { ...DEFAULT_SETTINGS.limits, seconds: 5 } });
    expect(await endOf(scope, id)).toBe("done");
    expect((await latestOf(scope, id))?.diagnosis).toMatchObject({
      finding: null,
      limitReached: expect.stringContaining("5 seconds"),
      verdict: { status: "undetermined" },
    });
    expect(server.abandoned).toHaveLength(1);
  });

  test("is refused without a model, over the day's limit, and for a run that succeeded", async () => {
    const scope = await makeProject();
    const server = await modelServer([{ name: "run", marker: "test_refused", answers: answersOf("refused") }]);
    await worker(environmentOf(server));
    const id = await failedRun(scope, "refused");
    await startInvestigation(scope, id, DEFAULT_SETTINGS);
    expect(await endOf(scope, id)).toBe("done");

    const refusal = async (): Promise<string> => String((await getInvestigations(scope, id)).refusal);
    expect(await refusal()).toBe("null");
    process.env.OPENAI_TOKENS_PER_DAY = "4200";
    resetEnv();
    expect(await refusal()).toContain("4200 tokens a day");
    await expect(startInvestigation(scope, id, DEFAULT_SETTINGS)).rejects.toMatchObject({ code: "conflict" });
    delete process.env.OPENAI_TOKENS_PER_DAY;
    delete process.env.OPENAI_API_KEY;
    resetEnv();
    expect(await refusal()).toContain("No model is configured");
    process.env.OPENAI_API_KEY = KEY;
    resetEnv();
    await expect.poll(() => statusOf(id), PATIENT).toBe("ready");
    await giveFailure(scope, id, { outcome: "resolved" });
    expect(await refusal()).toContain("succeeded");
  });

  test("R13: two workers in other time zones and locales store the same diagnosis to the byte", async () => {
    const stored: string[] = [];
    for (const around of [
      { TZ: "UTC", LANG: "C", LC_ALL: "C" },
      { TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" },
    ]) {
      const scope = await makeProject();
      const server = await modelServer([{ name: "run", marker: "test_twice", answers: answersOf("twice") }]);
      const started = await worker(environmentOf(server, around));
      const id = await failedRun(scope, "twice");
      const analysis = await startInvestigation(scope, id, DEFAULT_SETTINGS);
      expect(await endOf(scope, id)).toBe("done");
      const { result } = await database().analysis.findUniqueOrThrow({ where: { id: analysis } });
      diagnosisSchema.parse(result);
      stored.push(JSON.stringify(result));
      await started.end("SIGTERM");
    }
    expect(stored[1]).toBe(stored[0]);
  });
});
