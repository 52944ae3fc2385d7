import { describe, expect, test } from "vitest";
import type { Answer } from "@/e2e/model-server/answers";
import {
  answersOf,
  diagnosis,
  endOf,
  environmentOf,
  failedRun,
  latestOf,
  look,
  stateOf,
  withInvestigations,
} from "@/e2e/model-server/investigations";
import type { Asked } from "@/e2e/model-server/server";
import { DEFAULT_SETTINGS } from "@/lib/investigator/diagnosis";
import { pool } from "@/lib/store/client";
import { getInvestigations } from "@/lib/store/investigation-reads";
import { cancelInvestigation, startInvestigation } from "@/lib/store/investigations";
import { tokensToday } from "@/lib/store/judge-calls";
import { makeProject, withTestDatabase } from "@/lib/store/test-database";
import { PATIENT, passTime, send, statusOf } from "./test-jobs";
import { makeTrace } from "./test-trace";

const { url } = withTestDatabase();
const { modelServer, worker } = withInvestigations(url);

const isAboutRun = ({ forced }: Asked): boolean => forced !== "freeze_requirements" && forced !== "state_prior";

/** Of the jobs that are held, how many gave a sign of life since they were taken. */
async function signsOfLife(): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::int AS "count" FROM pgboss.job
     WHERE "name" = 'investigate' AND "state" = 'active' AND "heartbeat_on" > "started_on"`,
  );
  return rows[0]?.count ?? 0;
}

describe("several investigations of one worker", { timeout: 240_000 }, () => {
  test("R3: run side by side up to the setting, beside imports; one is ended by a person, and killed ones are not paid twice", async () => {
    const scope = await makeProject();
    let hangs = true;
    const answers =
      (name: string) =>
      (asked: Asked): Answer => {
        if (!isAboutRun(asked)) return answersOf(name)[asked.forced === "state_prior" ? 1 : 0] ?? look;
        return hangs ? { fault: "hang" } : diagnosis(name);
      };
    const names = ["first", "second", "third"];
    const server = await modelServer(names.map((name) => ({ name, marker: `test_${name}`, answers: answers(name) })));
    const environment = environmentOf(server, { MISSTEP_INVESTIGATIONS: "2" });
    const killed = await worker(environment);
    const [first = "", second = "", third = ""] = await Promise.all(names.map((name) => failedRun(scope, name)));
    const analysis = await startInvestigation(scope, first, DEFAULT_SETTINGS);
    await startInvestigation(scope, second, DEFAULT_SETTINGS);
    await startInvestigation(scope, third, DEFAULT_SETTINGS);

    const hanging = (): string[] =>
      server.asked.filter((asked) => isAboutRun(asked)).map(({ script }) => script ?? "none");
    await expect.poll(hanging, PATIENT).toEqual(expect.arrayContaining(["first", "second"]));
    expect(await getInvestigations(scope, third)).toMatchObject({
      latest: { status: "queued" },
      ahead: 2,
      hasWorker: true,
    });
    const imported = await send(scope, makeTrace("beside them", 4));
    await expect.poll(() => statusOf(imported), PATIENT).toBe("ready");
    await expect.poll(signsOfLife, PATIENT).toBe(2);
    expect(await stateOf(scope, third)).toBe("queued");

    await cancelInvestigation(scope, first, analysis);
    await expect.poll(() => server.abandoned.map(({ script }) => script), PATIENT).toEqual(["first"]);
    await expect.poll(hanging, PATIENT).toContain("third");
    expect([await stateOf(scope, first), await stateOf(scope, second)]).toEqual(["cancelled", "running"]);

    await killed.end("SIGKILL");
    hangs = false;
    await Promise.all([second, third].map(passTime));
    await worker(environment);
    expect([await endOf(scope, second), await endOf(scope, third)]).toEqual(["done", "done"]);
    for (const name of names) {
      const forced = server.asked.filter(({ script }) => script === name).map((asked) => asked.forced);
      expect(forced.slice(0, 2)).toEqual(["freeze_requirements", "state_prior"]);
      expect(forced.slice(2)).not.toEqual(expect.arrayContaining(["freeze_requirements"]));
      expect(forced.slice(2)).not.toEqual(expect.arrayContaining(["state_prior"]));
    }
    expect((await latestOf(scope, second))?.diagnosis?.usage.calls).toBe(3);
    expect(await stateOf(scope, first)).toBe("cancelled");
    expect(server.violations).toEqual([]);
  });

  test("ask no more once their project's tokens of the day are used; another project's are its own", async () => {
    const [scope, other] = [await makeProject(), await makeProject()];
    const cheap = answersOf("cheap").map((answer) => ({ ...answer, usage: { input: 10, output: 10 } }));
    const server = await modelServer([
      { name: "left", marker: "test_left", answers: answersOf("left") },
      { name: "right", marker: "test_right", answers: answersOf("right") },
      { name: "cheap", marker: "test_cheap", answers: cheap },
    ]);
    // Each of these answers counts 1,050.
    const limit = 3_000;
    await worker(environmentOf(server, { OPENAI_TOKENS_PER_DAY: String(limit) }));
    const [left = "", right = ""] = await Promise.all(["left", "right"].map((name) => failedRun(scope, name)));
    const elsewhere = await failedRun(other, "cheap");
    await startInvestigation(scope, left, DEFAULT_SETTINGS);
    await startInvestigation(scope, right, DEFAULT_SETTINGS);
    expect([await endOf(scope, left), await endOf(scope, right)]).toEqual(["failed", "failed"]);
    for (const id of [left, right]) {
      const ended = await latestOf(scope, id);
      expect(ended?.error?.message).toContain(`${limit} tokens a day`);
      expect(ended?.diagnosis).toBeNull();
    }
    const used = await tokensToday(scope);
    expect(used).toBeGreaterThanOrEqual(limit);
    // Both may have been asking when it was reached, and neither asked again.
    expect(used).toBeLessThan(limit + 2 * 1_050);
    expect(server.asked).toHaveLength(used / 1_050);
    await startInvestigation(other, elsewhere, DEFAULT_SETTINGS);
    expect(await endOf(other, elsewhere)).toBe("done");
  });
});
