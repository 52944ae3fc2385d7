import { beforeAll, describe, expect, test, vi } from "vitest";
import { resetEnv } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { allowedOrigins, attachment, bearerToken, checkOrigin, contentDisposition, errorAnswer, route } from "./http";

beforeAll(() => {
  vi.stubEnv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none");
  vi.stubEnv("MISSTEP_ORIGIN", "http://127.0.0.1:3210");
  resetEnv();
});

const write = (headers: Record<string, string>): Request =>
  new Request("http://127.0.0.1:3210/api/v1/uploads", { method: "POST", headers });
const OURS = { host: "127.0.0.1:3210", origin: "http://127.0.0.1:3210" };

describe("checkOrigin", () => {
  test.each([
    ["the configured origin", OURS],
    ["the other loopback name", { host: "localhost:3210", origin: "http://localhost:3210" }],
    ["IPv6 loopback", { host: "[::1]:3210", origin: "http://[::1]:3210" }],
    ["a form without referrer on our own page", { ...OURS, origin: "null", "sec-fetch-site": "same-origin" }],
    ["an API key, from anywhere", { host: "elsewhere:1", authorization: "Bearer misstep_x" }],
  ])("lets %s through", (_, headers) => {
    expect(() => checkOrigin(write(headers))).not.toThrow();
  });

  test.each([
    ["another port", { ...OURS, origin: "http://127.0.0.1:3211" }],
    ["another scheme", { ...OURS, origin: "https://127.0.0.1:3210" }],
    ["another site", { ...OURS, origin: "http://evil.example" }],
    ["a name that begins like ours", { ...OURS, origin: "http://127.0.0.1:3210.evil.example" }],
    ["a sandboxed frame", { ...OURS, origin: "null", "sec-fetch-site": "cross-site" }],
    ["another port of this machine, without Origin", { host: OURS.host, "sec-fetch-site": "same-site" }],
    ["no Origin", { host: OURS.host }],
    ["another Host", { ...OURS, host: "evil.example:3210" }],
    ["no Host", { origin: OURS.origin }],
    ["Basic instead of Bearer", { host: OURS.host, authorization: "Basic eDp5" }],
  ])("refuses %s", (_, headers) => {
    expect(() => checkOrigin(write(headers))).toThrow(expect.objectContaining({ code: "forbidden" }));
  });
});

test("an origin that is not loopback has no other names", () => {
  expect(allowedOrigins("https://misstep.example.org")).toEqual(["https://misstep.example.org"]);
});

test.each([
  ["Bearer abc", "abc"],
  ["bearer abc", "abc"],
  ["Bearer", null],
  ["Bearer a b", null],
  ["Basic abc", null],
])("the key of %j is %j", (authorization, token) => {
  expect(bearerToken(write({ authorization }))).toBe(token);
});

describe("a download (A15, X6)", () => {
  test("is never shown by the browser", () => {
    const { headers } = attachment(new Uint8Array([1]), "a.html", 1);
    expect(headers.get("content-type")).toBe("application/octet-stream");
    expect(headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test.each([
    [
      'a"\r\nSet-Cookie: x=1',
      "attachment; filename=\"a___Set-Cookie_ x_1\"; filename*=UTF-8''a%22%0D%0ASet-Cookie%3A%20x%3D1",
    ],
    ["../../etc/passwd", "attachment; filename=\"passwd\"; filename*=UTF-8''passwd"],
    ["caf\u00e9 (1).traj", "attachment; filename=\"caf_ (1).traj\"; filename*=UTF-8''caf%C3%A9%20%281%29.traj"],
    ["\u202egnp.exe", "attachment; filename=\"_gnp.exe\"; filename*=UTF-8''%E2%80%AEgnp.exe"],
    ["half \ud800", "attachment; filename=\"half _\"; filename*=UTF-8''half%20%EF%BF%BD"],
    ["", "attachment; filename=\"upload\"; filename*=UTF-8''upload"],
  ])("%j has a well-formed header", (name, header) => {
    expect(contentDisposition(name)).toBe(header);
    expect(() => new Headers({ "content-disposition": header })).not.toThrow();
  });
});

describe("errors (A18)", () => {
  const answerOf = async (error: unknown) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const response = errorAnswer(error);
    const logged = log.mock.calls.flat().join(" ");
    log.mockRestore();
    return { status: response.status, body: await response.text(), logged };
  };

  test("an AppError says its code and message", async () => {
    const { status, body } = await answerOf(new AppError("too_large", "At most 1 MiB."));
    expect(status).toBe(413);
    expect(JSON.parse(body)).toEqual({
      error: { code: "too_large", message: "At most 1 MiB.", requestId: expect.stringMatching(/^[0-9a-f]{16}$/) },
    });
  });

  test.each([
    new Error('SELECT "secret" FROM "User" at /srv/app/lib/x.ts'),
    new AppError("internal", "/srv/app/lib/store/x.ts: not a scope"),
    "a string",
    undefined,
  ])("%s becomes a number that the log has too, and nothing else", async (error) => {
    const { status, body, logged } = await answerOf(error);
    expect(status).toBe(500);
    expect(body).not.toMatch(/SELECT|\/srv|stack|scope|a string/);
    const { requestId } = JSON.parse(body).error;
    expect(logged).toContain(requestId);
  });

  test("a handler that throws answers, with the common headers", async () => {
    const handler = route<{ id: string }>(async (_, { id }) => {
      throw new AppError("not_found", `no ${id}`);
    });
    const response = await handler(new Request("http://x/"), { params: Promise.resolve({ id: "7" }) });
    expect(response.status).toBe(404);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response.json()).toMatchObject({ error: { code: "not_found", message: "no 7" } });
  });
});
