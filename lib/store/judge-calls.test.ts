import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { resetEnv } from "@/lib/env";
import type { JudgeUsage } from "@/lib/judge/port";
import type { CallOutcome } from "@/lib/judge/recording";
import { DEFAULT_SETTINGS } from "@/lib/views/investigation";
import { database } from "./client";
import { newId } from "./identifiers";
import { callLog, getJudgeCall, refusalOfDay, tokensToday } from "./judge-calls";
import type { ProjectScope } from "./scope";
import { makeProject, withTestDatabase } from "./test-database";
import { call, storeRun, turn } from "./test-runs";

withTestDatabase();

let scope: ProjectScope;
let stranger: ProjectScope;
let trajectory: string;
let analysis: string;
beforeAll(async () => {
  [scope, stranger] = [await makeProject(), await makeProject()];
  const entries = [turn(0, [call("t0.0", "bash", { text: "ls", arrival: 10 })])];
  const run = await storeRun(scope, { entries });
  trajectory = run.id;
  analysis = newId();
  const data = { id: analysis, importId: run.importId, kind: "investigation", engine: "investigator" };
  await database().analysis.create({
    data: { ...data, version: "", status: "running", settings: DEFAULT_SETTINGS },
  });
});
beforeEach(async () => {
  await database().judgeCall.deleteMany({});
});
const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const NOTHING_COUNTED: JudgeUsage = { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null };

async function keep(outcome: Partial<JudgeUsage> | "failure", position = 0, words = "question"): Promise<void> {
  const kept: CallOutcome =
    outcome === "failure"
      ? { kind: "failure", code: "timeout", message: "no answer" }
      : {
          kind: "reply",
          reply: { model: "m", text: "answer", calls: [], finish: "stop", usage: { ...NOTHING_COUNTED, ...outcome } },
        };
  await callLog(scope, analysis, 0).keep({
    ...{ position, purpose: "investigation", model: "m", failedTries: [], startedAt: 1_000, endedAt: 2_000 },
    request: JSON.stringify({ messages: [{ role: "user", text: words }], tools: [], temperature: 0 }),
    outcome: kept,
  });
}

it("counts the tokens of the last 24 hours, of the project alone, and none of a question that got no answer", async () => {
  await keep({ inputTokens: 1_000, cachedTokens: 900, outputTokens: 50 });
  await keep({ inputTokens: 200, outputTokens: 5 }, 1);
  await keep("failure", 2);
  expect(await tokensToday(scope)).toBe(1_255);
  expect(await tokensToday(stranger)).toBe(0);
  const old = new Date(Date.now() - 25 * 3_600_000);
  await database().judgeCall.updateMany({ where: { position: 0 }, data: { keptAt: old } });
  expect(await tokensToday(scope)).toBe(205);
});

it("counts about a token for four characters where an endpoint counts nothing", async () => {
  const words = Array.from({ length: 2_000 }, (_, n) => `${(n * 7_919) % 10_007} words`).join(" ");
  await keep({}, 0, words);
  const tokens = await tokensToday(scope);
  expect(tokens).toBeGreaterThan(words.length / 4 / 3);
  expect(tokens).toBeLessThan((words.length / 4) * 3);
});

it("refuses at the limit of the day and not before it", async () => {
  process.env.OPENAI_API_KEY = `sk-${"store".repeat(6)}`;
  process.env.OPENAI_TOKENS_PER_DAY = "100";
  resetEnv();
  await keep({ inputTokens: 90, outputTokens: 9 });
  expect(await refusalOfDay(scope)).toBeNull();
  await keep({ inputTokens: 1, outputTokens: 0 }, 1);
  expect(await refusalOfDay(scope)).toContain("100 tokens a day");
  expect(await refusalOfDay(stranger)).toBeNull();
});

it("says when a question was asked, whichever zones those who keep and read it live in", async () => {
  process.env.TZ = "Pacific/Kiritimati";
  await keep({ inputTokens: 1 });
  process.env.TZ = "America/Los_Angeles";
  const shown = await getJudgeCall(scope, { trajectoryId: trajectory, analysisId: analysis, judge: 0, position: 0 });
  expect([shown.startedAt, shown.endedAt]).toEqual(["1970-01-01T00:00:01.000Z", "1970-01-01T00:00:02.000Z"]);
});
