import { rmSync } from "node:fs";
import path from "node:path";
import { watchForEnd } from "../launch/ending.mjs";
import { guardedNow } from "../launch/guarded.mjs";
import { install, whyInstall } from "../launch/install.mjs";
import { lockDataFolder } from "../launch/lock.mjs";
import { makePrivateFolder } from "../launch/private-file.mjs";
import { Refusal } from "../launch/refusal.mjs";
import { cleanEnvironment } from "./product.mjs";
import { summary } from "./results.mjs";
import { STAGES } from "./stages.mjs";

const ROOT = path.join(import.meta.dirname, "..", "..");
const STAGE_TIMEOUT_MS = 15 * 60_000;

/**
 * `npm test`: sets everything up, runs the stages (all, or those named) and ends with `N passed, N failed`. A stage runs
 * also when an earlier one failed.
 * @param {string[]} argv names of stages, then arguments for the stage's own tool
 * @returns {Promise<number>} the exit code
 */
export async function main(argv) {
  const asked = argv.slice(0, firstOther(argv));
  const args = argv.slice(asked.length);
  if (args.length > 0 && asked.length !== 1) {
    say(
      `"${args[0]}" is no stage: the stages are ${Object.keys(STAGES).join(", ")}. Arguments for a tool follow one stage.`,
    );
    return 2;
  }
  const folder = path.resolve(ROOT, process.env.MISSTEP_TEST_FOLDER ?? ".test");
  const env = cleanEnvironment(process.env);
  let ended = "";
  watchForEnd((reason) => {
    ended = reason;
    say(`Stopping (${reason}) ...`);
    void Promise.all([...guardedNow].map((one) => one.stop()));
  });

  makePrivateFolder(folder);
  const { release } = lockDataFolder(folder, "npm test");
  /** @type {import("./results.mjs").Outcome[]} */
  const outcomes = [];
  try {
    for (const old of ["data", "results", "playwright"])
      rmSync(path.join(folder, old), { recursive: true, force: true });
    await installWhenStale(env);
    const context = {
      root: ROOT,
      env,
      folder,
      buildDir: `.next-${path.basename(folder).replace(/^\./, "")}`,
      args,
      say,
    };
    for (const stage of asked.length > 0 ? asked : Object.keys(STAGES)) {
      if (ended) break;
      outcomes.push(await runStage(stage, context));
    }
  } finally {
    await Promise.all([...guardedNow].map((one) => one.stop()));
    release();
  }
  const { lines, failed } = summary(outcomes);
  say("");
  for (const line of lines) say(line);
  return failed > 0 || ended ? 1 : 0;
}

/** @param {string[]} argv */
function firstOther(argv) {
  const index = argv.findIndex((arg) => !Object.hasOwn(STAGES, arg));
  return index === -1 ? argv.length : index;
}

/** @param {NodeJS.ProcessEnv} env */
async function installWhenStale(env) {
  const why = whyInstall(ROOT);
  if (why === null) return;
  say(`Installing the packages (${why}) ...`);
  let shownAt = 0;
  await install(ROOT, env, (detail) => {
    if (Date.now() - shownAt < 10_000) return;
    shownAt = Date.now();
    say(`  ${detail}`);
  });
}

/**
 * @param {string} stage
 * @param {import("./stages.mjs").Context} context
 * @returns {Promise<import("./results.mjs").Outcome>}
 */
async function runStage(stage, context) {
  say(`\n== ${stage}`);
  const startedAt = Date.now();
  let tooLong = false;
  const timer = setTimeout(() => {
    tooLong = true;
    for (const one of guardedNow) void one.stop();
  }, STAGE_TIMEOUT_MS);
  const counts = await STAGES[stage](context).catch((error) => {
    if (error instanceof Refusal && error.details) say(error.details.replace(/^/gm, "  "));
    say(error instanceof Refusal ? error.message : (error?.stack ?? String(error)));
    return { passed: 0, failed: 1, note: "it could not run" };
  });
  clearTimeout(timer);
  const note = tooLong ? `stopped after ${STAGE_TIMEOUT_MS / 60_000} minutes` : counts.note;
  return { stage, ...counts, failed: counts.failed + (tooLong ? 1 : 0), note, durationMs: Date.now() - startedAt };
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`);
}
