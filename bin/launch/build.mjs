import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fingerprint } from "./fingerprint.mjs";
import { runGuarded } from "./guarded.mjs";
import { readIfThere } from "./private-file.mjs";
import { Refusal, sentenceOfBrokenPackages } from "./refusal.mjs";

const SCHEMA = ["prisma/schema.prisma", "prisma.config.ts", "package-lock.json"];
const SOURCES = [
  ...[
    "app",
    "components",
    "lib",
    "public",
    "proxy.ts",
    "instrumentation.ts",
    "instrumentation-client.ts",
    "next.config.ts",
    "postcss.config.mjs",
  ],
  ...["tsconfig.json", "prisma/schema.prisma", "package-lock.json"],
];
const GENERATED = "lib/store/generated/client.ts";
// Beside the packages that generated it: a new install generates again.
const GENERATED_STAMP = "node_modules/.cache/misstep/generated";

/** @param {string} root @returns {boolean} whether the database client is not that of the schema */
export function mustGenerate(root) {
  if (!existsSync(path.join(root, GENERATED))) return true;
  return readIfThere(path.join(root, GENERATED_STAMP)) !== fingerprint(root, SCHEMA);
}

/**
 * Generates the database client.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @throws Refusal with Prisma's own words
 */
export async function generate(root, env) {
  const stamp = fingerprint(root, SCHEMA);
  await tool(root, env, "The database client could not be generated", [
    "node_modules/prisma/build/index.js",
    "generate",
  ]);
  mkdirSync(path.dirname(path.join(root, GENERATED_STAMP)), { recursive: true });
  writeFileSync(path.join(root, GENERATED_STAMP), stamp);
}

/** @param {string} root @param {string} buildDir @returns {boolean} whether the production build is not that of the sources */
export function mustBuild(root, buildDir) {
  if (!existsSync(path.join(root, buildDir, "BUILD_ID"))) return true; // a failed build has none
  return readIfThere(path.join(root, buildDir, "misstep-sources")) !== fingerprint(root, SOURCES);
}

/**
 * Makes the production build.
 * @param {string} root
 * @param {string} buildDir relative to the root
 * @param {NodeJS.ProcessEnv} env
 * @param {(detail: string) => void} tell
 * @throws Refusal with Next's own words
 */
export async function build(root, buildDir, env, tell) {
  const stamp = fingerprint(root, SOURCES);
  rmSync(path.join(root, buildDir, "misstep-sources"), { force: true });
  const args = ["node_modules/next/dist/bin/next", "build"];
  const buildEnv = { ...env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", MISSTEP_BUILD_DIR: buildDir };
  await tool(root, buildEnv, "The build failed", args, tell);
  writeFileSync(path.join(root, buildDir, "misstep-sources"), stamp);
}

/**
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {string} failed
 * @param {string[]} args
 * @param {(detail: string) => void} [tell]
 */
async function tool(root, env, failed, args, tell) {
  const { code, lines } = await runGuarded(process.execPath, args, { cwd: root, env, onLine: tell });
  if (code === 0) return;
  const words = lines.join("\n");
  const reason = /ENOSPC|no space left/i.test(words)
    ? `${failed}, because the disk that holds ${root} is full.`
    : (sentenceOfBrokenPackages(words) ?? `${failed}; its own words are above.`);
  throw new Refusal(reason, { details: lines.slice(-40).join("\n") });
}
