import { inspect } from "node:util";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { errorAnswer } from "@/lib/http";
import { sortFailure } from "@/workers/import-messages";
import { database, pool } from "./client";
import { errorForLog } from "./error-log";
import type { ProjectScope } from "./scope";
import { makeProject, withTestDatabase } from "./test-database";

withTestDatabase();
let scope: ProjectScope;
beforeAll(async () => {
  scope = await makeProject();
});

const BODY = "words of a trace";

/** A value that Prisma's types would refuse. */
const odd = JSON.parse(JSON.stringify({ [BODY]: BODY }));

const REFUSED: [string, () => Promise<unknown>, code: string][] = [
  ["a number that is none", () => pool().query("SELECT $1::int", [BODY]), "22P02"],
  ["JSON that is none", () => pool().query("SELECT $1::jsonb", [`{"a": "${BODY}`]), "22P02"],
  ["NUL in a text", () => pool().query("SELECT $1::text", [`${BODY}\u0000`]), "22021"],
  ["half a surrogate", () => pool().query("SELECT $1::jsonb", [JSON.stringify({ [BODY]: "\ud800" })]), "22P02"],
  [
    "a row twice",
    async () => {
      const row = { id: BODY, name: BODY, slug: BODY };
      await database().project.create({ data: row });
      await database().project.create({ data: row });
    },
    "P2002",
  ],
  [
    "a value of another type",
    () => database().trajectory.findFirst({ where: { projectId: scope.projectId, name: odd } }),
    "PrismaClientValidationError",
  ],
  [
    "NUL by way of Prisma",
    () => database().trajectory.updateMany({ where: { projectId: scope.projectId }, data: { name: `${BODY}\u0000` } }),
    "Prisma",
  ],
];

async function thrownBy(work: () => Promise<unknown>): Promise<unknown> {
  return work().then(
    () => {
      throw new Error("the database took it");
    },
    (error: unknown) => error,
  );
}

describe("U3: what the database says of a value that it refuses", () => {
  test.each(REFUSED)("%s: neither the log nor the answer quotes it", async (_, work, code) => {
    const error = await thrownBy(work);
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const answer = await errorAnswer(error).text();
    const failure = sortFailure(error);
    const logged = log.mock.calls.flat();
    log.mockRestore();
    expect(logged).toHaveLength(4);
    for (const words of [answer, JSON.stringify(failure), logged.join("\n"), errorForLog(error)]) {
      expect(words).not.toContain(BODY);
    }
    expect(errorForLog(error)).toContain(code);
    expect(failure).toMatchObject({ kind: "failed", failure: { code: "internal" } });
  });

  test("they do quote it, so there is something to leave out", async () => {
    const errors = await Promise.all(REFUSED.slice(0, 2).map(([, work]) => thrownBy(work)));
    const odd = await thrownBy(REFUSED[5]?.[1] ?? (() => Promise.resolve()));
    for (const error of [...errors, odd]) expect(inspect(error)).toContain(BODY);
  });

  test("what we threw ourselves is logged with its words, and with its cause", () => {
    const logged = errorForLog(new Error("no such turn", { cause: new TypeError(`y${"x".repeat(10_000)}`) }));
    expect(logged).toMatch(/^Error: no such turn\n\s+at /);
    expect(logged).toContain("caused by TypeError: yxx");
    expect(logged).not.toContain("x".repeat(501));
    expect(errorForLog("words")).toBe("something that is not an Error was thrown");
  });
});
