// `npm run doctor`: what Misstep needs of this machine, one line each. Plain Node, so that it works before an install.
import { statfsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { findChromium } from "./check/chromium.mjs";
import { askHealth } from "./launch/health.mjs";
import { whyInstall } from "./launch/install.mjs";
import { whyNotThisNode } from "./launch/node-version.mjs";
import { whyNoAnswer, whyNotFree } from "./launch/port.mjs";
import { embeddedPostgres } from "./launch/postgres-package.mjs";
import { hasUserNamespaces } from "./launch/postgres-user.mjs";
import { readIfThere } from "./launch/private-file.mjs";
import { Refusal } from "./launch/refusal.mjs";
import { readSettings } from "./launch/settings.mjs";

const ROOT = path.join(import.meta.dirname, "..");
const NEEDED_GB = 3; // packages 1.5, build 0.3, and room for data

/** @typedef {{ ok: boolean | null, text: string }} Finding `ok: null` is worth knowing and stops nothing */

/** @returns {Finding} */
function node() {
  const reason = whyNotThisNode(process.versions.node);
  return { ok: reason === null, text: reason ?? `Node ${process.versions.node}` };
}

/** @returns {Finding} */
function packages() {
  const why = whyInstall(ROOT);
  return {
    ok: why === null ? true : null,
    text: why === null ? "Packages: installed" : `Packages: ${why}; npm start installs them`,
  };
}

/** @param {string} folder @returns {Finding} */
function disk(folder) {
  let existing = folder;
  while (!readStat(existing)) existing = path.dirname(existing);
  const stat = statfsSync(existing);
  const freeGb = (stat.bavail * stat.bsize) / 1e9;
  const enough = freeGb >= NEEDED_GB;
  return {
    ok: enough,
    text: `Disk of ${folder}: ${freeGb.toFixed(1)} GB free${enough ? "" : `, ${NEEDED_GB} are needed`}`,
  };
}

/** @param {string} folder */
function readStat(folder) {
  try {
    return statfsSync(folder);
  } catch {
    return null; // not there yet: the one above will hold it
  }
}

/** @param {import("./launch/settings.mjs").Settings} settings @returns {Promise<Finding>} */
async function port(settings) {
  const { host, port, origin } = settings;
  const reason = await whyNotFree(port, host);
  if (reason === null) return { ok: true, text: `Port ${port} on ${host}: free` };
  const { ok, answer } = await askHealth(settings);
  if (ok) return { ok: null, text: `Port ${port} on ${host}: Misstep runs there (${origin})` };
  return {
    ok: false,
    text: `Port ${port} on ${host}: ${reason}, and what is there is not a healthy Misstep (${answer}); set PORT`,
  };
}

/** @param {import("./launch/settings.mjs").Settings} settings @returns {Promise<Finding>} */
async function database({ databaseUrl }) {
  if (databaseUrl) {
    const { hostname, port } = new URL(databaseUrl);
    const reason = await whyNoAnswer(hostname, Number(port || 5432));
    return { ok: reason === null, text: `Database at ${hostname}:${port || 5432}: ${reason ?? "answers"}` };
  }
  if (whyInstall(ROOT) !== null) return { ok: null, text: "Database: the built-in Postgres comes with the packages" };
  embeddedPostgres();
  return { ok: true, text: "Database: the built-in Postgres" };
}

/** @returns {Finding} */
function user() {
  if (process.getuid?.() !== 0) return { ok: true, text: "User: not root, as it should be" };
  if (hasUserNamespaces()) return { ok: true, text: "User: root; Postgres runs as nobody in a user namespace" };
  return {
    ok: null,
    text: "User: root without user namespaces; Postgres needs the user postgres or nobody, or DATABASE_URL",
  };
}

/** @returns {Finding} */
function chromium() {
  const found = findChromium(process.env);
  return {
    ok: found ? true : null,
    text: found ? `Chromium for the tests: ${found}` : "Chromium for the tests: none; npm test installs one",
  };
}

/** @returns {Finding} */
function memory() {
  const gb = os.totalmem() / 1e9;
  return { ok: gb >= 2 ? true : null, text: `Memory: ${gb.toFixed(1)} GB${gb >= 2 ? "" : ", the build wants 2"}` };
}

/** @param {(...args: never[]) => Finding | Promise<Finding>} check @param {...unknown} args @returns {Promise<Finding>} */
async function finding(check, ...args) {
  try {
    return await /** @type {(...args: unknown[]) => Finding | Promise<Finding>} */ (check)(...args);
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, text: error.message };
    throw error;
  }
}

/** @returns {Promise<Finding[]>} */
async function examine() {
  const always = [
    await finding(node),
    await finding(packages),
    await finding(memory),
    await finding(user),
    await finding(chromium),
  ];
  let settings;
  try {
    settings = readSettings(process.env, ROOT);
  } catch (error) {
    if (error instanceof Refusal) return [...always, { ok: false, text: error.message }];
    throw error;
  }
  const running = readIfThere(path.join(settings.dataDir, "launcher.lock")) !== null;
  return [
    ...always,
    await finding(disk, settings.dataDir),
    await finding(port, settings),
    await finding(database, settings),
    { ok: null, text: `Data folder: ${settings.dataDir}${running ? " (a launcher has or had it)" : ""}` },
  ];
}

const findings = await examine();
for (const { ok, text } of findings) console.log(`${ok === null ? "note" : ok ? "ok  " : "BAD "} ${text}`);
process.exitCode = findings.some(({ ok }) => ok === false) ? 1 : 0;
