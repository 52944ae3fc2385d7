import { createHash } from "node:crypto";
import path from "node:path";
import { whyNoAnswer } from "./port.mjs";
import { Refusal } from "./refusal.mjs";
import { supervise } from "./supervise.mjs";

/**
 * Fails early, before minutes of installing, when nothing answers where DATABASE_URL points.
 * @param {string} url
 * @throws Refusal naming host and port, never the password
 */
export async function checkReachable(url) {
  const { hostname, port } = new URL(url);
  if (!hostname) return; // a socket, told in the query: the driver will say
  const host = hostname.replace(/^\[|\]$/g, "");
  const reason = await whyNoAnswer(host, Number(port || 5432));
  if (reason !== null)
    throw new Refusal(
      `The database at ${host}:${port || 5432} does not answer (${reason}): start it or correct DATABASE_URL, or unset DATABASE_URL to use the built-in Postgres.`,
    );
}

/**
 * Starts the built-in Postgres and keeps it running, on the port that it has.
 * @param {string} dataDir
 * @param {(line: string) => void} say
 * @returns {Promise<{ url: string, server: import("./supervise.mjs").Supervised }>}
 */
export async function startBuiltIn(dataDir, say) {
  const { startPostgres } = await import("../postgres.mjs");
  let url = "";
  /** @type {number | undefined} */
  let port;
  const server = await supervise(
    "postgres",
    async () => {
      // Started again: on the port that the others know, and never on a new, empty cluster.
      const again = { port, mustExist: port !== undefined };
      const started = await startPostgres({ dataDir: path.join(dataDir, "postgres"), ownFolders: [dataDir], ...again });
      url = started.url;
      port = started.port;
      return started;
    },
    say,
  );
  return { url, server };
}

/**
 * Names a database without its password, to remember that its demo project was made.
 * @param {string | null} databaseUrl null for the built-in one
 * @returns {string}
 */
export function nameOfDatabase(databaseUrl) {
  if (databaseUrl === null) return "built-in";
  const { hostname, port, pathname } = new URL(databaseUrl);
  return createHash("sha256")
    .update(`${hostname}:${port || 5432}${pathname}`)
    .digest("hex");
}
