// The embedded Postgres: a real server of the packages, run in the foreground, reachable on the loopback alone.
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runGuarded, startGuarded } from "./launch/guarded.mjs";
import { freePort, whyNotFree } from "./launch/port.mjs";
import { embeddedPostgres } from "./launch/postgres-package.mjs";
import { stopStaleServer } from "./launch/postgres-stale.mjs";
import { whoRunsPostgres } from "./launch/postgres-user.mjs";
import { keptSecret, makePrivateFolder, readIfThere, writePrivateFile } from "./launch/private-file.mjs";
import { Refusal, refusalOfFileError } from "./launch/refusal.mjs";

const ROLE = "misstep";
const START_TIMEOUT_MS = 60_000; // recovery after a kill can take a while
const LOG_MAX_BYTES = 8 * 1024 * 1024;

/**
 * @typedef {object} EmbeddedServer
 * @property {string} url of the database `misstep`, with the password; the role may create databases but is no superuser
 * @property {number} port
 * @property {() => Promise<void>} stop shuts down (fast, then hard) and resolves when no process is left
 * @property {Promise<number>} exited resolves with the exit code when the server ends, asked or not
 */

/**
 * Starts the embedded Postgres on a folder (made on first use, 0700), and waits until it answers. It ends with this process.
 * The folder holds the cluster, the password (0600, random), the port that was taken last, and the server's log.
 * One caller at a time may use a folder: a server found running on it is taken for a stale one, and stopped.
 * @param {{ dataDir: string, port?: number, durable?: boolean, ownFolders?: string[], mustExist?: boolean }} options `port`: this one or none; without it the one of
 *   the last time if it is free, else any free one. `durable: false` (tests): does not wait for the disk.
 *   `ownFolders`: folders above `dataDir` that another user may be allowed to enter, when root must run Postgres as one. `mustExist`: does not make a new cluster.
 * @returns {Promise<EmbeddedServer>}
 * @throws Refusal with one sentence (no Postgres for this platform, root without a way out, a full disk, ...)
 */
export async function startPostgres({ dataDir, port: wanted, durable = true, ownFolders = [], mustExist = false }) {
  const folder = path.resolve(dataDir);
  try {
    if (mustExist && !existsSync(path.join(folder, "cluster")))
      throw new Refusal(`The data folder ${folder} is gone: start Misstep again to begin with a new one.`);
    return await start(folder, wanted, durable, ownFolders);
  } catch (error) {
    throw refusalOfFileError(error, folder);
  }
}

/**
 * @param {string} folder
 * @param {number | undefined} wanted
 * @param {boolean} durable
 * @param {string[]} ownFolders
 * @returns {Promise<EmbeddedServer>}
 */
async function start(folder, wanted, durable, ownFolders) {
  makePrivateFolder(folder);
  const cluster = path.join(folder, "cluster");
  const programs = embeddedPostgres();
  await stopStaleServer(cluster);
  const password = keptSecret(path.join(folder, "password"));
  const runAs = whoRunsPostgres([...ownFolders, folder], programs.postgres);
  runAs.own(cluster);
  if (!existsSync(path.join(cluster, "PG_VERSION")))
    await initialise(folder, cluster, password, programs, runAs, durable);

  const portFile = path.join(folder, "port");
  const port = wanted ?? (await portToTake(portFile));
  const server = startServer(folder, cluster, port, programs, runAs, durable);
  await untilReady(server, cluster, folder);
  writePrivateFile(portFile, `${port}\n`);
  return {
    url: `postgresql://${ROLE}:${encodeURIComponent(password)}@127.0.0.1:${port}/misstep`,
    port,
    exited: server.exited,
    stop: async () => void (await server.stop()),
  };
}

/** @param {string} portFile */
async function portToTake(portFile) {
  const last = Number(readIfThere(portFile));
  if (Number.isInteger(last) && last > 0 && last < 65_536 && (await whyNotFree(last)) === null) return last;
  return freePort();
}

/**
 * @param {string} folder
 * @param {string} cluster
 * @param {number} port
 * @param {{ postgres: string }} programs
 * @param {import("./launch/postgres-user.mjs").RunAs} runAs
 * @param {boolean} durable
 */
function startServer(folder, cluster, port, { postgres }, runAs, durable) {
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "", // a socket elsewhere could be reached by other users
    password_encryption: "scram-sha-256",
    max_connections: 60,
    timezone: "UTC",
    log_timezone: "UTC",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const args = ["-D", cluster, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const logPath = path.join(folder, "log");
  if (existsSync(logPath) && statSync(logPath).size > LOG_MAX_BYTES) renameSync(logPath, `${logPath}.old`);
  const log = openSync(logPath, "a", 0o600);
  const [command, wrapped] = runAs.wrap(postgres, args);
  // SIGINT is Postgres's fast shutdown: it ends the sessions and writes a checkpoint.
  const options = { env: environment(), output: log, stopSignal: /** @type {const} */ ("SIGINT"), graceMs: 8_000 };
  const server = startGuarded(command, wrapped, { ...options, uid: runAs.uid, gid: runAs.gid, endsLast: true });
  closeSync(log);
  return server;
}

/**
 * Waits until the server says in `postmaster.pid` that it takes connections.
 * @param {import("./launch/guarded.mjs").Guarded} server
 * @param {string} cluster
 * @param {string} folder
 */
async function untilReady(server, cluster, folder) {
  const end = Date.now() + START_TIMEOUT_MS;
  while (server.running) {
    const state = readIfThere(path.join(cluster, "postmaster.pid"))?.split("\n")[7]?.trim();
    if (state === "ready") return;
    if (Date.now() > end) break;
    await sleep(20);
  }
  const wasRunning = server.running;
  await server.stop();
  const log = readIfThere(path.join(folder, "log")) ?? "";
  const words = log.trimEnd().split("\n").slice(-12).join("\n");
  throw new Refusal(
    /No space left on device/.test(words)
      ? `The disk that holds ${folder} is full: free some space, or set MISSTEP_DATA_DIR to another disk.`
      : `The built-in Postgres ${wasRunning ? `was not ready after ${START_TIMEOUT_MS / 1000} s` : "did not start"}; its own words are above and in ${path.join(folder, "log")}.`,
    { details: words },
  );
}

/**
 * Makes the cluster beside its final place and moves it there when it is whole, so that a kill in between leaves nothing
 * that looks like a cluster.
 * @param {string} folder
 * @param {string} cluster
 * @param {string} password of the role of the application
 * @param {{ postgres: string, initdb: string }} programs
 * @param {import("./launch/postgres-user.mjs").RunAs} runAs
 * @param {boolean} durable
 */
async function initialise(folder, cluster, password, programs, runAs, durable) {
  const partial = `${cluster}.partial`;
  rmSync(partial, { recursive: true, force: true });
  makePrivateFolder(partial);
  runAs.own(partial);
  // The superuser's password is thrown away: nobody needs it, and single-user mode works without.
  const superuserPassword = randomBytes(32).toString("base64url");
  await withPrivateFile(path.join(folder, "initial-password"), `${superuserPassword}\n`, runAs, (file) =>
    run(folder, programs.initdb, runAs, [
      ...["-D", partial, "-U", "postgres", "--auth=scram-sha-256", `--pwfile=${file}`, "--encoding=UTF8"],
      // The same order and case rules on every machine, and Unicode in `lower()`.
      ...["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
      ...(durable ? [] : ["--no-sync"]),
    ]),
  );
  // The application is no superuser: a mistake in a query cannot run programs or read files of the server.
  const sql = `CREATE ROLE ${ROLE} LOGIN CREATEDB PASSWORD '${password}'\n`;
  await withPrivateFile(path.join(folder, "initial-role"), sql, runAs, async (file) => {
    const input = openSync(file, "r");
    try {
      await run(folder, programs.postgres, runAs, ["--single", "-j", "-D", partial, "postgres"], input);
    } finally {
      closeSync(input);
    }
  });
  renameSync(partial, cluster);
}

/**
 * @param {string} file
 * @param {string} text
 * @param {import("./launch/postgres-user.mjs").RunAs} runAs
 * @param {(file: string) => Promise<void>} use
 */
async function withPrivateFile(file, text, runAs, use) {
  writePrivateFile(file, text);
  try {
    runAs.own(file);
    await use(file);
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * @param {string} folder
 * @param {string} program
 * @param {import("./launch/postgres-user.mjs").RunAs} runAs
 * @param {string[]} args
 * @param {number} [input]
 */
async function run(folder, program, runAs, args, input) {
  const [command, wrapped] = runAs.wrap(program, args);
  const options = { env: environment(), input, uid: runAs.uid, gid: runAs.gid };
  const { code, lines } = await runGuarded(command, wrapped, options);
  const words = lines.join("\n");
  if (code === 0 && !/^(FATAL|ERROR|PANIC)/m.test(words)) return;
  const full = /No space left on device|could not write|Disk quota/.test(words);
  throw new Refusal(
    full
      ? `The disk that holds ${folder} seems to be full: free some space, or set MISSTEP_DATA_DIR to another disk. Postgres's own words are above.`
      : `The built-in Postgres could not make its data folder ${folder}; its own words are above.`,
    { details: words },
  );
}

/** Postgres's own settings of a user's shell (PGDATA, PGPORT, ...) are not for this server. */
function environment() {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("PG") && !name.startsWith("LC_"));
  return { ...Object.fromEntries(kept), LC_ALL: "C", TZ: "UTC" };
}
