import { beforeAll, describe, expect, it } from "vitest";
import { keyLike, plantedSecrets } from "@/lib/redact/test-support";
import { KNOWN_TEXTS } from "@/lib/trajectory/given-failure";
import { runViewSchema } from "@/lib/views/run";
import { database } from "./client";
import { getRun } from "./runs";
import { createShare, revokeShare } from "./shares";
import { makeProject, withTestDatabase } from "./test-database";
import { ask, keyPaths, stringsOf } from "./test-requests";
import {
  call,
  context,
  createsFile,
  read,
  replacesText,
  result,
  storeRun,
  thought,
  turn,
  verdictAt,
} from "./test-runs";
import { numberedPlants, plantedRun } from "./test-secrets";

withTestDatabase();

const DAY_MS = 86_400_000;
const SHARED_ROUTES = [
  ...["", "/turns", "/turns/[index]", "/contexts/[n]", "/texts", "/code", "/failure", "/failure/text"],
  ...["/find", "/turns/[index]/find", "/contexts/[n]/find"],
];

describe("A6, A7: answers of links", () => {
  it("say for every link that opens nothing the same, byte for byte", async () => {
    const scope = await makeProject("Same");
    const { id } = await storeRun(scope, { entries: [turn(0, [thought("t0.0", "a")])] });
    const revoked = await createShare(scope, id);
    await revokeShare(scope, id, revoked.share.id);
    const expired = await createShare(scope, id);
    const past = new Date(Date.now() - DAY_MS);
    await database().share.update({
      where: { id: expired.share.id },
      data: { createdAt: new Date(past.getTime() - DAY_MS), expiresAt: past },
    });
    const tokens = [
      revoked.path.slice(3),
      expired.path.slice(3),
      "AAAAAAAAAAAAAAAAAAAAAA",
      ":token",
      "[token]",
      "%00",
      "\0",
      "",
      "x".repeat(10_000),
      "ключ\u{1f511}",
      "[not]",
      "__proto__",
    ];
    const answers = new Set<string>();
    for (const route of SHARED_ROUTES) {
      for (const token of tokens) {
        const answer = await ask(`shared/[token]${route}`, { params: { token, index: "0", n: "0" } });
        const headers = [...answer.headers].sort().join("\n");
        answers.add(`${answer.status}\n${headers}\n${await answer.text()}`);
      }
    }
    expect(answers.size).toBe(1);
    const [only] = answers;
    expect(only).toMatch(/^404\n/);
    expect(only).toContain("referrer-policy,no-referrer");
    expect(only).toContain("x-robots-tag,noindex, nofollow");
    expect(only).toContain("cache-control,no-store");
  });

  it("carry the headers of a private page when the link opens, and when the request is wrong", async () => {
    const scope = await makeProject("Headers");
    const { id } = await storeRun(scope, { entries: [turn(0, [thought("t0.0", "a")])] });
    const token = (await createShare(scope, id)).path.slice(3);
    const good = await ask("shared/[token]", { params: { token } });
    const bad = await ask("shared/[token]/turns", { params: { token }, query: "?from=x" });
    expect([good.status, bad.status]).toEqual([200, 400]);
    for (const answer of [good, bad]) {
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      expect(answer.headers.get("x-robots-tag")).toBe("noindex, nofollow");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("A5: a parameter that is an object's spelling selects nothing", async () => {
    const answer = await ask("shared/[token]", { params: { token: "x" }, query: "?token[not]=x" });
    expect(answer.status).toBe(404);
  });
});

/** Everything that a link gives, by every route, with all pieces of all texts. */
async function everythingShared(token: string): Promise<{ strings: string[]; answers: Map<string, unknown> }> {
  const answers = new Map<string, unknown>();
  const get = async (route: string, params: Record<string, string> = {}, query = ""): Promise<unknown> => {
    const answer = await ask(`shared/[token]${route}`, { params: { token, ...params }, query });
    if (answer.status !== 200) return null;
    const text = await answer.text();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000);
    const body: unknown = JSON.parse(text);
    answers.set(`${route} ${JSON.stringify(params)} ${query}`, body);
    return body;
  };
  await get("");
  await get("/failure");
  for (const what of KNOWN_TEXTS) await get("/failure/text", {}, `?what=${what}`);
  const head = runViewSchema.parse(Object(answers.get(" {} ")).run);
  const total = head.strip.turns;
  for (let from = 0; from < total; from += 50) await get("/turns", {}, `?from=${from}`);
  const items = new Set<string>();
  for (let index = 0; index < total; index += 1) {
    const view: unknown = await get("/turns/[index]", { index: String(index) });
    for (const id of stringsOf(view).filter((text) => /^t\d+\.\d+$/.test(text))) items.add(id);
  }
  for (const { n } of head.contexts) {
    await get("/contexts/[n]", { n: String(n) });
    items.add(`c${n}`);
  }
  const joined: string[] = [];
  for (const item of items) {
    for (const field of ["text", "arguments"]) {
      let whole = "";
      for (let offset: number | null = 0; offset !== null; ) {
        const piece: unknown = await get("/texts", {}, `?item=${item}&field=${field}&offset=${offset}`);
        if (piece === null) break;
        const { text, nextOffset } = Object(piece);
        whole += text;
        offset = nextOffset;
      }
      joined.push(whole);
    }
  }
  for (const { n } of head.files) {
    const view: unknown = await get("/code", {}, `?file=${n}&turn=0&from=baseline&to=final`);
    for (const { turn: at } of Object(view).versions) {
      if (at !== null) await get("/code", {}, `?file=${n}&turn=${at}`);
    }
  }
  return { strings: [...[...answers.values()].flatMap(stringsOf), ...joined], answers };
}

describe("A10: secrets of every family, everywhere", () => {
  let strings: string[] = [];
  let ownerToken = "";

  beforeAll(async () => {
    const scope = await makeProject("Secrets");
    const { id } = await storeRun(scope, plantedRun());
    ownerToken = (await createShare(scope, id)).path.slice(3);
    strings = (await everythingShared(ownerToken)).strings;
  }, 120_000);

  it("plants at least 25", () => {
    expect(plantedSecrets().length).toBeGreaterThanOrEqual(25);
  });

  it.each(numberedPlants())("$name is in no answer, whole, in base64 or in part", ({ secret }) => {
    const text = strings.join("\n\u0000\n");
    // Not `toContain`: on a failure that would print megabytes.
    expect(text.includes(secret)).toBe(false);
    for (const phase of [0, 1, 2]) {
      const encoded = Buffer.from(`${"x".repeat(phase)}${secret}`).toString("base64");
      expect(text.includes(encoded.slice(phase === 0 ? 0 : 4, -4))).toBe(false);
    }
    for (let at = 0; at + 16 <= secret.length; at += 1) {
      const run = secret.slice(at, at + 16);
      if (!run.includes("\n") && text.includes(run)) expect.fail(`a part of it is there: ${at}`);
    }
  });

  it("masks with the family and a tag that is the same for equal secrets of one link and another in another link", async () => {
    const scope = await makeProject("Tags");
    const secret = ["gh", "p_", keyLike(36, 90)].join("");
    const { id } = await storeRun(scope, {
      entries: [turn(0, [thought("t0.0", `a ${secret} b`)]), createsFile(1, "/testbed/a.py", `T = "${secret}"\n`)],
    });
    const tagsOf = async (): Promise<Set<string>> => {
      const { strings: shown } = await everythingShared((await createShare(scope, id)).path.slice(3));
      return new Set(shown.join("\n").match(/\[redacted:github-token#[0-9a-f]+\]/g));
    };
    const first = await tagsOf();
    const second = await tagsOf();
    expect(first.size).toBe(1);
    expect(second.size).toBe(1);
    expect([...first]).not.toEqual([...second]);
  });

  it("masks a password that the words around it show in one place where it stands alone too, and no everyday word", async () => {
    const scope = await makeProject("Repeated");
    const password = keyLike(12, 92);
    const session = keyLike(24, 93);
    const { id } = await storeRun(scope, {
      entries: [
        context("c0", `the task says ${password}`),
        turn(0, [thought("t0.0", `first I try ${password}`)]),
        turn(1, [
          call("t1.0", "bash", { text: "cat .env", arrival: 10 }),
          result("t1.1", "t1.0", `DATABASE_PASSWORD=${password}\nDB_PASSWORD=postgres\nCookie: sid=${session}; a=b\n`, {
            arrival: 11,
          }),
        ]),
        turn(2, [thought("t2.0", `${"a long log of postgres\n".repeat(1_000)}psql -p ${password} ${session}`, 20)]),
        createsFile(3, "/testbed/db.py", `connect("postgres", "${password}")\n`),
        createsFile(4, `/testbed/${password}/x.py`, "one\n"),
        turn(5, [call("t5.0", "Bash", { arguments: { command: `psql ${password}`, [password]: 1 }, arrival: 50 })]),
      ],
      trajectory: { title: `How ${password} got in`, models: [password], exitStatus: password },
    });
    const { strings: shown } = await everythingShared((await createShare(scope, id)).path.slice(3));
    const all = shown.join("\n");
    expect(all.includes(password)).toBe(false);
    expect(all.includes(session)).toBe(false);
    expect(new Set(all.match(/\[redacted:environment-secret#[0-9a-f]+\]/g)).size).toBe(2);
    expect(all.includes("a long log of postgres")).toBe(true);
    expect(all.includes('connect("postgres", "[redacted:environment-secret#')).toBe(true);
  });

  it.each([
    ["and digits", keyLike(20, 46), (secret: string) => `auth_token: "${secret}"; echo one > ${secret}`],
    ["alone", keyLike(14, 94, "abcdefghijklmnopqrstuvwxyz"), (secret: string) => `echo auth_token => "${secret}"`],
  ])(
    "masks a path of letters %s that was cut out of a command whose words show that it is a secret",
    async (_what, secret, commandOf) => {
      const scope = await makeProject("Cut");
      const { id } = await storeRun(scope, {
        entries: [
          turn(0, [
            call("t0.0", "bash", { text: commandOf(secret), arrival: 0 }),
            result("t0.1", "t0.0", "", { arrival: 1 }),
          ]),
          turn(1, [thought("t1.0", "done", 10)]),
        ],
      });
      const owned = await getRun(scope, id);
      expect(owned?.files.some(({ path }) => path.includes(secret))).toBe(true);
      const { strings: shown } = await everythingShared((await createShare(scope, id)).path.slice(3));
      expect(shown.filter((text) => text.includes(secret))).toEqual([]);
    },
  );

  it("keeps line numbers: code with a masked key has its change and blame where they were", async () => {
    const scope = await makeProject("Lines");
    const pem = plantedSecrets().find((planted) => planted.family === "private-key")?.text ?? "";
    const file = `first\n${pem}\nafter\nlast\n`;
    const { id } = await storeRun(scope, {
      entries: [createsFile(0, "/testbed/k.py", file), replacesText(1, "/testbed/k.py", "after", "changed")],
    });
    const token = (await createShare(scope, id)).path.slice(3);
    const answer = await ask("shared/[token]/code", { params: { token }, query: "?file=0&turn=1" });
    const view = Object(await answer.json());
    const lines: string[] = view.after.ranges[0].text.split("\n");
    const changed = file.split("\n").indexOf("after");
    expect(lines[changed]).toBe("changed");
    expect(view.firstChangedLine).toBe(changed + 1);
    expect(view.blame).toContainEqual({ startLine: changed + 1, lineCount: 1, turn: 1, uncertain: false });
  });

  it("points quotations into the masked text", async () => {
    const scope = await makeProject("Quotes");
    const secret = ["np", "m_", keyLike(36, 91)].join("");
    const text = `use ${secret} and then the decisive words here`;
    const start = text.indexOf("the decisive");
    const { id } = await storeRun(scope, {
      entries: [turn(0, [thought("t0.0", text)])],
      verdict: verdictAt(0, {
        item: "t0.0",
        turn: 0,
        field: "text",
        start,
        end: start + 18,
        text: text.slice(start, start + 18),
      }),
    });
    const token = (await createShare(scope, id)).path.slice(3);
    const run = Object(await (await ask("shared/[token]", { params: { token } })).json()).run;
    const quotation = run.verdict.candidates[0].quotations[0];
    const piece = await ask("shared/[token]/texts", { params: { token }, query: "?item=t0.0&field=text" });
    const shown: string = Object(await piece.json()).text;
    expect(shown.slice(quotation.start, quotation.end)).toBe(quotation.text);
    expect(quotation.text).toBe("the decisive words");
  });
});

describe("A12: a share sees what the shared page needs, and nothing else", () => {
  it("has exactly these keys, and no canary of a column that is not shared", async () => {
    const canary = `canary${keyLike(20, 77).toLowerCase()}`;
    const scope = await makeProject("Keys");
    const { id, importId } = await storeRun(scope, {
      entries: [
        context("c0", "the task"),
        turn(
          0,
          [
            thought("t0.0", "I read", 0),
            call("t0.1", "bash", { text: "cat /testbed/a.py", callId: `call-${canary}`, arrival: 1 }),
            result("t0.2", "t0.1", "one\n", {
              arrival: 2,
              callId: canary,
              reads: [read("/testbed/a.py", 1, "one\n", 1)],
            }),
          ],
          { state: { when: "before", workingDirectory: "/testbed", openFile: canary, cumulativeDiff: canary } },
        ),
        replacesText(1, "/testbed/a.py", "one", "two"),
      ],
      trajectory: {
        deliveredPatch: canary,
        notes: [{ code: "x", level: "information", message: "m", count: 1, positions: [] }],
        task: { statement: "the task", instance: "owner__repo-1", repository: canary, baseCommit: canary },
      },
      failure: { failingTestCode: "the test", errorReport: "the report", referencePatch: "the patch", source: canary },
      verdict: verdictAt(1, { item: "t0.0", turn: 0, field: "text", start: 0, end: 6, text: "I read" }),
    });
    const db = database();
    await db.project.update({ where: { id: scope.projectId }, data: { name: canary, slug: canary } });
    await db.user.update({ where: { id: scope.actor.id }, data: { email: `${canary}@test.invalid` } });
    await db.trajectory.update({
      where: { id },
      data: { formatReason: canary, model: canary, framework: canary, task: canary, exitStatus: canary },
    });
    await db.upload.updateMany({ where: { projectId: scope.projectId }, data: { name: canary } });
    await db.analysis.create({
      data: {
        id: `a${canary}`,
        importId,
        kind: "other",
        engine: canary,
        version: canary,
        status: "done",
        result: { a: canary },
      },
    });
    await db.auditEvent.create({
      data: { id: `e${canary}`, projectId: scope.projectId, actor: canary, action: canary, subject: id },
    });
    await storeRun(scope, { entries: [turn(0, [thought("t0.0", canary)])], name: `${canary}.traj` });
    const created = await createShare(scope, id);
    const share = await db.share.findUniqueOrThrow({ where: { id: created.share.id } });
    const { strings, answers } = await everythingShared(created.path.slice(3));
    const all = strings.join("\n");
    for (const hidden of [
      canary,
      id,
      importId,
      scope.projectId,
      scope.actor.id,
      share.id,
      share.maskKey,
      share.tokenHash,
      share.analysisId ?? "none",
    ]) {
      expect(all.includes(hidden), hidden).toBe(false);
    }
    const byRoute = new Map<string, unknown[]>();
    for (const [name, answer] of answers) {
      const route = name.split(" ", 1)[0] ?? "";
      byRoute.set(route, [...(byRoute.get(route) ?? []), answer]);
    }
    const shapes = Object.fromEntries([...byRoute].map(([route, bodies]) => [route, keyPaths(bodies)]));
    expect(shapes).toMatchSnapshot();
  });
});
