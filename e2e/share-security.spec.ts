import { randomBytes } from "node:crypto";
import { makeApiKey, misstep } from "./harness/command-line";
import { expect, test } from "./harness/watched-page";
import { trace } from "./list/traces";
import { type Answer, ask, askRsc, readingsOf } from "./security/answers";
import { needlesOf, plantedTrace, plants } from "./security/planted";
import { everyAnswer, expire, revokeByKey, shareByKey, uploadByKey } from "./security/shared";
import { routeFiles } from "./security/tree";

/** Words that stand in what is not shared, and nowhere else. */
const canary = (what: string): string => `canary-${what}-${randomBytes(6).toString("hex")}`;

test.describe("a link to a run full of secrets", () => {
  const hidden = { key: canary("key"), otherName: canary("name"), otherText: canary("text"), again: canary("again") };
  let key = "";
  let id = "";
  let other = "";
  let shareId = "";
  let token = "";
  let answers = new Map<string, Answer>();
  let readings = new Map<string, string>();

  test.beforeAll(async () => {
    test.setTimeout(240_000);
    const made = await misstep(["token", hidden.key]);
    key = made.stdout.trim();
    const content = plantedTrace(`planted ${Date.now()}`);
    id = await uploadByKey(key, "planted.traj", content);
    // The same bytes under another name are the same upload; the name is nobody's business.
    expect(await uploadByKey(key, `${hidden.again}.traj`, content)).toBe(id);
    other = await uploadByKey(key, `${hidden.otherName}.traj`, trace({ mark: hidden.otherText }));
    ({ token, shareId } = await shareByKey(key, id));
    answers = await everyAnswer(token);
    readings = new Map([...answers].map(([name, answer]) => [name, readingsOf(answer.body)]));
  });

  test("the answers are there: every route of links, pages and their data, and each secret for the owner", async () => {
    const routes = routeFiles().filter(({ address }) => address.startsWith("/api/v1/shared/[token]"));
    expect(routes.length).toBeGreaterThanOrEqual(6);
    const asked = [...answers].filter(([, { status }]) => status === 200).map(([name]) => name);
    for (const { address, methods } of routes) {
      expect(methods, address).toEqual(["GET"]);
      const pattern = address.slice("/api/v1/shared/[token]".length).replaceAll(/\[\w+\]/g, "\\d+");
      expect(
        asked.some((name) => new RegExp(`^json ${pattern}(\\?|$)`).test(name)),
        address,
      ).toBe(true);
    }
    expect(asked.filter((name) => name.startsWith("page ")).length).toBeGreaterThan(plants().length);
    expect(asked.filter((name) => name.startsWith("data ")).length).toBeGreaterThan(plants().length);
    for (const [turn, { name, secret }] of plants().entries()) {
      const owned = await ask(`/api/v1/trajectories/${id}/turns/${turn}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(readingsOf(owned.body).includes(secret), `the owner sees ${name}`).toBe(true);
    }
    const masked = [...readings.values()].join("\n");
    for (const { family } of plants()) expect(masked.includes(`[redacted:${family}#`), family).toBe(true);
  });

  test("A10: no secret of any family is in a page, its data or an answer, whole, in part or as base64", () => {
    const found: string[] = [];
    const needles = plants().flatMap((planted) => needlesOf(planted).map((needle) => ({ name: planted.name, needle })));
    for (const [where, text] of readings) {
      for (const { name, needle } of needles) if (text.includes(needle)) found.push(`${name} in ${where}`);
    }
    expect([...new Set(found)]).toEqual([]);
  });

  test("A12: nothing of what is not shared is in a page, its data or an answer", async ({ page }) => {
    const owned = await page.request.get("/?size=100");
    const list = readingsOf(await owned.text());
    expect(list).toContain(hidden.otherName);
    const named = /"(My project)"/.exec(list)?.[1];
    expect(named).toBe("My project");
    const importId = /"importId":"([^"]+)"/.exec(
      (await ask(`/api/v1/trajectories/${id}`, { headers: { authorization: `Bearer ${key}` } })).body,
    )?.[1];
    expect(importId?.length).toBeGreaterThan(8);
    const secret = {
      ...hidden,
      id,
      other,
      shareId,
      importId: importId ?? "",
      key2: key,
      project: "My project",
      email: "owner@localhost",
    };
    const found: string[] = [];
    for (const [where, text] of readings) {
      for (const [what, words] of Object.entries(secret)) if (text.includes(words)) found.push(`${what} in ${where}`);
    }
    expect(found).toEqual([]);
  });

  test("A6: every answer of a link forbids referrers, search engines and caches", () => {
    for (const [name, { headers }] of answers) {
      expect(headers, name).toMatchObject({
        "referrer-policy": "no-referrer",
        "x-robots-tag": "noindex, nofollow",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
      });
    }
  });

  test("A6, A12: the page has no way out but sign-in, which gets no referrer, and asks for nothing of the owner's", async ({
    stranger,
  }) => {
    const asked: { path: string; referer: string | undefined }[] = [];
    stranger.on("request", (request) => {
      const { protocol, pathname } = new URL(request.url());
      if (protocol.startsWith("http")) asked.push({ path: pathname, referer: request.headers().referer });
    });
    for (const query of ["", "?turn=2&view=files", "?turn=3", "?turn=1&context=0", "?turn=2&view=raw"]) {
      await stranger.goto(`/s/${token}${query}`);
      await expect(stranger.getByRole("heading", { level: 2 }).first()).toBeVisible();
      const out = await stranger.evaluate(() =>
        [...document.querySelectorAll("[href], [src], [action], [formaction], [ping]")]
          .flatMap((each) => ["href", "src", "action", "formaction", "ping"].map((name) => each.getAttribute(name)))
          .filter((value) => value !== null && new URL(value, location.href).origin !== location.origin),
      );
      expect(out, query).toEqual([]);
    }
    for (const pressed of ["j", "j", "k", "e", "2", "1"]) await stranger.keyboard.press(pressed);
    await stranger.waitForLoadState("networkidle");
    const allowed = new RegExp(
      `^/(s/${token}|api/v1/shared/${token}(/.*)?|_next/.*|sign-in|legend|favicon\\.ico|icon\\.svg)$`,
    );
    expect(asked.filter(({ path }) => !allowed.test(path))).toEqual([]);
    expect(asked.length).toBeGreaterThan(10);

    await stranger.getByRole("link", { name: "Sign in" }).click();
    await stranger.waitForURL((url) => url.pathname === "/sign-in");
    expect(await stranger.evaluate(() => document.referrer)).toBe("");
    expect(asked.filter(({ referer }) => referer?.includes(token) === true)).toEqual([]);
  });
});

/** An answer without what differs between any two answers: time, length, nonce, and the address that was asked for. */
function comparable({ status, headers, body }: Answer, segment: string): { head: string; body: string } {
  const nonce = /'nonce-([^']+)'/.exec(headers["content-security-policy"] ?? "")?.[1];
  const { date: _date, "content-length": _length, etag: _etag, ...rest } = headers;
  const decoded = decodeURIComponent(segment);
  const spellings = [segment, decoded, encodeURIComponent(decoded), JSON.stringify(decoded).slice(1, -1)];
  const names = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  const without = (text: string): string =>
    names.reduce((left, name) => left.replaceAll(name, "TOKEN"), text.replaceAll(nonce ?? "no nonce", "NONCE"));
  const head = `${status}\n${JSON.stringify(Object.entries(rest).sort(), null, 1)}`;
  return { head: without(head), body: without(body) };
}

test("A7: wrong, revoked, expired and malformed links answer alike, as a page, as its data and as JSON", async () => {
  const key = await makeApiKey();
  const id = await uploadByKey(key, "links.traj", trace({ mark: `links ${Date.now()}` }));
  const [revoked, expired, open] = [await shareByKey(key, id), await shareByKey(key, id), await shareByKey(key, id)];
  expect((await ask(`/s/${revoked.token}`)).status).toBe(200);
  expect((await ask(`/s/${expired.token}`)).status).toBe(200);
  await revokeByKey(key, id, revoked.shareId);
  await expire(expired.shareId);
  const malformed = [
    ":token",
    "%5Btoken%5D",
    "%00",
    "x".repeat(8_000),
    "%D0%BA%F0%9F%94%91",
    "__proto__",
    `${open.token}x`,
  ];
  const unknown = randomBytes(16).toString("base64url");
  const segments = [unknown, revoked.token, expired.token, ...malformed];
  const forms: [string, (segment: string) => Promise<Answer>][] = [
    ["page", (segment) => ask(`/s/${segment}`)],
    ["page at a turn", (segment) => ask(`/s/${segment}?turn=2&view=files`)],
    ["data", (segment) => askRsc(`/s/${segment}`)],
    ["json", (segment) => ask(`/api/v1/shared/${segment}`)],
    ["turn", (segment) => ask(`/api/v1/shared/${segment}/turns/0`)],
    ["code", (segment) => ask(`/api/v1/shared/${segment}/code?file=0&turn=0`)],
  ];
  for (const [form, get] of forms) {
    const opened = await get(open.token);
    expect(opened.status, form).toBe(200);
    const wrong = await get(unknown);
    if (form !== "data") expect(wrong.status, form).toBe(404);
    for (const segment of segments) {
      const answer = comparable(await get(segment), segment);
      const name = `${form} of ${segment.slice(0, 40)}`;
      expect(answer.head, name).toBe(comparable(wrong, unknown).head);
      // The framework lays data out as it becomes ready, and a page differently around a very long name.
      if (form === "data") expect(answer.body, name).toContain("This link does not open anything");
      else if (segment.length < 1_000) expect(answer.body, name).toBe(comparable(wrong, unknown).body);
    }
    expect(comparable(opened, open.token).body, form).not.toBe(comparable(wrong, unknown).body);
  }
});
