import path from "node:path";
import { productCommands } from "./commands.mjs";
import { watchForEnd } from "./ending.mjs";
import { guardedNow } from "./guarded.mjs";
import { Launcher, STEPS } from "./launcher.mjs";
import { Progress } from "./progress.mjs";
import { Refusal, sentenceOfBrokenPackages } from "./refusal.mjs";
import { readSettings } from "./settings.mjs";

const ROOT = path.join(import.meta.dirname, "..", "..");

/**
 * `npm start`: launches the product, says where it is, and stays until it is asked to end.
 * @param {{ root?: string, env?: NodeJS.ProcessEnv, commands?: (settings: import("./settings.mjs").Settings) => import("./commands.mjs").Commands, isPrepared?: boolean }} [options]
 *   for tests of the launcher: other programs than the product's, and no care for packages and build
 * @returns {Promise<never>} ends the process: 0 when asked to stop, 1 with a sentence when it cannot go on
 */
export async function main({ root = ROOT, env = process.env, commands = productCommands, isPrepared = false } = {}) {
  const progress = new Progress(STEPS);
  /** @type {Launcher | null} */
  let launcher = null;
  let stopped = false;
  const stop = async (reason) => {
    stopped = true;
    progress.isStopping = true;
    progress.line(`Stopping (${reason}) ...`);
    await launcher?.stop();
    progress.line("Stopped.");
    process.exit(0);
  };
  watchForEnd((reason) => void stop(reason).catch(fail));

  /** @param {unknown} error */
  async function fail(error) {
    const isExpected = error instanceof Refusal;
    const broken = isExpected ? null : sentenceOfBrokenPackages(String(/** @type {Error} */ (error)?.stack));
    const text = isExpected
      ? error.message
      : (broken ?? `Misstep failed in a way that nobody foresaw: ${error?.stack ?? error}`);
    if (isExpected && error.details) process.stderr.write(`${indent(error.details)}\n`);
    process.stderr.write(`${text}\n`);
    await launcher?.stop().catch((second) => process.stderr.write(`${second?.stack ?? second}\n`));
    for (const guarded of guardedNow) guarded.kill();
    process.exit(isExpected ? error.exitCode : 1);
  }
  process.on("uncaughtException", (error) => void fail(error));
  process.on("unhandledRejection", (error) => void fail(error));

  try {
    const settings = readSettings(env, root);
    launcher = new Launcher(settings, commands(settings), progress, env, isPrepared);
    const address = await launcher.launch();
    progress.line("");
    progress.line("Misstep is running. The link signs you in once; Ctrl-C stops everything.");
    progress.line(`Open ${address}`);
  } catch (error) {
    if (!stopped) await fail(error);
  }
  return new Promise(() => undefined); // until a signal
}

/** @param {string} text */
const indent = (text) => text.replace(/^/gm, "  ");
