import { afterEach, beforeAll, expect, it } from "vitest";
import { resetEnv } from "@/lib/env";
import { DEFAULT_SETTINGS } from "@/lib/views/investigation";
import { database } from "./client";
import { giveFailure } from "./given-failure";
import { newId } from "./identifiers";
import { getInvestigation, getInvestigations } from "./investigation-reads";
import { cancelInvestigation, startInvestigation } from "./investigations";
import type { ProjectScope } from "./scope";
import { makeProject, withTestDatabase } from "./test-database";
import { call, importAgain, storeRun, turn } from "./test-runs";
import { beat, forgetWorker } from "./workers";

withTestDatabase();

const entries = [turn(0, [call("t0.0", "bash", { text: "ls", arrival: 10 })])];
let scope: ProjectScope;
beforeAll(async () => {
  scope = await makeProject();
  process.env.OPENAI_API_KEY = `sk-${"store".repeat(6)}`;
  process.env.OPENAI_MODEL = "demo-model";
  resetEnv();
});

const zone = process.env.TZ;
afterEach(async () => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
  await database().analysis.deleteMany({ where: { kind: "investigation" } });
});

const run = async (failure: { referencePatch?: string } = {}): Promise<string> =>
  (await storeRun(scope, { entries, failure })).id;
const start = (id: string): Promise<string> => startInvestigation(scope, id, DEFAULT_SETTINGS);

it("says how many were started before a queued one and have not ended, whoever's they are", async () => {
  const stranger = await makeProject();
  const other = (await storeRun(stranger, { entries })).id;
  const [first, second] = [await run(), await run()];
  const before = await startInvestigation(stranger, other, DEFAULT_SETTINGS);
  await start(first);
  const last = await start(second);
  await start(await run());
  const aheadOf = async (id: string): Promise<number> => (await getInvestigations(scope, id)).ahead;
  expect([await aheadOf(first), await aheadOf(second)]).toEqual([1, 2]);
  await cancelInvestigation(stranger, other, before);
  expect([await aheadOf(first), await aheadOf(second)]).toEqual([0, 1]);
  await database().analysis.update({ where: { id: last }, data: { status: "running" } });
  expect(await aheadOf(second)).toBe(0);
});

it("says whether a worker is alive", async () => {
  const id = await run();
  expect((await getInvestigations(scope, id)).hasWorker).toBe(false);
  await beat("w1");
  expect((await getInvestigations(scope, id)).hasWorker).toBe(true);
  await database().workerHeartbeat.update({ where: { id: "w1" }, data: { seenAt: new Date(Date.now() - 60_000) } });
  expect((await getInvestigations(scope, id)).hasWorker).toBe(false);
  await forgetWorker("w1");
});

it("knows of a reference patch from the trace and from a person, and an empty one is none", async () => {
  const [none, blank, traced] = [
    await run(),
    await run({ referencePatch: " \n" }),
    await run({ referencePatch: "+1" }),
  ];
  const hasReference = async (id: string): Promise<boolean> => (await getInvestigations(scope, id)).hasReference;
  expect([await hasReference(none), await hasReference(blank), await hasReference(traced)]).toEqual([
    false,
    false,
    true,
  ]);
  await giveFailure(scope, none, { referencePatch: "+2" });
  expect(await hasReference(none)).toBe(true);
});

it("refuses a run that succeeded, by the trace's word and by a person's, and one without turns", async () => {
  const refusal = async (id: string): Promise<string | null> => (await getInvestigations(scope, id)).refusal;
  const resolved = (await storeRun(scope, { entries, failure: { outcome: "resolved" } })).id;
  const said = await run();
  expect(await refusal(said)).toBeNull();
  await giveFailure(scope, said, { outcome: "resolved" });
  const empty = (await storeRun(scope, { entries: [] })).id;
  expect([await refusal(resolved), await refusal(said)]).toEqual(Array(2).fill(expect.stringContaining("succeeded")));
  expect(await refusal(empty)).toContain("no turns");
  await expect(start(resolved)).rejects.toMatchObject({ code: "conflict" });
});

it("starts none with a second judge that there is not, and keeps what it is to do without", async () => {
  const id = await run();
  const wanted = startInvestigation(scope, id, { ...DEFAULT_SETTINGS, secondJudge: true });
  await expect(wanted).rejects.toMatchObject({ code: "bad_request" });
  await expect(startInvestigation(scope, id, { ...DEFAULT_SETTINGS, without: ["all"] })).rejects.toThrow(/without/);
  await startInvestigation(scope, id, { ...DEFAULT_SETTINGS, without: ["prior"] });
  expect((await getInvestigations(scope, id)).latest?.settings.without).toEqual(["prior"]);
});

it("lists an investigation of which only the model and the turn can be read, and says of the import that it is about", async () => {
  const id = await run();
  const older = await start(id);
  const result = { model: "judge-large", finding: { turn: 3 } };
  await database().analysis.update({ where: { id: older }, data: { status: "done", result, endedAt: new Date() } });
  await start(id);
  const all = await getInvestigations(scope, id);
  expect(all.rows.map(({ model, turn: named, status }) => ({ model, named, status }))).toEqual([
    { model: null, named: null, status: "queued" },
    { model: "judge-large", named: 3, status: "done" },
  ]);
  expect(all.latest?.id).toBe(all.rows[0]?.id);
  await importAgain(scope, id, { entries });
  expect((await getInvestigations(scope, id)).rows.map(({ isOfOlderImport }) => isOfOlderImport)).toEqual([true, true]);
  expect(await getInvestigation(scope, id, newId())).toBeNull();
});

it("says when, whatever the zone of the process", async () => {
  const id = await run();
  const before = Date.now();
  process.env.TZ = "Pacific/Kiritimati";
  const analysis = await start(id);
  const { createdAt } = (await getInvestigation(scope, id, analysis)) ?? {};
  expect(Math.abs(Date.parse(createdAt ?? "") - before)).toBeLessThan(600_000);
});
