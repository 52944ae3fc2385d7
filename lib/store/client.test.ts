import type { PoolClient } from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { database, inTransaction, pool } from "./client";
import { isDatabaseAway } from "./database-away";
import { withTestDatabase } from "./test-database";

withTestDatabase();
afterEach(() => {
  vi.useRealTimers();
});

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

async function pidOf(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid ?? 0;
}

/** Not `events.once`: that would listen for "error" too, and nobody else's listener would be missed. */
function endOf(client: PoolClient): Promise<void> {
  return new Promise((resolve) => void client.once("end", resolve));
}

test("R5: a connection that ends between two statements is the reason of the failure, and ends nothing else", async () => {
  const failure = await failureOf(
    inTransaction(async (client) => {
      const lost = endOf(client);
      await pool().query("SELECT pg_terminate_backend($1)", [await pidOf(client)]);
      await lost;
      await client.query("SELECT 1");
    }),
  );
  expect(failure).toBeInstanceOf(Error);
  expect(isDatabaseAway(failure)).toBe(true);
  expect(await inTransaction(async (client) => (await client.query("SELECT 1 AS one")).rows)).toEqual([{ one: 1 }]);
});

test("R4: a transaction in which nothing happens is ended by the server, and with it its locks", async () => {
  const failure = await failureOf(
    inTransaction(async (client) => {
      const { rows } = await client.query("SHOW idle_in_transaction_session_timeout");
      expect(rows).toEqual([{ idle_in_transaction_session_timeout: "30s" }]);
      const over = endOf(client);
      await client.query("SET LOCAL idle_in_transaction_session_timeout = '20ms'");
      await over;
      await client.query("SELECT 1");
    }),
  );
  expect(failure).toMatchObject({ code: "25P03" });
  expect(isDatabaseAway(failure)).toBe(true);
});

test("a transaction waits for a connection as long as any statement does, and takes its time", async () => {
  const held = await Promise.all(Array.from({ length: pool().options.max ?? 0 }, () => pool().connect()));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const counted = database().$transaction(async (tx) => {
    await tx.user.count();
    await vi.advanceTimersByTimeAsync(20_000);
    return tx.user.count();
  });
  await vi.waitFor(() => expect(pool().waitingCount).toBe(1));
  await vi.advanceTimersByTimeAsync(9_000);
  for (const client of held) client.release();
  expect(await counted).toBeGreaterThanOrEqual(0);
});
