import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { keyLike } from "@/lib/redact/test-support";
import { shareCreatedSchema } from "@/lib/views/share";
import { database } from "./client";
import { getCode } from "./code";
import { getRaw } from "./raw";
import { getRun, getTurnWindow } from "./runs";
import type { ProjectScope } from "./scope";
import { createShare, listShares, openShare, revokeShare } from "./shares";
import { makeProject, withTestDatabase } from "./test-database";
import { ask, keyHeaders } from "./test-requests";
import { call, createsFile, importAgain, result, storeRun, thought, turn, verdictAt } from "./test-runs";
import { getTextPiece } from "./texts";
import { getRow } from "./trajectories";
import { getTurn } from "./turns";

withTestDatabase();

const DAY_MS = 86_400_000;

async function sharedRun(): Promise<{
  scope: ProjectScope;
  id: string;
  importId: string;
  token: string;
  share: string;
}> {
  const scope = await makeProject("Shares");
  const { id, importId } = await storeRun(scope, {
    entries: [createsFile(0, "/testbed/a.py", "one\n"), turn(1, [thought("t1.0", "first reading", 20)])],
    verdict: verdictAt(0, { item: "t1.0", turn: 1, field: "text", start: 0, end: 5, text: "first" }),
  });
  const created = await createShare(scope, id);
  return { scope, id, importId, token: created.path.slice(3), share: created.share.id };
}

describe("A7: tokens", () => {
  it("have 128 random bits and are stored as SHA-256 only", async () => {
    const { token, share } = await sharedRun();
    expect(Buffer.from(token, "base64url")).toHaveLength(16);
    const row = await database().share.findUniqueOrThrow({ where: { id: share } });
    expect(row.tokenHash).toBe(createHash("sha256").update(token).digest("hex"));
    expect(JSON.stringify(row)).not.toContain(token);
    const audit = await database().auditEvent.findMany({ where: { subject: share } });
    expect(audit.map((event) => event.action)).toEqual(["share.create"]);
    expect(JSON.stringify(audit)).not.toContain(token);
  });

  it("open nothing when they are unknown, cut, changed, or no tokens at all", async () => {
    const { token } = await sharedRun();
    expect(await openShare(token)).not.toBeNull();
    const swapped = token.startsWith("A") ? `B${token.slice(1)}` : `A${token.slice(1)}`;
    const hostile: unknown[] = [
      swapped,
      token.slice(0, -1),
      `${token}=`,
      ` ${token}`,
      ":token",
      "[token]",
      "token",
      "%00",
      "\0",
      "",
      "x".repeat(10_000),
      "тест\u{1f600}",
      "\ud800",
      "../../etc/passwd",
      undefined,
      null,
      7,
      {},
      { not: "" },
      [token],
    ];
    for (const given of hostile) expect(await openShare(given), String(given)).toBeNull();
  });

  it("last from 1 to 31 days, 7 unless asked otherwise", async () => {
    const { scope, id } = await sharedRun();
    const daysOf = async (days?: number) => {
      const { share } = await createShare(scope, id, { days });
      return (Date.parse(share.expiresAt) - Date.parse(share.createdAt)) / DAY_MS;
    };
    expect(await daysOf()).toBe(7);
    expect(await daysOf(1)).toBe(1);
    expect(await daysOf(31)).toBe(31);
    for (const days of [0, 32, -1, 1.5, Number.NaN]) {
      await expect(createShare(scope, id, { days })).rejects.toMatchObject({ code: "bad_request" });
    }
  });

  it("open nothing once expired or revoked", async () => {
    const { scope, id, token, share } = await sharedRun();
    const before = new Date(Date.now() - DAY_MS);
    await database().share.update({
      where: { id: share },
      data: { createdAt: new Date(before.getTime() - DAY_MS), expiresAt: before },
    });
    expect(await openShare(token)).toBeNull();
    const second = await createShare(scope, id);
    const opened = second.path.slice(3);
    expect(await openShare(opened)).not.toBeNull();
    expect(await revokeShare(scope, id, second.share.id)).toMatchObject({ state: "revoked" });
    expect(await openShare(opened)).toBeNull();
    const again = await revokeShare(scope, id, second.share.id);
    expect(again.state).toBe("revoked");
    const audit = await database().auditEvent.findMany({ where: { subject: second.share.id, action: "share.revoke" } });
    expect(audit).toHaveLength(1);
    expect((await listShares(scope, id))?.map((row) => row.state)).toEqual(["revoked", "expired"]);
  });
});

describe("what a share reads", () => {
  it("is the import and the analysis that it was made for, also after another import", async () => {
    const { scope, id, importId, token } = await sharedRun();
    const second = await importAgain(scope, id, {
      entries: [turn(0, [thought("t0.0", "second reading")])],
      verdict: verdictAt(0, { item: "t0.0", turn: 0, field: "text", start: 0, end: 6, text: "second" }),
    });
    expect(second).not.toBe(importId);
    const opened = await openShare(token);
    if (opened === null) throw new Error("the link does not open");
    const run = await getRun(opened.scope, id);
    expect(run?.row.turnCount).toBe(2);
    expect(run?.verdict?.candidates[0]?.quotations[0]?.text).toBe("first");
    expect((await getTurnWindow(opened.scope, id, 0))?.total).toBe(2);
    expect((await getTurn(opened.scope, id, 1))?.items[0]?.text?.head).toBe("first reading");
    expect((await getRun(scope, id))?.row.turnCount).toBe(1);
  });

  it("is masked by what was found when the link was made; other rules look again", async () => {
    const scope = await makeProject("Known secrets");
    const secret = keyLike(24, 11);
    const texts = [`export SERVICE_PASSWORD=${secret}`, `then it sends ${secret} to the service`];
    const entries = texts.map((text, i) => turn(i, [thought(`t${i}.0`, text, 10 * i)]));
    const { id } = await storeRun(scope, { entries });
    const made = await createShare(scope, id);
    const row = await database().share.findUniqueOrThrow({ where: { id: made.share.id } });
    expect(row.secrets).toContain(secret);

    /** What a new link shows of the text without telling words, when its row holds these secrets. */
    const seen = async (secrets: string): Promise<{ text: string; stored: string | null }> => {
      const token = keyLike(22, secrets.length);
      const tokenHash = createHash("sha256").update(token).digest("hex");
      const copy = await database().share.create({
        data: { ...row, id: `${row.id}x${token.slice(0, 5)}`, tokenHash, secrets },
      });
      const opened = await openShare(token);
      const text = opened === null ? "" : ((await getTurn(opened.scope, id, 1))?.items[0]?.text?.head ?? "");
      return { text, stored: (await database().share.findUniqueOrThrow({ where: { id: copy.id } })).secrets };
    };
    const marked = row.secrets?.replaceAll("[redacted:", "[redacted:kept-") ?? "";
    expect((await seen(marked)).text).toMatch(/^then it sends \[redacted:kept-\S+\] to the service$/);
    for (const stale of [marked.replace("secrets@", "secrets@0."), "no json"]) {
      const { text, stored } = await seen(stale);
      expect(text).toMatch(/^then it sends \[redacted:(?!kept)\S+\] to the service$/);
      expect(stored).toBe(row.secrets);
    }
  });

  it("is no other trajectory, and nothing that is for the owner", async () => {
    const { scope, id, token } = await sharedRun();
    const other = await storeRun(scope, { entries: [createsFile(0, "/testbed/b.py", "x\n")] });
    const opened = await openShare(token);
    if (opened === null) throw new Error("the link does not open");
    const shared = opened.scope;
    expect(await getRun(shared, other.id)).toBeNull();
    expect(await getTurn(shared, other.id, 0)).toBeNull();
    expect(await getTurnWindow(shared, other.id, 0)).toBeNull();
    expect(await getCode(shared, other.id, { file: 0, turn: 0, from: "before", to: "after" })).toBeNull();
    expect(await getTextPiece(shared, other.id, { item: "t0.0", field: "arguments", offset: 0 })).toBeNull();
    expect(await getRow(shared, other.id)).toBeNull();
    // Functions for owners take a project's scope; a share's does not pass for one even where types are not looked at.
    const asOwner: { scope: ProjectScope } = { scope };
    Object.assign(asOwner, { scope: shared });
    await expect(getRaw(asOwner.scope, id, 0)).rejects.toMatchObject({ code: "internal" });
    await expect(listShares(asOwner.scope, id)).rejects.toMatchObject({ code: "internal" });
    await expect(createShare(asOwner.scope, id)).rejects.toMatchObject({ code: "internal" });
  });

  it("names who shared it and until when, and offers nothing that only an owner may do", async () => {
    const { id, token } = await sharedRun();
    const opened = await openShare(token);
    const run = opened === null ? null : await getRun(opened.scope, id);
    expect(run?.permissions).toEqual({
      share: false,
      download: false,
      attachBaseline: false,
      giveFailure: false,
      investigate: false,
      raw: false,
    });
    expect(run?.shared?.sharedBy).toBe("Shares");
    expect(run?.shared?.secretRules).toMatch(/^secrets@/);
    expect(run?.row.id).toBe("shared");
    expect(run?.importId).toBe("shared");
  });
});

describe("links of a project", () => {
  it("are made, listed and ended for its own trajectories only", async () => {
    const a = await sharedRun();
    const b = await sharedRun();
    await expect(createShare(a.scope, b.id)).rejects.toMatchObject({ code: "not_found" });
    expect(await listShares(a.scope, b.id)).toBeNull();
    await expect(revokeShare(a.scope, b.id, b.share)).rejects.toMatchObject({ code: "not_found" });
    await expect(revokeShare(a.scope, a.id, b.share)).rejects.toMatchObject({ code: "not_found" });
    expect(await openShare(b.token)).not.toBeNull();
  });

  it("are not made for a trajectory that is not imported", async () => {
    const { scope, id } = await sharedRun();
    await database().trajectory.update({ where: { id }, data: { currentImportId: null, status: "queued" } });
    await expect(createShare(scope, id)).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("the routes of links", () => {
  it("make, list and end a link", async () => {
    const { scope, id } = await sharedRun();
    const headers = await keyHeaders(scope);
    const folder = "trajectories/[id]/shares";
    const made = await ask(folder, { method: "POST", params: { id }, headers, body: '{"days":3}' });
    expect(made.status).toBe(201);
    const { share, path } = shareCreatedSchema.parse(await made.json());
    // What a key is called is not for the readers of a link.
    expect(share).toMatchObject({ state: "active", createdBy: "a script" });
    expect(Date.parse(share.expiresAt) - Date.parse(share.createdAt)).toBe(3 * DAY_MS);
    const token = path.slice("/s/".length);
    expect((await ask("shared/[token]", { params: { token } })).status).toBe(200);
    const listed = await ask(folder, { params: { id }, headers });
    const list = await listed.text();
    expect(list).toContain(share.id);
    expect(list).not.toContain(token);
    const ended = await ask(`${folder}/[share]`, { method: "DELETE", params: { id, share: share.id }, headers });
    expect(ended.status).toBe(200);
    expect((await ask("shared/[token]", { params: { token } })).status).toBe(404);
  });

  it.each([
    ["no number of days", '{"days":"many"}', 400],
    ["too many days", '{"days":32}', 400],
    ["no JSON", "days=3", 400],
    ["a list", "[]", 400],
    ["a body that is too long", JSON.stringify({ days: 3, more: "x".repeat(5_000) }), 413],
  ])("refuse %s", async (_what, body, status) => {
    const { scope, id } = await sharedRun();
    const headers = await keyHeaders(scope);
    const answer = await ask("trajectories/[id]/shares", { method: "POST", params: { id }, headers, body });
    expect(answer.status).toBe(status);
    expect(await listShares(scope, id)).toHaveLength(1);
  });

  it("make a link of the usual length without a body", async () => {
    const { scope, id } = await sharedRun();
    const headers = await keyHeaders(scope);
    const answer = await ask("trajectories/[id]/shares", { method: "POST", params: { id }, headers });
    const { share } = shareCreatedSchema.parse(await answer.json());
    expect(Date.parse(share.expiresAt) - Date.parse(share.createdAt)).toBe(7 * DAY_MS);
  });
});

describe("a long text on a shared page", () => {
  it("is masked across every border, under 1 MB an answer", async () => {
    const scope = await makeProject("Long");
    const secret = ["gl", "pat-", keyLike(20, 61)].join("");
    const text = `${"observation line\n".repeat(700_000)}${secret}\n${"x".repeat(1_000)}`;
    const { id } = await storeRun(scope, {
      entries: [turn(0, [call("t0.0", "bash", { text: "cat log" }), result("t0.1", "t0.0", text)])],
    });
    const token = (await createShare(scope, id)).path.slice("/s/".length);
    const answer = await ask("shared/[token]/turns/[index]", { params: { token, index: "0" } });
    const body = await answer.text();
    expect(Buffer.byteLength(body)).toBeLessThan(1_000_000);
    expect(body).not.toContain(secret);
    expect(body).toContain("[redacted:gitlab-token#");
    const offset = text.indexOf(secret) + 8;
    const piece = await ask("shared/[token]/texts", {
      params: { token },
      query: `?item=t0.1&field=text&offset=${offset - 65_000}`,
    });
    expect(await piece.text()).not.toContain(secret.slice(8));
  });
});
