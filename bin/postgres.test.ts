import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPostgres } from "./postgres.mjs";

let folder = "";
const stops: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), "misstep-pg-")), "postgres");
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  rmSync(path.dirname(folder), { recursive: true, force: true });
});

async function start(options: { port?: number } = {}) {
  const server = await startPostgres({ dataDir: folder, durable: false, ...options });
  stops.push(server.stop);
  return server;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const maintenance = (url: string): string => url.replace(/\/misstep$/, "/postgres");

describe("startPostgres", { timeout: 60_000 }, () => {
  it("keeps data, password and port over a stop and a start", async () => {
    const first = await start();
    await query(maintenance(first.url), "CREATE DATABASE misstep");
    await query(first.url, "CREATE TABLE kept (x int)");
    await first.stop();
    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, "SELECT * FROM kept")).toEqual([]);
  });

  it("takes another port when the last one is taken, and only then", async () => {
    const first = await start();
    await first.stop();
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(first.port, "127.0.0.1", resolve));
    const second = await start();
    server.close();
    expect(second.port).not.toBe(first.port);
    await second.stop();
    expect((await start()).port).toBe(second.port);
  });

  it("is its owner's alone: rights, password, loopback, no socket, no superuser", async () => {
    const { url, port } = await start();
    const rights = (name: string): number => statSync(path.join(folder, name)).mode & 0o777;
    expect([rights("."), rights("cluster"), rights("password")]).toEqual([0o700, 0o700, 0o600]);
    expect(readFileSync(path.join(folder, "password"), "utf8").trim().length).toBeGreaterThanOrEqual(43);
    const wrong = new URL(maintenance(url));
    wrong.password = "wrong";
    await expect(query(wrong.toString(), "SELECT 1")).rejects.toThrow(/password authentication failed/);
    wrong.username = "postgres";
    await expect(query(wrong.toString(), "SELECT 1")).rejects.toThrow(/password authentication failed/);
    expect(
      await query(maintenance(url), "SELECT rolsuper AS super FROM pg_roles WHERE rolname = current_user"),
    ).toEqual([{ super: false }]);
    const [, , , listens, sockets, address] = readFileSync(
      path.join(folder, "cluster", "postmaster.pid"),
      "utf8",
    ).split("\n");
    expect({ listens, sockets, address }).toEqual({ listens: String(port), sockets: "", address: "127.0.0.1" });
  });

  it("stops a server that was left behind, and takes over from one that was killed", async () => {
    const left = await start();
    const next = await start(); // nobody stopped the first
    expect(await left.exited).toBe(0);
    process.kill(
      Number(readFileSync(path.join(folder, "cluster", "postmaster.pid"), "utf8").split("\n")[0]),
      "SIGKILL",
    );
    expect(await next.exited).toBe(137);
    const third = await start();
    expect(await query(maintenance(third.url), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("is not stopped by a postmaster.pid whose number is another program's by now", async () => {
    await (await start()).stop();
    writeFileSync(path.join(folder, "cluster", "postmaster.pid"), `${process.pid}\n${folder}/cluster\n`);
    const server = await start();
    expect(await query(maintenance(server.url), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("begins again when the first start was cut off", async () => {
    await (await start()).stop();
    const { renameSync } = await import("node:fs");
    renameSync(path.join(folder, "cluster"), path.join(folder, "cluster.partial"));
    const server = await start();
    expect(await query(maintenance(server.url), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("shows the server's own words when it does not start", async () => {
    await (await start()).stop();
    writeFileSync(path.join(folder, "cluster", "postgresql.conf"), "no_such_setting = 1\n");
    await expect(start()).rejects.toMatchObject({
      name: "Refusal",
      message: expect.stringContaining("did not start"),
      details: expect.stringContaining("no_such_setting"),
    });
  });
});
