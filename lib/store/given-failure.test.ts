import { beforeAll, describe, expect, it } from "vitest";
import { GIVEN_TEXT_MAX_BYTES } from "@/lib/catalogue/limits";
import { prepareQueue } from "@/lib/jobs";
import { keyLike } from "@/lib/redact/test-support";
import type { FailureContext } from "@/lib/trajectory/schema";
import { type GivenChange, givenAnswerSchema } from "@/lib/views/failure";
import { database } from "./client";
import { getFailure, getFailurePiece } from "./failure";
import { getGivenFailure, giveFailure } from "./given-failure";
import { beginImport } from "./import-status";
import { getRun } from "./runs";
import type { ProjectScope } from "./scope";
import { createShare, openShare, revokeShare } from "./shares";
import { makeProject, withTestDatabase } from "./test-database";
import { ask, keyHeaders } from "./test-requests";
import { context, importAgain, storeRun, thought, turn } from "./test-runs";
import { getFile, getRow } from "./trajectories";
import { receiveUpload } from "./uploads";

withTestDatabase();

const ENTRIES = [context("c0", "the task"), turn(0, [thought("t0.0", "a")])];

beforeAll(prepareQueue);

async function stored(failure: Partial<FailureContext> = {}): Promise<{ scope: ProjectScope; id: string }> {
  const scope = await makeProject("Given");
  const task = { statement: "The trace's task.", instance: null, repository: null, baseCommit: null };
  const { id } = await storeRun(scope, { entries: ENTRIES, failure, trajectory: { task } });
  return { scope, id };
}

async function jobsOf(id: string): Promise<number> {
  const rows = await database().$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pgboss.job WHERE data->>'trajectoryId' = ${id}`;
  return Number(rows[0]?.count);
}

const rowOf = (id: string) => database().trajectory.findUniqueOrThrow({ where: { id } });

async function textOf(scope: ProjectScope, id: string, what: string) {
  return (await getFailure(scope, id))?.texts.find((one) => one.what === what);
}

describe("what a person says about a failure", () => {
  it("goes before the trace's part by part, with who said it and when, and needs no reading", async () => {
    const { scope, id } = await stored({
      errorReport: "the trace's report",
      foundAt: [{ what: "error_report", where: "/report" }],
    });
    const before = await jobsOf(id);
    const given = { errorReport: "mine", failingTestCode: "def test_fare(): ...", taskStatement: "\nMy task.\nMore." };
    expect(await giveFailure(scope, id, given)).toEqual({ readsAgain: false });
    expect(await textOf(scope, id, "errorReport")).toMatchObject({
      ...{ text: "mine", totalChars: 4, ownChars: 18, source: "person", by: scope.actor.name, places: [] },
      at: expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(await textOf(scope, id, "failingTestCode")).toMatchObject({ source: "person", ownChars: null });
    expect(await textOf(scope, id, "referencePatch")).toMatchObject({ source: null, text: "", by: null, at: null });
    const run = await getRun(scope, id);
    expect(run).toMatchObject({ taskStatement: "\nMy task.\nMore.", failure: { texts: 2 } });
    expect(await getRow(scope, id)).toMatchObject({ status: "ready", task: "My task.", outcome: "failed" });
    expect(await jobsOf(id)).toBe(before);
  });

  it("is said at the time of the clock, whatever zone the process and the database are in", async () => {
    const { scope, id } = await stored();
    const since = Date.now();
    await giveFailure(scope, id, { errorReport: "now" });
    const at = Date.parse((await getGivenFailure(scope, id)).errorReport?.at ?? "");
    expect(Math.abs(at - since)).toBeLessThan(60_000);
  });

  it("names the page where the trace calls the run nothing, and not where it does", async () => {
    const { scope, id } = await stored();
    const own = (await getRun(scope, id))?.title;
    await giveFailure(scope, id, { taskStatement: "\nMy task.\nMore." });
    expect(await getRun(scope, id)).toMatchObject({ title: "My task.", taskSource: "person" });
    await giveFailure(scope, id, { taskStatement: null });
    expect(await getRun(scope, id)).toMatchObject({ title: own, taskSource: "trace" });
    const named = await storeRun(scope, { entries: ENTRIES, failure: {}, trajectory: { title: "Its own title" } });
    await giveFailure(scope, named.id, { taskStatement: "My task." });
    expect((await getRun(scope, named.id))?.title).toBe("Its own title");
  });

  it("is refused where somebody else said it since it was seen, and loses neither", async () => {
    const { scope, id } = await stored();
    const at = async (part: "errorReport" | "outcome") => (await getGivenFailure(scope, id))[part]?.at ?? null;
    await giveFailure(scope, id, { errorReport: "first" }, { errorReport: null });
    const seen = { errorReport: await at("errorReport") };
    await giveFailure(scope, id, { errorReport: "second" }, seen);
    await database().givenPart.updateMany({
      where: { trajectoryId: id },
      data: { givenByName: "Ines", givenAt: new Date("2026-12-01T10:00:00.123Z") },
    });
    await expect(giveFailure(scope, id, { errorReport: "third", referencePatch: "--- a" }, seen)).rejects.toMatchObject(
      {
        code: "conflict",
        message: "Ines has changed the error report since you opened it. Nothing of yours was saved yet.",
      },
    );
    expect(await getGivenFailure(scope, id)).toMatchObject({ errorReport: { value: "second" }, referencePatch: null });
    // The same said twice is no disagreement; what was seen last, and what nobody compares, may be changed.
    await giveFailure(scope, id, { errorReport: "second" }, seen);
    await giveFailure(scope, id, { errorReport: "third" }, { errorReport: await at("errorReport") });
    await giveFailure(scope, id, { errorReport: "fourth" });
    await giveFailure(scope, id, { errorReport: null });
    await expect(giveFailure(scope, id, { errorReport: "fifth" }, seen)).rejects.toMatchObject({
      message: "Somebody has taken the error report back since you opened it. Nothing of yours was saved yet.",
    });
  });

  it("is taken back by null or by nothing but white space: the trace's own counts again", async () => {
    const { scope, id } = await stored({ errorReport: "the trace's report" });
    await giveFailure(scope, id, { errorReport: "mine", referencePatch: "--- a", taskStatement: "mine" });
    await giveFailure(scope, id, { errorReport: null, referencePatch: " \n " });
    expect(await textOf(scope, id, "errorReport")).toMatchObject({ text: "the trace's report", source: "trace" });
    expect(await textOf(scope, id, "referencePatch")).toMatchObject({ source: null });
    expect(await textOf(scope, id, "taskStatement")).toMatchObject({ text: "mine", source: "person" });
    await giveFailure(scope, id, { taskStatement: null });
    expect(await getRow(scope, id)).toMatchObject({ task: "The trace's task." });
  });

  it("keeps its author and date when the same is said again", async () => {
    const { scope, id } = await stored();
    await giveFailure(scope, id, { errorReport: "mine" });
    const data = { givenByName: "Before", givenAt: new Date(0) };
    await database().givenPart.updateMany({ where: { trajectoryId: id }, data });
    await giveFailure(scope, id, { errorReport: "mine" });
    expect((await getGivenFailure(scope, id)).errorReport).toEqual({
      ...{ value: "mine", by: "Before", at: "1970-01-01T00:00:00.000Z" },
    });
  });

  it("changes the outcome in the list and on the page at once, and queues one reading; so does taking it back", async () => {
    const { scope, id } = await stored({ outcome: "failed" });
    const before = await jobsOf(id);
    expect(await giveFailure(scope, id, { outcome: "resolved" })).toEqual({ readsAgain: true });
    expect(await getRow(scope, id)).toMatchObject({ status: "queued", outcome: "resolved" });
    expect((await getFailure(scope, id))?.outcome).toMatchObject({
      ...{ value: "resolved", own: "failed", source: "person" },
    });
    expect((await getRun(scope, id))?.row.outcome).toBe("resolved");
    // The job of the first is still to come, and reads what is said then.
    expect(await giveFailure(scope, id, { outcome: null })).toEqual({ readsAgain: false });
    expect(await jobsOf(id)).toBe(before + 1);
    expect(await rowOf(id)).toMatchObject({ givenOutcome: null, outcome: "failed" });
    expect((await beginImport(scope, id))?.givenOutcome).toBeNull();
  });

  it("queues nothing for the outcome that was said already", async () => {
    const { scope, id } = await stored({ outcome: "failed" });
    await giveFailure(scope, id, { outcome: "resolved" });
    await importAgain(scope, id, { entries: ENTRIES });
    expect(await giveFailure(scope, id, { outcome: "resolved", errorReport: "more" })).toEqual({ readsAgain: false });
    expect((await rowOf(id)).status).toBe("ready");
  });

  it("waits with another outcome while it is being imported, and takes everything else", async () => {
    const { scope, id } = await stored();
    await database().trajectory.update({ where: { id }, data: { status: "importing" } });
    await expect(giveFailure(scope, id, { outcome: "resolved", errorReport: "x" })).rejects.toMatchObject({
      ...{ code: "conflict", message: expect.stringContaining("being imported") },
    });
    expect(await textOf(scope, id, "errorReport")).toMatchObject({ source: null });
    await giveFailure(scope, id, { errorReport: "x" });
    expect(await textOf(scope, id, "errorReport")).toMatchObject({ source: "person" });
  });

  it("stays when the trajectory is read again, and names it in the list", async () => {
    const { scope, id } = await stored();
    await giveFailure(scope, id, { taskStatement: "My task.", errorReport: "mine" });
    const task = { statement: "The trace's task.", instance: null, repository: null, baseCommit: null };
    await importAgain(scope, id, { entries: ENTRIES, trajectory: { task } });
    expect(await getRow(scope, id)).toMatchObject({ task: "My task." });
    expect(await textOf(scope, id, "errorReport")).toMatchObject({ text: "mine" });
  });

  it("holds no text over the limit, and says which and how much it may be", async () => {
    const { scope, id } = await stored();
    const long = "é".repeat(GIVEN_TEXT_MAX_BYTES / 2);
    await giveFailure(scope, id, { errorReport: long });
    await expect(giveFailure(scope, id, { errorReport: "x", failingTestCode: `${long}!` })).rejects.toMatchObject({
      code: "too_large",
      message: "The failing test has 1048577 bytes; it may have at most 1048576.",
    });
    expect(await textOf(scope, id, "errorReport")).toMatchObject({ totalChars: long.length });
  });

  it("is cleaned of what cannot be stored", async () => {
    const { scope, id } = await stored();
    await giveFailure(scope, id, { errorReport: `a\u0000b\ud800c\u{1f511}` });
    expect(await textOf(scope, id, "errorReport")).toMatchObject({ text: "a\ufffdb\ufffdc\u{1f511}" });
  });

  it("is read in pieces that make the whole", async () => {
    const { scope, id } = await stored();
    const long = "\u{1f511}ab".repeat(50_000);
    await giveFailure(scope, id, { errorReport: long });
    const view = await textOf(scope, id, "errorReport");
    expect(view?.totalChars).toBe(200_000);
    expect(long.startsWith(view?.text ?? "none")).toBe(true);
    let whole = "";
    for (let offset: number | null = 0; offset !== null; ) {
      const piece = await getFailurePiece(scope, id, { what: "errorReport", offset });
      whole += piece?.text;
      offset = piece?.nextOffset ?? null;
    }
    expect(whole).toBe(long);
    expect(await getFailurePiece(scope, id, { what: "referencePatch", offset: 0 })).toBeNull();
    expect(await getFailurePiece(await makeProject(), id, { what: "errorReport", offset: 0 })).toBeNull();
  });

  it("is recorded, and goes with its trajectory", async () => {
    const { scope, id } = await stored();
    await giveFailure(scope, id, { errorReport: "mine", outcome: "resolved", referencePatch: null });
    const event = await database().auditEvent.findFirstOrThrow({ where: { subject: id, action: "failure.give" } });
    expect(event.data).toEqual({ given: ["outcome", "errorReport"], cleared: ["referencePatch"] });
    await database().trajectory.delete({ where: { id } });
    expect(await database().givenPart.count({ where: { trajectoryId: id } })).toBe(0);
  });

  it("is nobody's in another project", async () => {
    const { scope, id } = await stored();
    await giveFailure(scope, id, { errorReport: "mine" });
    const other = await makeProject("Other");
    await expect(giveFailure(other, id, { errorReport: "theirs" })).rejects.toMatchObject({ code: "not_found" });
    expect((await getGivenFailure(other, id)).errorReport).toBeNull();
    expect((await getGivenFailure(scope, id)).errorReport?.value).toBe("mine");
  });
});

describe("what a link shows of it", () => {
  const open = async (scope: ProjectScope, id: string) => {
    const opened = await openShare((await createShare(scope, id)).path.slice("/s/".length));
    if (opened === null) throw new Error("the link does not open");
    return opened.scope;
  };

  it("is what was said when it was made, without who said it", async () => {
    const { scope, id } = await stored({ outcome: "failed" });
    const before = await open(scope, id);
    await giveFailure(scope, id, { errorReport: "mine", outcome: "resolved", taskStatement: "My task." });
    const after = await open(scope, id);
    await giveFailure(scope, id, { errorReport: "changed", outcome: null });
    expect((await getFailure(before, id))?.texts.map(({ source }) => source)).toEqual(["trace", null, null, null]);
    expect((await getRun(before, id))?.row.outcome).toBe("failed");
    const shown = await getFailure(after, id);
    expect(shown?.texts.find(({ what }) => what === "errorReport")).toMatchObject({ text: "mine", by: null });
    expect(shown?.outcome).toMatchObject({ value: "resolved", by: null, at: expect.any(String) });
    expect(await getRun(after, id)).toMatchObject({ row: { outcome: "resolved" }, taskStatement: "My task." });
    expect((await getRun(after, id))?.permissions.giveFailure).toBe(false);
  });

  it("goes when the link is revoked", async () => {
    const { scope, id } = await stored();
    await giveFailure(scope, id, { errorReport: "mine" });
    const { share } = await createShare(scope, id);
    const row = () => database().share.findUniqueOrThrow({ where: { id: share.id } });
    expect((await row()).given).toContain("mine");
    await revokeShare(scope, id, share.id);
    expect((await row()).given).toBeNull();
  });

  it("is masked, also where the words around a secret of it stand only in what was said", async () => {
    const { scope, id } = await stored();
    const secret = keyLike(20, 5);
    const task = `${"x".repeat(23_990)} DB_PASSWORD=${secret}`;
    await giveFailure(scope, id, { errorReport: `it used ${secret} there`, taskStatement: task });
    const share = await open(scope, id);
    const piece = await getFailurePiece(share, id, { what: "taskStatement", offset: 0 });
    for (const answer of [await getFailure(share, id), piece, await getRun(share, id)]) {
      expect(JSON.stringify(answer)).not.toContain(secret.slice(0, 8));
    }
    expect(JSON.stringify(await getFailure(share, id))).toContain("it used [redacted:");
  });
});

describe("what is said with an upload", () => {
  const send = (scope: ProjectScope, text: string, given: GivenChange) =>
    receiveUpload(scope, {
      ...{ name: "run.traj", body: new Blob([text]).stream(), contentLength: text.length, sha256: null, given },
    });

  it("is there before the import begins", async () => {
    const scope = await makeProject();
    const { id, givenRefused } = await send(scope, "bytes", {
      outcome: "failed",
      errorReport: "E",
      referencePatch: "",
    });
    expect(givenRefused).toBeNull();
    expect((await beginImport(scope, id))?.givenOutcome).toBe("failed");
    expect(await getGivenFailure(scope, id)).toMatchObject({
      ...{ outcome: { value: "failed" }, errorReport: { value: "E", by: scope.actor.name }, referencePatch: null },
    });
  });

  it("is taken over by the run that the same bytes are already, or says why not", async () => {
    const scope = await makeProject();
    const { id } = await send(scope, "same", { errorReport: "first" });
    expect(await send(scope, "same", { errorReport: "second" })).toMatchObject({
      id,
      duplicate: true,
      givenRefused: null,
    });
    expect((await getGivenFailure(scope, id)).errorReport?.value).toBe("second");
    await database().trajectory.update({ where: { id }, data: { status: "several", partCount: 3 } });
    const refused = await send(scope, "same", { errorReport: "third" });
    expect(refused.givenRefused).toContain("several trajectories");
    expect((await getGivenFailure(scope, id)).errorReport?.value).toBe("second");
    expect((await getFile(scope, id))?.givenParts).toBe(1);
  });

  it("is refused before a byte is stored when it is too long", async () => {
    const scope = await makeProject();
    const given = { errorReport: "x".repeat(GIVEN_TEXT_MAX_BYTES + 1) };
    await expect(send(scope, "bytes", given)).rejects.toMatchObject({ code: "too_large" });
    expect(await database().upload.count({ where: { projectId: scope.projectId } })).toBe(0);
  });
});

describe("the route", () => {
  const put = async (scope: ProjectScope, id: string, body: string) =>
    ask("trajectories/[id]/failure", { method: "PUT", params: { id }, headers: await keyHeaders(scope), body });

  it("answers with what is known now", async () => {
    const { scope, id } = await stored();
    const answer = await put(scope, id, '{"outcome": "resolved", "errorReport": "E"}');
    expect(answer.status).toBe(200);
    const { failure, readsAgain } = givenAnswerSchema.parse(await answer.json());
    expect([failure?.outcome.value, readsAgain]).toEqual(["resolved", true]);
  });

  it.each([
    ["not JSON", 400, "not JSON"],
    ['{"outcome": "fine"}', 400, "cannot be said"],
    ['{"verdict": 3}', 400, "cannot be said"],
    [JSON.stringify({ errorReport: "x".repeat(GIVEN_TEXT_MAX_BYTES + 1) }), 413, "at most 1048576"],
    [`"${"x".repeat(9 * GIVEN_TEXT_MAX_BYTES)}"`, 413, "8388608 bytes"],
  ])("refuses %.20s with %i and a reason", async (body, status, words) => {
    const { scope, id } = await stored();
    const answer = await put(scope, id, body);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(words);
    expect(await database().givenPart.count({ where: { trajectoryId: id } })).toBe(0);
  });

  it("takes what is said before the file's bytes, in one request", async () => {
    const scope = await makeProject();
    const given = JSON.stringify({ outcome: "failed", errorReport: "é" });
    const body = `${given}the file`;
    const headers = {
      ...(await keyHeaders(scope)),
      "x-misstep-given-bytes": String(Buffer.byteLength(given)),
      "content-length": String(Buffer.byteLength(body)),
    };
    const answer = await ask("uploads", { method: "POST", query: "?name=a", headers, body });
    expect(answer.status).toBe(201);
    const { id, sizeBytes } = Object(await answer.json());
    expect(sizeBytes).toBe(8);
    expect(await getGivenFailure(scope, id)).toMatchObject({
      errorReport: { value: "é" },
      outcome: { value: "failed" },
    });
    const short = { ...headers, "x-misstep-given-bytes": "4000" };
    const cut = await ask("uploads", { method: "POST", query: "?name=a", headers: short, body });
    expect([cut.status, await cut.text()]).toEqual([400, expect.stringContaining("ends before")]);
  });
});
