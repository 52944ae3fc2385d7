import { beforeAll, describe, expect, test, vi } from "vitest";
import { listQuerySchema } from "@/lib/views/trajectory-list";
import { createApiKey, revokeApiKey } from "./api-keys";
import { recordAudit } from "./audit";
import { attachBaseline, loadBaseline } from "./baselines";
import { pool } from "./client";
import { beginImport, failImport, readAgain, reportImport, retryImport } from "./import-status";
import { isImported } from "./imports";
import type { ProjectScope } from "./scope";
import { createSignInLink } from "./sign-in-links";
import { makeProject, withTestDatabase } from "./test-database";
import { getListPage, getRow } from "./trajectories";
import { openUpload, receiveUpload } from "./uploads";

// A5: Prisma reads `where: { id: undefined }` as "any row" and an object as a condition. Nothing but a plain identifier,
// and nothing but a scope of its gate, reaches it.
withTestDatabase();
let scope: ProjectScope;
beforeAll(async () => {
  scope = await makeProject();
  await getListPage(scope, listQuerySchema.parse({}));
});

type Call = (scope: never, id: never) => Promise<unknown>;
const failure = { code: "x", message: "x", byte: null, line: null, pointer: null };
const attachment = { name: "a.py", body: null, contentLength: null, contentType: null };

/** Every function of the write side that takes an identifier. */
const BY_ID: Record<string, Call> = {
  getRow: (s, id) => getRow(s, id),
  openUpload: (s, id) => openUpload(s, id),
  retryImport: (s, id) => retryImport(s, id),
  readAgain: (s, id) => readAgain(s, id),
  attachBaseline: (s, id) => attachBaseline(s, id, attachment),
  loadBaseline: (s, id) => loadBaseline(s, id),
  beginImport: (s, id) => beginImport(s, id),
  reportImport: (s, id) => reportImport(s, id, "a", { phase: "reading", done: 0, total: 0, turns: 0 }),
  failImport: (s, id) => failImport(s, id, null, failure),
  isImported: (s, id) => isImported(s, id),
  revokeApiKey: (s, id) => revokeApiKey(s, id),
};

/** And those that take a scope alone. */
const BY_SCOPE: Record<string, Call> = {
  getListPage: (s) => getListPage(s, listQuerySchema.parse({})),
  receiveUpload: (s) => receiveUpload(s, { name: "", body: null, contentLength: 0, sha256: null }),
  createApiKey: (s) => createApiKey(s, "k"),
  createSignInLink: (s) => createSignInLink(s),
  recordAudit: (s) => recordAudit(s, { action: "link.create", subject: null }),
};

async function expectNoSql(call: () => Promise<unknown>): Promise<void> {
  const query = vi.spyOn(pool(), "query");
  const connect = vi.spyOn(pool(), "connect");
  try {
    await expect(call()).rejects.toMatchObject({ name: "AppError" });
    expect(query).not.toHaveBeenCalled();
    expect(connect).not.toHaveBeenCalled();
  } finally {
    vi.restoreAllMocks();
  }
}

const NOT_IDS = [
  undefined,
  null,
  {},
  { not: "" },
  { contains: "" },
  [],
  ["a"],
  7,
  true,
  "",
  "a b",
  "[id]",
  "%00",
  "\u0000",
  "x".repeat(65),
  "../x",
  "ünïcode",
];

describe.each(Object.keys(BY_ID))("A5 %s", (name) => {
  test.each(NOT_IDS)("%j as an identifier throws before SQL", async (id) => {
    await expectNoSql(() => BY_ID[name]?.(scope as never, id as never) ?? Promise.resolve());
  });
});

describe.each(Object.keys({ ...BY_ID, ...BY_SCOPE }))("A5 %s", (name) => {
  const forged = { kind: "project", projectId: "main", actor: { kind: "user", id: "owner", name: "" } };
  test.each([undefined, null, {}, forged, { ...forged, projectId: undefined }])(
    "%j as a scope throws before SQL",
    async (s) => {
      const call = { ...BY_ID, ...BY_SCOPE }[name];
      await expectNoSql(() => call?.(s as never, "abc" as never) ?? Promise.resolve());
    },
  );
});

test("a scope cannot be changed after it was minted, and its copy is no scope", async () => {
  expect(() => Object.assign(scope, { projectId: "main" })).toThrow(TypeError);
  await expectNoSql(() => getRow({ ...scope }, "abc"));
});
