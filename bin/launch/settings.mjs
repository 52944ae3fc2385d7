import path from "node:path";
import { Refusal } from "./refusal.mjs";

export const DEFAULT_PORT = 3210;
const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

/**
 * What a start was asked for.
 * @typedef {object} Settings
 * @property {string} root of the clone
 * @property {number} port
 * @property {string} host to listen on
 * @property {string} probeHost where the launcher itself asks for the health
 * @property {string} origin as a browser writes it, without a slash at the end
 * @property {string} dataDir
 * @property {string} buildDir relative to the root
 * @property {string | null} databaseUrl null for the built-in Postgres
 */

/**
 * Reads the environment.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root of the clone
 * @returns {Settings}
 * @throws Refusal with one sentence about the variable that is wrong
 */
export function readSettings(env, root) {
  const port = readPort(env.PORT);
  const host = env.MISSTEP_HOST?.trim() || "127.0.0.1"; // not HOSTNAME: shells and containers set it
  const origin = readOrigin(env, host, port);
  return {
    root,
    port,
    host,
    probeHost: host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host,
    origin,
    dataDir: path.resolve(root, env.MISSTEP_DATA_DIR?.trim() || ".data"),
    buildDir: readBuildFolder(env, root),
    databaseUrl: readDatabaseUrl(env),
  };
}

/** @param {string | undefined} text */
function readPort(text) {
  if (text === undefined || text.trim() === "") return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  if (port < 1 || port > 65_535)
    throw new Refusal(
      `PORT is ${JSON.stringify(text)}, which is no port: set it to a number from 1 to 65535, or leave it out for ${DEFAULT_PORT}.`,
    );
  return port;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} host
 * @param {number} port
 */
function readOrigin(env, host, port) {
  const given = env.MISSTEP_ORIGIN?.trim();
  const insecure = env.MISSTEP_INSECURE === "1";
  if (!LOOPBACK.has(host) && !given?.startsWith("https://") && !insecure)
    throw new Refusal(
      `MISSTEP_HOST is ${host}, which other machines can reach: also set MISSTEP_ORIGIN to the https:// address that people will open, or MISSTEP_INSECURE=1 to do without encryption.`,
    );
  if (!given) {
    if (host === "0.0.0.0" || host === "::")
      throw new Refusal(
        `MISSTEP_HOST is ${host}, so Misstep cannot know its own address: set MISSTEP_ORIGIN to what people will open, for example http://this-machine:${port}.`,
      );
    return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  }
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new Refusal(
      `MISSTEP_ORIGIN is ${JSON.stringify(given)}, which is no address: write it like https://misstep.example.org.`,
    );
  const { origin, pathname, search } = new URL(given);
  if (pathname !== "/" || search) throw new Refusal(`MISSTEP_ORIGIN must not have a path: write ${origin}.`);
  return origin;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root
 */
function readBuildFolder(env, root) {
  const given = env.MISSTEP_BUILD_DIR?.trim() || ".next";
  const relative = path.relative(root, path.resolve(root, given));
  if (relative === "" || relative.startsWith("..") || path.isAbsolute(relative))
    throw new Refusal(`MISSTEP_BUILD_DIR is ${JSON.stringify(given)}: it must be a folder inside ${root}.`);
  return relative;
}

/** @param {NodeJS.ProcessEnv} env */
function readDatabaseUrl(env) {
  const given = env.DATABASE_URL?.trim();
  if (!given) return null;
  const isPostgres = URL.canParse(given) && /^postgres(ql)?:$/.test(new URL(given).protocol);
  if (!isPostgres || new URL(given).pathname.length < 2)
    throw new Refusal(
      "DATABASE_URL is no address of a Postgres database: write it like postgresql://user:password@host:5432/misstep, or unset it to use the built-in Postgres.",
    );
  return given;
}
