import { makeApiKey } from "./harness/command-line";
import { expect, productOrigin, test } from "./harness/watched-page";
import { trace } from "./list/traces";
import { type Answer, ask, askRsc } from "./security/answers";
import { shareByKey, uploadByKey } from "./security/shared";
import { METHODS, type Method, pageAddresses, routeFiles } from "./security/tree";

/** What somebody without a session gets: sent to sign in, or the page itself. */
type ForStrangers = "sign-in" | "open";

/** One row for each page file under app. A page without a row fails the test below. */
const PAGES: Record<string, ForStrangers> = {
  "/": "sign-in",
  "/legend": "open",
  "/s/[token]": "open",
  "/settings": "sign-in",
  "/sign-in": "open",
  "/sign-in/link": "open",
  "/t/[id]": "sign-in",
};

/** Status of each method of a route for strangers. What is not here is 401, and 405 where the route has no such method. */
const ROUTES: Record<string, Partial<Record<Method, number>>> = {
  "/api/health": { GET: 200 },
  "/api/auth/[...all]": { GET: 404, POST: 404 },
  "/api/auth/link": { POST: 400 },
  "/api/[[...path]]": { GET: 404, POST: 404, PUT: 404, PATCH: 404, DELETE: 404 },
};

/** What made earlier versions of the framework skip whatever stood before a page. */
const SKIPS: Record<string, string>[] = [
  {},
  ...["middleware", "src/middleware", "proxy", "src/proxy"].map((name) => ({
    "x-middleware-subrequest": Array.from({ length: 5 }, () => name).join(":"),
  })),
];

let id = "";
let token = "";
const mark = `of the owner ${Date.now()}`;

test.beforeAll(async () => {
  const key = await makeApiKey();
  id = await uploadByKey(key, "pages.traj", trace({ mark }));
  ({ token } = await shareByKey(key, id));
});

/** An address with real names: what is asked for exists. */
function real(address: string): string {
  return address
    .replace("[token]", token)
    .replace("[id]", id)
    .replace(/\[(?:index|n)\]/, "0")
    .replace("[share]", "none")
    .replace("[...all]", "get-session")
    .replace("[[...path]]", "no/such/route");
}

function checkPageHeaders({ headers }: Answer, address: string): void {
  const policy = headers["content-security-policy"] ?? "";
  const nonce = /^default-src 'self'; script-src 'self' 'nonce-([A-Za-z0-9+/=]{20,})';/.exec(policy)?.[1];
  expect(nonce, address).toBeDefined();
  expect(policy.replace(nonce ?? "", "N"), address).toBe(
    "default-src 'self'; script-src 'self' 'nonce-N'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
      "font-src 'self'; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; " +
      "form-action 'self'; frame-ancestors 'none'",
  );
  expect(headers, address).toMatchObject({
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    // On the page of a sign-in link the form needs an origin; the path, which has the token, is not sent there either.
    "referrer-policy": address === "/sign-in/link" ? "strict-origin" : "no-referrer",
    "cache-control": expect.stringContaining("no-store"),
  });
  expect(headers["x-powered-by"], address).toBeUndefined();
}

test("every page has its row here", () => {
  expect(pageAddresses()).toEqual(Object.keys(PAGES).sort());
});

test("every page has all security headers, for its owner, for strangers and as data, and so has a page that is not there", async ({
  page,
}) => {
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const nonces = new Set<string>();
  for (const address of [...Object.keys(PAGES), "/no-such-page", "/icon.svgx", "/favicon.icox"]) {
    const path = real(address);
    for (const headers of [{ cookie: "" }, { cookie }]) {
      for (const answer of [await ask(path, { headers }), await askRsc(path, headers)]) {
        checkPageHeaders(answer, address);
        nonces.add(answer.headers["content-security-policy"] ?? "");
      }
    }
    // The nonce of every script is the one of the header, and there is no script without one.
    const { headers, body } = await ask(path, {
      headers: { cookie, "x-nonce": "of-the-client", "content-security-policy": "script-src 'nonce-of-the-client'" },
    });
    expect(body, address).not.toContain("of-the-client");
    const nonce = /'nonce-([^']+)'/.exec(headers["content-security-policy"] ?? "")?.[1];
    const scripts = [...body.matchAll(/<script\b([^>]*)>/g)].map((match) => match[1] ?? "");
    expect(scripts.length, address).toBeGreaterThan(0);
    expect(
      scripts.filter((attributes) => !attributes.includes(`nonce="${nonce}"`)),
      address,
    ).toEqual([]);
  }
  expect(nonces.size).toBe((Object.keys(PAGES).length + 3) * 4);
});

test("an address that cannot be decoded is not there, and is no error of the server", async () => {
  for (const address of ["/%zz", "/t/%zz", "/s/%zz", "/s/%E0%A4%A"]) {
    const answer = await ask(address);
    expect(answer.status, address).toBe(404);
    checkPageHeaders(answer, address);
  }
  for (const address of [
    "/api/%zz",
    "/api/v1/shared/%zz",
    "/api/v1/shared/%E0%A4%A/turns",
    "/api/v1/trajectories/%zz",
  ]) {
    const answer = await ask(address);
    expect([answer.status, answer.headers["content-type"]], address).toEqual([404, "application/json; charset=utf-8"]);
    expect(JSON.parse(answer.body), address).toMatchObject({ error: { code: "not_found" } });
  }
});

test("what is not there is said by the document itself, with its status and its stylesheet", async ({
  browser,
  page,
}) => {
  const { cookies } = await page.context().storageState();
  const plain = await browser.newContext({ javaScriptEnabled: false, storageState: { cookies, origins: [] } });
  const reader = await plain.newPage();
  for (const [address, title] of [
    ["/no-such-page", "Nothing here"],
    ["/t/nobody-has-this", "Nothing here"],
    [`/s/${"A".repeat(22)}`, "This link does not open anything"],
  ] as const) {
    const answer = await reader.goto(`${productOrigin()}${address}`);
    expect(answer?.status(), address).toBe(404);
    const heading = reader.getByRole("heading", { level: 1, name: title });
    await expect(heading).toBeVisible();
    await expect(heading).toHaveCSS("font-size", "20px");
  }
  await plain.close();
});

test("A1: without a session every page of the project leads to sign-in, whatever headers a request has", async () => {
  for (const [address, gives] of Object.entries(PAGES)) {
    const path = real(address);
    for (const skip of SKIPS) {
      const answer = await ask(path, { headers: skip });
      checkPageHeaders(answer, address);
      if (gives === "open") {
        expect(answer.status, address).toBe(200);
        continue;
      }
      expect([answer.status, answer.headers.location], address).toEqual([307, "/sign-in"]);
      expect(answer.body, address).not.toContain(mark);
      const data = await askRsc(path, skip);
      expect(data.body, address).toContain("NEXT_REDIRECT;replace;/sign-in;307;");
      for (const held of [mark, "My project", "pages.traj"]) expect(data.body, address).not.toContain(held);
    }
  }
});

test("A1: without a session every API route refuses, whatever headers a request has", async () => {
  const files = routeFiles();
  expect(files.length).toBeGreaterThan(20);
  for (const { address, methods } of files) {
    for (const method of METHODS) {
      for (const skip of SKIPS) {
        const headers = { ...skip, "sec-fetch-site": "same-origin", "content-type": "application/json" };
        const answer = await ask(real(address), { method, headers, body: method === "GET" ? undefined : "{}" });
        const name = `${method} ${address} ${skip["x-middleware-subrequest"] ?? ""}`;
        const isShared = address.startsWith("/api/v1/shared/");
        if (!methods.includes(method)) {
          expect(answer.status, name).toBe(405);
          expect(answer.body, name).toBe("");
          continue;
        }
        const status = ROUTES[address]?.[method] ?? (isShared ? undefined : 401);
        if (status !== undefined) expect(answer.status, name).toBe(status);
        expect(answer.headers, name).toMatchObject({
          "content-type": "application/json; charset=utf-8",
          "content-security-policy": expect.stringContaining("default-src 'none'"),
          "x-content-type-options": "nosniff",
          "cross-origin-resource-policy": "same-origin",
          "referrer-policy": "no-referrer",
          "cache-control": "no-store",
        });
        if (!isShared) expect(answer.body, name).not.toContain(mark);
      }
    }
  }
});

test("A1: a session's cookie opens nothing for another origin or host, and a wrong key nothing for a right cookie", async ({
  page,
}) => {
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const share = `/api/v1/trajectories/${id}/shares`;
  expect((await ask(share, { headers: { cookie } })).status).toBe(200);
  expect((await ask(share, { headers: { cookie, authorization: "Bearer misstep_wrong" } })).status).toBe(401);
  const foreign: Record<string, string>[] = [
    {},
    { origin: "http://127.0.0.1:1" },
    { origin: "https://attacker.example", "sec-fetch-site": "same-origin" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-origin", host: "attacker.example" },
  ];
  for (const headers of foreign) {
    const answer = await ask(share, { method: "POST", body: "{}", headers: { ...headers, cookie } });
    expect(answer.status, JSON.stringify(headers)).toBe(403);
  }
});
