import { spawn } from "node:child_process";
import net from "node:net";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { freePort } from "../../bin/launch/port.mjs";
import { get } from "../harness/started-launcher";
import { productEnvironment } from "./made";

/** A web process of a test's own, on the product's database, with a line to it that can be cut. */
export interface OwnWeb {
  origin: string;
  /** Takes the session of the product over: its cookie has the port in its name. */
  enter: (page: Page) => Promise<void>;
  /** The database is away: open connections break, and no new one is made. */
  cut: () => void;
  join: () => void;
  stop: () => Promise<void>;
}

/**
 * Starts one; it answers when this resolves.
 * @param fault JavaScript that its process runs before anything else, for what does not break by itself
 * @param settings variables of its environment besides those of the product
 */
export async function startOwnWeb(fault?: string, settings: Record<string, string> = {}): Promise<OwnWeb> {
  const { DATABASE_URL, MISSTEP_SECRET } = productEnvironment();
  const database = new URL(DATABASE_URL);
  const far = { host: database.hostname, port: Number(database.port || 5_432) };
  let isCut = false;
  const open = new Set<net.Socket>();
  const keep = (socket: net.Socket): void => {
    open.add(socket);
    // A line that is cut is what this is for; the other side of it says so too.
    socket.on("error", () => socket.destroy()).on("close", () => open.delete(socket));
  };
  const line = net.createServer((near) => {
    keep(near);
    if (isCut) return near.destroy();
    const onward = net.connect(far);
    keep(onward);
    near.pipe(onward).pipe(near);
  });
  await new Promise<void>((resolve) => line.listen(0, "127.0.0.1", resolve));
  const address = line.address();
  if (address === null || typeof address === "string") throw new Error("the line has no port");
  database.hostname = "127.0.0.1";
  database.port = String(address.port);

  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const root = path.join(import.meta.dirname, "..", "..");
  const next = path.join("node_modules", "next", "dist", "bin", "next");
  const child = spawn(process.execPath, [next, "start", "-H", "127.0.0.1", "-p", String(port)], {
    cwd: root,
    stdio: "ignore",
    env: {
      ...process.env,
      ...settings,
      NODE_ENV: "production",
      DATABASE_URL: database.href,
      MISSTEP_SECRET,
      MISSTEP_ORIGIN: origin,
      MISSTEP_HOST: "127.0.0.1",
      MISSTEP_BUILD_DIR: process.env.MISSTEP_TEST_BUILD_DIR ?? ".next-test",
      PORT: String(port),
      ...(fault === undefined ? {} : { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` }),
    },
  });
  const exited = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
  });
  const isUp = (): Promise<boolean> =>
    get(`${origin}/api/health`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await expect.poll(isUp, { timeout: 60_000, message: "the web process of the test answers" }).toBe(true);
  return {
    origin,
    enter: async (page) => {
      const cookies = await page.context().cookies(origin);
      await page
        .context()
        .addCookies(
          cookies.map((cookie) => ({ ...cookie, name: cookie.name.replace(/^misstep-\d+/, `misstep-${port}`) })),
        );
    },
    cut: () => {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    join: () => {
      isCut = false;
    },
    stop: async () => {
      child.kill();
      await exited;
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => line.close(resolve));
    },
  };
}
