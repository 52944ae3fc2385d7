import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { runGuarded } from "../launch/guarded.mjs";
import { Refusal } from "../launch/refusal.mjs";

const PLACES = [
  ...["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"],
  ...["/snap/bin/chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * A Chromium that starts on this machine: CHROMIUM_PATH, the system's, or Playwright's own if it is there.
 * @param {NodeJS.ProcessEnv} env
 * @param {(program: string) => boolean} [starts]
 * @returns {string | null} its path
 * @throws Refusal when CHROMIUM_PATH names one that does not start
 */
export function findChromium(env, starts = answersVersion) {
  const given = env.CHROMIUM_PATH?.trim();
  if (given) {
    if (starts(given)) return given;
    throw new Refusal(`CHROMIUM_PATH is ${given}, which does not start: correct it, or unset it.`);
  }
  return [...PLACES, playwrightsOwn()].find((place) => place !== null && existsSync(place) && starts(place)) ?? null;
}

/**
 * Finds a Chromium, or installs one: the system's package where root can, else Playwright's own.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {(line: string) => void} say
 * @returns {Promise<string>} its path
 * @throws Refusal with what to do by hand
 */
export async function findOrInstallChromium(root, env, say) {
  const found = findChromium(env);
  if (found) return found;
  const isRoot = process.getuid?.() === 0;
  /** @type {string[]} */
  const words = [];
  for (const [command, ...args] of waysToInstall(isRoot, existsSync("/usr/bin/apt-get"))) {
    say(`No Chromium was found: ${[command === process.execPath ? "node" : command, ...args].join(" ")}`);
    const commandEnv = { ...env, DEBIAN_FRONTEND: "noninteractive" };
    const { code, lines } = await runGuarded(command, args, { cwd: root, env: commandEnv, onLine: say });
    if (code !== 0) words.push(...lines.slice(-10));
    const installed = findChromium(env);
    if (installed) return installed;
  }
  throw new Refusal("No Chromium was found and none could be installed: install one and set CHROMIUM_PATH to it.", {
    details: words.join("\n"),
  });
}

/**
 * How Chromium is started for tests and measurements: without what talks to the network by itself, and inside its
 * sandbox wherever it can be, which needs user namespaces and refuses root.
 * @returns {string[]}
 */
export function chromiumArguments() {
  const canSandbox =
    process.platform !== "linux" ||
    (process.getuid?.() !== 0 && spawnSync("unshare", ["--user", "true"], { stdio: "ignore" }).status === 0);
  return [
    ...(canSandbox ? [] : ["--no-sandbox"]),
    ...["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
    ...["--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"],
  ];
}

/**
 * @param {boolean} isRoot
 * @param {boolean} hasApt
 * @returns {string[][]} command lines, in the order of trying
 */
export function waysToInstall(isRoot, hasApt) {
  const playwright = [process.execPath, "node_modules/@playwright/test/cli.js", "install"];
  if (!isRoot) return [[...playwright, "chromium"]];
  const apt = hasApt
    ? [
        ["apt-get", "update"],
        ["apt-get", "install", "-y", "--no-install-recommends", "chromium"],
      ]
    : [];
  return [...apt, [...playwright, "--with-deps", "chromium"]];
}

/** @param {string} program */
function answersVersion(program) {
  // On some systems the package is a stub that only names another way to install it.
  const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8", timeout: 30_000 });
  return status === 0 && /\d+\.\d+/.test(stdout ?? "");
}

function playwrightsOwn() {
  try {
    return createRequire(import.meta.url)("@playwright/test").chromium.executablePath();
  } catch {
    return null; // the packages are not there yet
  }
}
