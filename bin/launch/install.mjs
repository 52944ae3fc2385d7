import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { runGuarded } from "./guarded.mjs";
import { readIfThere } from "./private-file.mjs";
import { Refusal } from "./refusal.mjs";

/**
 * Why the installed packages are not those of package-lock.json, or null when they are. npm writes
 * `node_modules/.package-lock.json` at the very end of an install, with what it put there.
 * @param {string} root
 * @returns {string | null}
 */
export function whyInstall(root) {
  const lock = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
  const written = readIfThere(path.join(root, "node_modules", ".package-lock.json"));
  if (written === null) return existsSync(path.join(root, "node_modules")) ? "unfinished" : "missing";
  const installed = JSON.parse(written).packages;
  for (const [place, wanted] of Object.entries(lock.packages)) {
    if (place === "" || wanted.link) continue;
    const found = installed[place];
    if (!found && (wanted.optional || wanted.devOptional || wanted.peer)) continue; // not for this machine
    if (!found) return `${nameOf(place)} is missing`;
    if (found.version !== wanted.version || found.integrity !== wanted.integrity)
      return `${nameOf(place)} is another version`;
  }
  const own = lock.packages[""];
  for (const name of Object.keys({ ...own.dependencies, ...own.devDependencies }))
    if (!existsSync(path.join(root, "node_modules", name, "package.json"))) return `${name} is missing`;
  return null;
}

/** @param {string} place */
const nameOf = (place) => place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);

/**
 * Installs the packages of package-lock.json.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {(detail: string) => void} tell
 * @throws Refusal with npm's own words
 */
export async function install(root, env, tell) {
  const total = Object.keys(JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")).packages).length - 1;
  const timer = setInterval(
    () => tell(`${countPackages(path.join(root, "node_modules"))} of about ${total} packages`),
    1_000,
  );
  const [command, first] = npmCommand(env);
  // Whatever NODE_ENV says, the build needs the development packages.
  const args = [...first, "ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const { code, lines } = await runGuarded(command, args, { cwd: root, env }).finally(() => clearInterval(timer));
  if (code === 0) {
    const still = whyInstall(root);
    if (still === null) return;
    throw new Refusal(`npm ci ended well, but ${still}: delete node_modules and start again.`);
  }
  const words = lines.join("\n");
  const full = /ENOSPC|no space left/i.test(words);
  throw new Refusal(
    full
      ? `The disk that holds ${root} is full: the packages need about 1.5 GB.`
      : "The packages could not be installed; npm's own words are above. Check the connection to the package registry and start again.",
    { details: lines.slice(-25).join("\n") },
  );
}

/**
 * npm as it was called, else the one beside this Node, else the one on the path.
 * @param {NodeJS.ProcessEnv} env
 * @returns {[string, string[]]}
 */
export function npmCommand(env) {
  const given = env.npm_execpath;
  if (given && /npm-cli\.c?js$/.test(given) && existsSync(given)) return [process.execPath, [given]];
  const folder = path.dirname(process.execPath);
  for (const beside of ["../lib/node_modules/npm/bin/npm-cli.js", "node_modules/npm/bin/npm-cli.js"]) {
    const file = path.resolve(folder, beside);
    if (existsSync(file)) return [process.execPath, [file]];
  }
  return ["npm", []];
}

/** @param {string} modules */
function countPackages(modules) {
  let n = 0;
  for (const name of readNames(modules)) {
    const scoped = name.startsWith("@")
      ? readNames(path.join(modules, name)).map((inner) => `${name}/${inner}`)
      : [name];
    for (const one of scoped) if (existsSync(path.join(modules, one, "package.json"))) n += 1;
  }
  return n;
}

/** @param {string} folder */
function readNames(folder) {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch {
    return []; // not there yet, or moved away while npm works
  }
}
