import { beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "@/lib/views/investigation";
import { database } from "./client";
import { callLog } from "./judge-calls";
import type { ProjectScope } from "./scope";
import { createShare } from "./shares";
import { makeProject, withTestDatabase } from "./test-database";
import { type Asked, ask, keyHeaders, type Method, methodsOf, routeFolders, stringsOf } from "./test-requests";
import { call, context, createsFile, result, storeRun, turn } from "./test-runs";

withTestDatabase();

/** What project B has: everything that an address can name. */
interface Belongings {
  scope: ProjectScope;
  id: string;
  share: string;
  token: string;
  upload: Uint8Array;
  /** An investigation that is queued. */
  analysis: string;
}

/** What A's session asks for with B's identifiers, and what has to come of it. */
interface Row {
  asked: (b: Belongings) => Asked;
  /** `nothing`: 404. `own`: it works for A, and shows and changes nothing of B. `link`: whoever holds the link may read. */
  gives: "nothing" | "own" | "link";
}

const ofB = (more: Omit<Asked, "params"> = {}, params: Record<string, string> = {}): Row => ({
  asked: (b) => ({ ...more, params: { id: b.id, ...params } }),
  gives: "nothing",
});
const link = (query = "", params: Record<string, string> = {}): Row => ({
  asked: (b) => ({ query, params: { token: b.token, ...params } }),
  gives: "link",
});

/** One row for each method of each route file under app/api/v1. A route without a row fails the test below. */
const MATRIX: Record<string, Partial<Record<Method, Row>>> = {
  // No body, query or header of it is read: there is nothing of B to ask for.
  "model/probe": { POST: { asked: () => ({ body: '{"base_url":"http://127.0.0.1:1/v1"}' }), gives: "own" } },
  trajectories: { GET: { asked: () => ({}), gives: "own" } },
  "trajectories/[id]": { GET: ofB() },
  "trajectories/[id]/baseline": { POST: ofB({ query: "?name=a.py", body: "x = 1\n" }) },
  "trajectories/[id]/code": { GET: ofB({ query: "?file=0&turn=0" }) },
  "trajectories/[id]/contexts/[n]": { GET: ofB({}, { n: "0" }) },
  "trajectories/[id]/contexts/[n]/find": { GET: ofB({ query: "?q=belongs" }, { n: "0" }) },
  "trajectories/[id]/find": { GET: ofB({ query: "?q=belongs" }) },
  "trajectories/[id]/read-again": { POST: ofB() },
  "trajectories/[id]/retry": { POST: ofB() },
  "trajectories/[id]/shares": { GET: ofB(), POST: ofB({ body: '{"days":7}' }) },
  "trajectories/[id]/shares/[share]": {
    DELETE: { asked: (b) => ({ params: { id: b.id, share: b.share } }), gives: "nothing" },
  },
  "trajectories/[id]/investigations": {
    GET: ofB(),
    POST: ofB({ body: JSON.stringify(DEFAULT_SETTINGS) }),
  },
  "trajectories/[id]/investigations/[analysis]": {
    GET: { asked: (b) => ({ params: { id: b.id, analysis: b.analysis } }), gives: "nothing" },
    DELETE: { asked: (b) => ({ params: { id: b.id, analysis: b.analysis } }), gives: "nothing" },
  },
  "trajectories/[id]/investigations/[analysis]/calls/[judge]/[position]": {
    GET: {
      asked: (b) => ({ params: { id: b.id, analysis: b.analysis, judge: "0", position: "0" } }),
      gives: "nothing",
    },
  },
  "trajectories/[id]/reviews": {
    POST: {
      asked: (b) => ({
        params: { id: b.id },
        body: JSON.stringify({ analysisId: b.analysis, kind: "rejected", turn: null, reason: "no" }),
      }),
      gives: "nothing",
    },
  },
  labels: { GET: { asked: () => ({}), gives: "own" } },
  "trajectories/[id]/failure": { GET: ofB(), PUT: ofB({ body: '{"outcome":"resolved","errorReport":"E"}' }) },
  "trajectories/[id]/failure/text": { GET: ofB({ query: "?what=errorReport" }) },
  "trajectories/[id]/texts": { GET: ofB({ query: "?item=t0.0&field=arguments&offset=0" }) },
  "trajectories/[id]/turns": { GET: ofB() },
  "trajectories/[id]/turns/[index]": { GET: ofB({}, { index: "0" }) },
  "trajectories/[id]/turns/[index]/find": { GET: ofB({ query: "?q=belongs" }, { index: "0" }) },
  "trajectories/[id]/turns/[index]/raw": { GET: ofB({}, { index: "0" }) },
  "trajectories/[id]/upload": { GET: ofB() },
  uploads: {
    POST: {
      asked: (b) => ({
        query: "?name=same.traj",
        body: new TextDecoder().decode(b.upload),
        headers: { "content-length": String(b.upload.length) },
      }),
      gives: "own",
    },
  },
  "shared/[token]": { GET: link() },
  "shared/[token]/code": { GET: link("?file=0&turn=0") },
  "shared/[token]/contexts/[n]": { GET: link("", { n: "0" }) },
  "shared/[token]/contexts/[n]/find": { GET: link("?q=belongs", { n: "0" }) },
  "shared/[token]/find": { GET: link("?q=belongs") },
  "shared/[token]/failure": { GET: link() },
  "shared/[token]/failure/text": { GET: link("?what=errorReport") },
  "shared/[token]/texts": { GET: link("?item=t0.0&field=arguments&offset=0") },
  "shared/[token]/turns": { GET: link() },
  "shared/[token]/turns/[index]": { GET: link("", { index: "0" }) },
  "shared/[token]/turns/[index]/find": { GET: link("?q=belongs", { index: "0" }) },
};

const STRANGERS: Record<string, string>[] = [
  {},
  { authorization: "Bearer misstep_wrong" },
  { cookie: "better-auth.session_token=x.y" },
];
const FOREIGN: Record<string, string>[] = [{ origin: "http://127.0.0.1:9999" }, { host: "evil.example" }];

const folders = routeFolders();
const cells: { folder: string; method: Method }[] = [];
for (const folder of folders) for (const method of await methodsOf(folder)) cells.push({ folder, method });

async function belongingsOf(scope: ProjectScope, mark: string): Promise<Belongings> {
  const upload = new TextEncoder().encode(`{"secret of":"${mark}"}\n`);
  const span = { line: 1, pointer: null, start: 0, end: upload.length };
  const { id } = await storeRun(scope, {
    upload,
    name: `${mark}.traj`,
    entries: [
      context("c0", `task ${mark}`),
      createsFile(0, `/testbed/${mark}.py`, `${mark} = 1\n`),
      turn(1, [
        { ...call("t1.0", "bash", { text: `echo ${mark}`, arrival: 20 }), raw: [span] },
        result("t1.1", "t1.0", mark, { arrival: 21 }),
      ]),
    ],
    failure: { errorReport: mark },
  });
  const created = await createShare(scope, id);
  const analysis = await queuedInvestigation(scope, id, mark);
  return { scope, id, share: created.share.id, token: created.path.slice(3), upload, analysis };
}

/** An investigation with a question in its log. No model is configured here, so it is not started as a person does. */
async function queuedInvestigation(scope: ProjectScope, id: string, mark: string): Promise<string> {
  const { currentImportId } = await database().trajectory.findUniqueOrThrow({ where: { id } });
  const { id: analysis } = await database().analysis.create({
    data: {
      ...{
        id: `investigation-${mark}`,
        importId: currentImportId ?? "",
        kind: "investigation",
        engine: "investigator",
      },
      ...{ version: "", status: "queued", settings: DEFAULT_SETTINGS, createdByName: mark },
    },
  });
  await callLog(scope, analysis, 0).keep({
    ...{ position: 0, purpose: "requirements", model: "m", failedTries: [], startedAt: 0, endedAt: 1 },
    request: JSON.stringify({ messages: [{ role: "user", text: mark }], tools: [], temperature: 0 }),
    outcome: { kind: "failure", code: "timeout", message: mark },
  });
  return analysis;
}

/** All rows of a project, as text: equal before and after means unchanged. */
async function everythingOf(b: Belongings): Promise<string> {
  const { projectId } = b.scope;
  const db = database();
  return JSON.stringify(
    [
      await db.trajectory.findMany({ where: { projectId }, orderBy: { id: "asc" } }),
      await db.share.findMany({ where: { projectId }, orderBy: { id: "asc" } }),
      await db.upload.findMany({ where: { projectId }, orderBy: { id: "asc" } }),
      await db.baselineFile.findMany({ where: { trajectory: { projectId } } }),
      await db.givenPart.findMany({ where: { trajectory: { projectId } } }),
      await db.import.findMany({ where: { trajectory: { projectId } }, orderBy: { id: "asc" } }),
      await db.analysis.findMany({ where: { import: { trajectory: { projectId } } }, orderBy: { id: "asc" } }),
      await db.judgeCall.findMany({ where: { projectId }, orderBy: { id: "asc" } }),
      await db.review.findMany({ where: { trajectory: { projectId } }, orderBy: { id: "asc" } }),
      await db.auditEvent.findMany({ where: { projectId }, orderBy: { id: "asc" } }),
    ],
    (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value),
  );
}

describe("A4: nobody reads or changes what belongs to another project", () => {
  const markOfB = "belongs_to_b";
  let a: Belongings;
  let b: Belongings;
  let asA: Record<string, string>;

  beforeAll(async () => {
    a = await belongingsOf(await makeProject("A"), "belongs_to_a");
    b = await belongingsOf(await makeProject("B"), markOfB);
    asA = await keyHeaders(a.scope);
  });

  it("has a row for every method of every route file, and none too many", () => {
    const rows = Object.entries(MATRIX).flatMap(([folder, methods]) =>
      Object.keys(methods).map((m) => `${m} ${folder}`),
    );
    expect(rows.sort()).toEqual(cells.map(({ folder, method }) => `${method} ${folder}`).sort());
    expect(folders.length).toBeGreaterThan(15);
  });

  it.each(cells)("$method $folder", async ({ folder, method }) => {
    const row = MATRIX[folder]?.[method];
    if (row === undefined) throw new Error("this route has no row in the matrix");
    const before = await everythingOf(b);
    const asked = row.asked(b);
    const answer = await ask(folder, { ...asked, method, headers: { ...asA, ...asked.headers } });
    const text = await answer.text();
    expect(await everythingOf(b)).toBe(before);
    if (row.gives === "nothing") {
      expect(answer.status).toBe(404);
      expect(text).not.toContain(markOfB);
      return;
    }
    expect(answer.ok, `${answer.status} ${text.slice(0, 300)}`).toBe(true);
    if (row.gives === "own") expect(text).not.toContain(b.id);
    else expect(stringsOf(JSON.parse(text)).join("\n")).not.toContain(b.id);
  });

  it.each(cells.filter(({ folder, method }) => method === "GET" && folder.startsWith("trajectories/[id]")))(
    "$method $folder works with one's own identifiers, so that 404 above means something",
    async ({ folder, method }) => {
      const asked = MATRIX[folder]?.[method]?.asked(a) ?? {};
      const answer = await ask(folder, { ...asked, method, headers: { ...asA, ...asked.headers } });
      expect(answer.status).toBe(200);
      await answer.text();
    },
  );

  it.each(cells.filter(({ folder }) => !folder.startsWith("shared/")))(
    "$method $folder refuses a stranger",
    async ({ folder, method }) => {
      const asked = MATRIX[folder]?.[method]?.asked(b) ?? {};
      const before = await everythingOf(b);
      for (const headers of STRANGERS) {
        const answer = await ask(folder, { ...asked, method, headers: { ...asked.headers, ...headers } });
        expect(answer.status).toBe(401);
        expect(await answer.text()).not.toContain(markOfB);
      }
      expect(await everythingOf(b)).toBe(before);
    },
  );

  it.each(cells.filter(({ method }) => method !== "GET"))(
    "$method $folder refuses a request that another page made the browser send",
    async ({ folder, method }) => {
      const asked = MATRIX[folder]?.[method]?.asked(a) ?? {};
      const before = await everythingOf(a);
      for (const headers of FOREIGN) {
        const answer = await ask(folder, { ...asked, method, headers: { ...asked.headers, ...headers } });
        expect(answer.status).toBe(403);
      }
      expect(await everythingOf(a)).toBe(before);
    },
  );

  it("a link of B is no key to B's project, and a key of A opens no link of B's in A's name", async () => {
    for (const authorization of [`Bearer ${b.token}`, `Bearer ${b.share}`]) {
      const answer = await ask("trajectories/[id]", { params: { id: b.id }, headers: { authorization } });
      expect(answer.status).toBe(401);
    }
    const crossed = await ask("trajectories/[id]/shares/[share]", {
      method: "DELETE",
      params: { id: a.id, share: b.share },
      headers: asA,
    });
    expect(crossed.status).toBe(404);
  });
});
