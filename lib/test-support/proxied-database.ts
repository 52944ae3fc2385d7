import { afterAll, beforeAll, vi } from "vitest";
import { resetEnv } from "@/lib/env";
import { stopSender } from "@/lib/jobs";
import { disconnect } from "@/lib/store/client";
import { withTestDatabase } from "@/lib/store/test-database";
import { type PostgresProxy, startPostgresProxy } from "./postgres-proxy";

/**
 * Gives the tests of a file a database of their own, and puts all of this process's connections to it through a proxy
 * that can damage them. Lost connections are logged, here by the dozen: the log is silent.
 * @returns the proxy; there is none before the first test.
 */
export function withProxiedDatabase(): () => PostgresProxy {
  const { url } = withTestDatabase();
  let proxy: PostgresProxy | null = null;
  beforeAll(async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    proxy = await startPostgresProxy(url());
    process.env.DATABASE_URL = proxy.url;
    resetEnv();
    await stopSender();
    await disconnect();
  });
  afterAll(async () => {
    await proxy?.close();
    vi.restoreAllMocks();
  });
  return () => {
    if (proxy === null) throw new Error("the proxy is started before the first test");
    return proxy;
  };
}
