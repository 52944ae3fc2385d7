import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { build, generate, mustBuild, mustGenerate } from "../launch/build.mjs";
import { runGuarded } from "../launch/guarded.mjs";
import { findOrInstallChromium } from "./chromium.mjs";
import { startProduct } from "./product.mjs";
import { countCheck, countPlaywright, countVitest } from "./results.mjs";

/**
 * What a stage is given.
 * @typedef {object} Context
 * @property {string} root
 * @property {NodeJS.ProcessEnv} env without a user's own settings
 * @property {string} folder of everything that the tests write, absolute
 * @property {string} buildDir relative to the root
 * @property {string[]} args for the stage's own tool, when one stage was asked for
 * @property {(line: string) => void} say
 */

/** @typedef {{ passed: number, failed: number, note: string }} Counts */

const BIN = {
  biome: "node_modules/@biomejs/biome/bin/biome",
  depcruise: "node_modules/dependency-cruiser/bin/dependency-cruise.mjs",
  next: "node_modules/next/dist/bin/next",
  playwright: "node_modules/@playwright/test/cli.js",
  tsc: "node_modules/typescript/bin/tsc",
  vitest: "node_modules/vitest/vitest.mjs",
};
const IMPORT_ROOTS = ["app", "bench", "bin", "components", "e2e", "lib", "prisma", "workers"];

/** @type {Record<string, (context: Context) => Promise<Counts>>} in the order in which they run */
export const STAGES = { lint, types, imports, unit, store, build: buildStage, launcher, e2e };

/**
 * @param {Context} context
 * @param {string[]} args
 * @param {Record<string, string>} [more]
 * @returns {Promise<number>} the exit code
 */
async function tool({ root, env }, args, more = {}) {
  const { code } = await runGuarded(process.execPath, args, { cwd: root, env: { ...env, ...more }, output: "inherit" });
  return code;
}

/** Formatting and lint. @param {Context} context */
async function lint(context) {
  return countCheck(await tool(context, [BIN.biome, "check", ".", "--error-on-warnings", ...context.args]));
}

/** TypeScript, over everything. @param {Context} context */
async function types(context) {
  if (mustGenerate(context.root)) await generate(context.root, context.env);
  const code = (await tool(context, [BIN.next, "typegen"])) || (await tool(context, [BIN.tsc, "--noEmit"]));
  return countCheck(code);
}

/** Who may import whom. @param {Context} context */
async function imports(context) {
  const roots = IMPORT_ROOTS.filter((folder) => existsSync(path.join(context.root, folder)));
  return countCheck(await tool(context, [BIN.depcruise, "--config", ".dependency-cruiser.cjs", ...roots]));
}

/** Tests without a database. @param {Context} context */
function unit(context) {
  return vitest(context, "unit", ["unit", "view"]);
}

/** Store and queue tests on a real Postgres, which vitest's set-up starts. @param {Context} context */
function store(context) {
  return vitest(context, "store", ["store"]);
}

/**
 * @param {Context} context
 * @param {string} name
 * @param {string[]} projects
 */
async function vitest(context, name, projects) {
  if (mustGenerate(context.root)) await generate(context.root, context.env);
  const report = reportFile(context, name);
  const args = [BIN.vitest, "run", ...projects.flatMap((project) => ["--project", project])];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return countVitest(report, await tool(context, [...args, ...reporters, ...context.args]));
}

/** The production build, in a folder of its own. @param {Context} context */
async function buildStage(context) {
  await buildWhenStale(context);
  return countCheck(0);
}

/** @param {Context} context */
async function buildWhenStale({ root, env, buildDir, say }) {
  if (mustGenerate(root)) await generate(root, env);
  if (mustBuild(root, buildDir)) await build(root, buildDir, env, say);
  else say("The build is up to date");
}

/** The launcher's own behaviour: kills, closed terminals, ports, second starts. @param {Context} context */
async function launcher(context) {
  await buildWhenStale(context); // the tests time starts, not builds
  const report = reportFile(context, "launcher");
  const code = await tool(
    context,
    [BIN.playwright, "test", "--project=launcher", "--workers=1", ...context.args],
    playwrightEnvironment(context, report),
  );
  return countPlaywright(report, code);
}

/** The product in a real Chromium. @param {Context} context */
async function e2e(context) {
  const { root, env, folder, buildDir, say } = context;
  const report = reportFile(context, "e2e");
  const chromium = await findOrInstallChromium(root, env, say);
  const product = await startProduct({ root, env, dataDir: path.join(folder, "data"), buildDir, say });
  try {
    const code = await tool(context, [BIN.playwright, "test", "--project=browser", ...context.args], {
      ...playwrightEnvironment(context, report),
      CHROMIUM_PATH: chromium,
      MISSTEP_TEST_ORIGIN: product.origin,
      MISSTEP_TEST_LINK: product.link,
    });
    return countPlaywright(report, code);
  } finally {
    await product.stop();
  }
}

/** @param {Context} context @param {string} report */
function playwrightEnvironment({ folder, buildDir }, report) {
  return {
    MISSTEP_TEST_FOLDER: folder,
    MISSTEP_TEST_BUILD_DIR: buildDir,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  };
}

/** @param {Context} context @param {string} name */
function reportFile({ folder }, name) {
  mkdirSync(path.join(folder, "results"), { recursive: true });
  return path.join(folder, "results", `${name}.json`);
}
