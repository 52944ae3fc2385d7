import { beforeAll, expect, test } from "vitest";
import { POST as upload } from "@/app/api/v1/uploads/route";
import { createApiKey, revokeApiKey, scopeOfApiKey } from "./api-keys";
import { database } from "./client";
import type { ProjectScope } from "./scope";
import { projectOf } from "./session";
import { makeProject, withTestDatabase } from "./test-database";

withTestDatabase();
let scope: ProjectScope;
beforeAll(async () => {
  scope = await makeProject();
});

const bearing = (token: string): Request =>
  new Request("http://127.0.0.1:3210/", { headers: { authorization: `Bearer ${token}` } });

test("a key acts for its project, is stored as a hash, and is shown once", async () => {
  const { id, token } = await createApiKey(scope, "  nightly ");
  const found = await projectOf(bearing(token));
  expect(found).toMatchObject({ projectId: scope.projectId, actor: { kind: "key", id, name: "nightly" } });
  expect(JSON.stringify(await database().apiKey.findMany())).not.toContain(token);
  expect((await database().apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt).not.toBeNull();
});

test("a revoked, wrong, empty or huge key is nobody", async () => {
  const { id, token } = await createApiKey(scope, "k");
  await revokeApiKey(scope, id);
  for (const wrong of [token, `${token}x`, "misstep_", "", "x".repeat(9_000)]) {
    expect(await scopeOfApiKey(wrong)).toBeNull();
  }
  await expect(projectOf(bearing(token))).rejects.toMatchObject({ code: "unauthenticated" });
});

test("another project's key cannot be revoked", async () => {
  const { id, token } = await createApiKey(scope, "k");
  await expect(revokeApiKey(await makeProject(), id)).rejects.toMatchObject({ code: "not_found" });
  expect(await scopeOfApiKey(token)).not.toBeNull();
});

test("an upload with a key needs no Origin; with neither key nor Origin it is refused; a bad key gets no cookie's rights", async () => {
  const { token } = await createApiKey(scope, "k");
  const send = (headers: Record<string, string>): Promise<Response> =>
    upload(
      new Request("http://127.0.0.1:3210/api/v1/uploads?name=a.traj", {
        method: "POST",
        headers: { host: "127.0.0.1:3210", "content-length": "2", ...headers },
        body: "{}",
      }),
      { params: Promise.resolve({}) },
    );
  const sent = await send({ authorization: `Bearer ${token}` });
  expect(sent.status).toBe(201);
  expect(await sent.json()).toMatchObject({ duplicate: false, sizeBytes: 2 });
  expect((await send({ authorization: `Bearer ${token}` })).status).toBe(200);
  expect((await send({})).status).toBe(403);
  expect((await send({ origin: "http://127.0.0.1:3210" })).status).toBe(401);
  expect((await send({ authorization: "Bearer misstep_wrong" })).status).toBe(401);
  expect((await send({ authorization: `Bearer ${token}`, "x-misstep-sha256": "zz" })).status).toBe(400);
});
