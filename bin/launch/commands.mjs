/**
 * The product's programs, as command lines of this Node. Never a secret among the arguments: they get it from the
 * environment. `--import tsx`, because the tsx command would be one more process between us and the program.
 * @typedef {object} Commands
 * @property {string[]} web
 * @property {string[]} worker
 * @property {string[]} seed
 * @property {string[]} link prints the one-time sign-in link
 */

/**
 * @param {import("./settings.mjs").Settings} settings
 * @returns {Commands}
 */
export function productCommands({ host, port }) {
  const tsx = ["--import", "tsx"];
  return {
    web: ["node_modules/next/dist/bin/next", "start", "-H", host, "-p", String(port)],
    worker: [...tsx, "workers/main.ts"],
    seed: [...tsx, "bin/misstep.ts", "seed"],
    link: [...tsx, "bin/misstep.ts", "link"],
  };
}
