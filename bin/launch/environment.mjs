import path from "node:path";
import { readIfThere, writePrivateFile } from "./private-file.mjs";

const FILE = "environment.json";
const NAMES = ["DATABASE_URL", "MISSTEP_DATA_DIR", "MISSTEP_SECRET", "MISSTEP_ORIGIN", "MISSTEP_HOST", "PORT"];

/**
 * The variables that web, worker and commands of one start get.
 * @param {import("./settings.mjs").Settings} settings
 * @param {string} databaseUrl
 * @param {string} secret
 * @returns {Record<string, string>}
 */
export function environmentOf(settings, databaseUrl, secret) {
  return {
    DATABASE_URL: databaseUrl,
    MISSTEP_DATA_DIR: settings.dataDir,
    MISSTEP_SECRET: secret,
    MISSTEP_ORIGIN: settings.origin,
    MISSTEP_HOST: settings.host,
    PORT: String(settings.port),
    MISSTEP_BUILD_DIR: settings.buildDir,
    NEXT_TELEMETRY_DISABLED: "1",
    NODE_ENV: "production",
  };
}

/**
 * Keeps them in the data folder (0600), for `npm run misstep` in another terminal.
 * @param {string} dataDir
 * @param {Record<string, string>} environment
 */
export function keepEnvironment(dataDir, environment) {
  const kept = Object.fromEntries(NAMES.map((name) => [name, environment[name]]));
  writePrivateFile(path.join(dataDir, FILE), `${JSON.stringify(kept, null, 2)}\n`);
}

/**
 * The variables of the last start on a data folder; what the environment sets itself wins.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root of the clone
 * @returns {NodeJS.ProcessEnv} without them when nothing was started there yet
 */
export function withKeptEnvironment(env, root) {
  const dataDir = path.resolve(root, env.MISSTEP_DATA_DIR?.trim() || ".data");
  const text = readIfThere(path.join(dataDir, FILE));
  return text === null ? env : { ...JSON.parse(text), ...env };
}
