import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { isDatabaseAway } from "./database-away";
import { PrismaClient } from "./generated/client";

// Port 1 of the loopback: nothing listens there.
const NOWHERE = "postgresql://user:none@127.0.0.1:1/none";

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

describe("isDatabaseAway", () => {
  test("knows what Prisma throws when nothing listens", async () => {
    const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: NOWHERE }) });
    const failure = await failureOf(prisma.user.findFirst());
    await prisma.$disconnect();
    expect(failure).toBeInstanceOf(Error);
    expect(isDatabaseAway(failure)).toBe(true);
  });

  test("knows what node-postgres throws when nothing listens", async () => {
    const failure = await failureOf(new pg.Client({ connectionString: NOWHERE }).connect());
    expect(failure).toBeInstanceOf(Error);
    expect(isDatabaseAway(failure)).toBe(true);
  });

  test.each([
    ["a server that shuts down", Object.assign(new Error("terminating connection"), { code: "57P01" }), true],
    ["the same as a cause", new Error("outer", { cause: Object.assign(new Error("inner"), { code: "08006" }) }), true],
    ["a connection that ends without a code", new Error("Connection terminated unexpectedly"), true],
    ["a unique value that is there already", Object.assign(new Error("duplicate key"), { code: "23505" }), false],
    ["a statement that was cancelled", Object.assign(new Error("canceling statement"), { code: "57014" }), false],
    ["a defect", new TypeError("x is not a function"), false],
    ["no error at all", "ECONNREFUSED", false],
  ])("%s", (_, error, isAway) => {
    expect(isDatabaseAway(error)).toBe(isAway);
  });
});
