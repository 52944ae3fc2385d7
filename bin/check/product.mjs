import path from "node:path";
import { readLines, startGuarded } from "../launch/guarded.mjs";
import { freePort } from "../launch/port.mjs";
import { Refusal } from "../launch/refusal.mjs";

/**
 * The environment without anything of a user's own Misstep: a test never touches their database or
 * data folder, and asks no model that they pay for.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function cleanEnvironment(env) {
  const own = /^(MISSTEP_|PG[A-Z]+$|BETTER_AUTH_|OPENAI_|LLM_)|^(DATABASE_URL|PORT|HOST|HOSTNAME|NODE_ENV)$/;
  const kept = Object.entries(env).filter(([name]) => !own.test(name));
  return { ...Object.fromEntries(kept), NEXT_TELEMETRY_DISABLED: "1" };
}

/**
 * @typedef {object} Product
 * @property {string} origin
 * @property {string} link the one-time sign-in link
 * @property {string} dataDir
 * @property {() => Promise<number>} stop as Ctrl-C would; resolves with the exit code
 */

/**
 * Starts the whole product as `npm start` does, on a data folder, port and build folder of the tests.
 * @param {{ root: string, env: NodeJS.ProcessEnv, dataDir: string, buildDir: string, say: (line: string) => void }} options
 * @returns {Promise<Product>} when it is up
 * @throws Refusal with its last words when it does not come up
 */
export async function startProduct({ root, env, dataDir, buildDir, say }) {
  const port = await freePort();
  const productEnv = { ...env, PORT: String(port), MISSTEP_DATA_DIR: dataDir, MISSTEP_BUILD_DIR: buildDir };
  const launcher = startGuarded(process.execPath, [path.join(root, "bin", "start.mjs")], {
    cwd: root,
    env: productEnv,
    graceMs: 15_000,
  });
  /** @type {string[]} */
  const words = [];
  const link = await new Promise((resolve, reject) => {
    for (const stream of [launcher.stdout, launcher.stderr])
      void readLines(stream, (line) => {
        say(line.replace(/(token=)\S+/, "$1…"));
        words.push(line);
        const found = /^Open (http\S+)$/.exec(line)?.[1];
        if (found) resolve(found);
      });
    void launcher.exited.then((code) => {
      reject(new Refusal(`npm start ended with exit code ${code}.`, { details: words.slice(-40).join("\n") }));
    });
  });
  return { origin: new URL(link).origin, link, dataDir, stop: () => launcher.stop() };
}
