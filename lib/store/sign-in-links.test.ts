import { beforeAll, describe, expect, test } from "vitest";
import { POST as signOutOrIn } from "@/app/api/auth/[...all]/route";
import { POST as openLink } from "@/app/api/auth/link/route";
import { database } from "./client";
import { hashSecret } from "./identifiers";
import { ensureOwner } from "./owner";
import { projectOf } from "./session";
import { consumeSignInLink, createSignInLink } from "./sign-in-links";
import { withTestDatabase } from "./test-database";

withTestDatabase();
const ORIGIN = "http://127.0.0.1:3210";
beforeAll(async () => {
  await ensureOwner();
});

async function newToken(): Promise<string> {
  const { path } = await createSignInLink(await ensureOwner());
  return new URL(path, ORIGIN).searchParams.get("token") ?? "";
}

function post(token: string, headers: Record<string, string> = {}): Promise<Response> {
  const request = new Request(`${ORIGIN}/api/auth/link`, {
    method: "POST",
    headers: {
      host: "127.0.0.1:3210",
      origin: ORIGIN,
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
    },
    body: new URLSearchParams({ token }),
  });
  return openLink(request, { params: Promise.resolve({}) });
}

const cookieOf = (response: Response): string => response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
const withCookie = (cookie: string): Request => new Request(ORIGIN, { headers: { cookie } });

describe("a sign-in link", () => {
  test("holds 128 random bits, of which only the hash is stored", async () => {
    const token = await newToken();
    expect(Buffer.from(token, "base64url")).toHaveLength(16);
    const stored = await database().signInLink.findMany();
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(stored.map((link) => link.tokenHash)).toContain(hashSecret(token));
  });

  test("opens a session and leads to an address without the token; the cookie's name has the port", async () => {
    const response = await post(await newToken());
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/");
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^misstep-3210\.session_token=[^;]+;/);
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    const scope = await projectOf(withCookie(cookieOf(response)));
    expect(scope.actor).toMatchObject({ kind: "user", id: "owner" });
    expect(await database().session.count()).toBe(1);
  });

  test("works once, under 20 simultaneous attempts", async () => {
    const token = await newToken();
    const sessions = await database().session.count();
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(token)));
    const locations = responses.map((response) => response.headers.get("location"));
    expect(locations.filter((location) => location === "/")).toHaveLength(1);
    expect(locations.filter((location) => location === "/sign-in?reason=link")).toHaveLength(19);
    expect(responses.filter((response) => response.headers.getSetCookie().length > 0)).toHaveLength(1);
    expect(await database().session.count()).toBe(sessions + 1);
  });

  test("wrong, used and expired links are refused alike", async () => {
    const used = await newToken();
    await consumeSignInLink(used);
    const expired = await newToken();
    await database().signInLink.updateMany({
      where: { tokenHash: hashSecret(expired) },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    const answers = [];
    for (const token of ["", "x".repeat(22), "x".repeat(5_000), "\u0000".repeat(20), used, expired]) {
      const response = await post(token);
      answers.push({ status: response.status, to: response.headers.get("location"), set: cookieOf(response) });
    }
    const refused = { status: 303, to: "/sign-in?reason=link", set: "" };
    expect(answers).toEqual(Array(answers.length).fill(refused));
  });

  test("lives for 15 minutes", async () => {
    const token = await newToken();
    const link = await database().signInLink.findUniqueOrThrow({ where: { tokenHash: hashSecret(token) } });
    const minutes = (link.expiresAt.getTime() - link.createdAt.getTime()) / 60_000;
    expect(minutes).toBeCloseTo(15, 1);
  });

  test.each([undefined, null, {}, [], { not: "" }, { contains: "" }, 7])("%j is refused before SQL", async (token) => {
    await expect(consumeSignInLink(token)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  test.each([
    ["another origin", { origin: "http://127.0.0.1:9999" }, 403],
    ["another port under the other loopback name", { origin: "http://localhost:3211" }, 403],
    ["no origin at all", { origin: "" }, 403],
    ["a foreign host (DNS rebinding)", { host: "evil.example:3210" }, 403],
    ["no form", { "content-type": "application/json" }, 400],
  ])("%s is refused and does not use it up", async (_, headers, status) => {
    const token = await newToken();
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
    const request = new Request(`${ORIGIN}/api/auth/link`, {
      method: "POST",
      headers: {
        host: "127.0.0.1:3210",
        ...("origin" in headers ? {} : { origin: ORIGIN }),
        "content-type": "application/x-www-form-urlencoded",
        ...given,
      },
      body: new URLSearchParams({ token }),
    });
    expect((await openLink(request, { params: Promise.resolve({}) })).status).toBe(status);
    expect(await consumeSignInLink(token)).toBe("owner");
  });

  test("the other loopback name with the same port is the same origin", async () => {
    const response = await post(await newToken(), { origin: "http://localhost:3210", host: "localhost:3210" });
    expect(response.headers.get("location")).toBe("/");
  });
});

describe("a session", () => {
  test("ends with signing out", async () => {
    const cookie = cookieOf(await post(await newToken()));
    await projectOf(withCookie(cookie));
    const request = new Request(`${ORIGIN}/api/auth/sign-out`, {
      method: "POST",
      headers: { cookie, host: "127.0.0.1:3210", origin: ORIGIN, "content-type": "application/json" },
      body: "{}",
    });
    expect((await signOutOrIn(request, { params: Promise.resolve({ all: ["sign-out"] }) })).status).toBe(200);
    await expect(projectOf(withCookie(cookie))).rejects.toMatchObject({ code: "unauthenticated" });
  });

  test("a changed signature, another cookie name and no cookie are nobody", async () => {
    const cookie = cookieOf(await post(await newToken()));
    for (const wrong of [`${cookie.slice(0, -4)}AAAA`, cookie.replace("3210", "3211"), ""]) {
      await expect(projectOf(withCookie(wrong))).rejects.toMatchObject({ code: "unauthenticated" });
    }
  });

  test("a person without a membership has no project", async () => {
    const cookie = cookieOf(await post(await newToken()));
    await database().membership.deleteMany({ where: { userId: "owner" } });
    await expect(projectOf(withCookie(cookie))).rejects.toMatchObject({ code: "unauthenticated" });
    await ensureOwner();
    expect((await projectOf(withCookie(cookie))).projectId).toBe("main");
  });

  test.each([
    ["POST", "sign-up/email"],
    ["POST", "sign-in/email"],
    ["POST", "sign-in-with-link"],
    ["POST", "update-user"],
    ["POST", "delete-user"],
    ["GET", "sign-out"],
    ["GET", "get-session"],
  ])("%s %s of better-auth is not open", async (method, path) => {
    const request = new Request(`${ORIGIN}/api/auth/${path}`, {
      method,
      headers: { host: "127.0.0.1:3210", origin: ORIGIN, "content-type": "application/json" },
      ...(method === "POST"
        ? { body: JSON.stringify({ token: await newToken(), email: "a@b.c", password: "x" }) }
        : {}),
    });
    expect((await signOutOrIn(request, { params: Promise.resolve({ all: path.split("/") }) })).status).toBe(404);
  });
});
