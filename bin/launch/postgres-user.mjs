import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, lchownSync, lstatSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { Refusal } from "./refusal.mjs";

/**
 * How to run Postgres, which refuses to run as root.
 * @typedef {object} RunAs
 * @property {(command: string, args: string[]) => [string, string[]]} wrap the command line to run instead
 * @property {(entry: string) => void} own makes a file or a whole folder belong to whoever runs Postgres
 * @property {number} [uid]
 * @property {number} [gid]
 */

const NAMESPACE = ["--user", "--map-user=65534", "--map-group=65534"];
const PROBE = { uid: () => process.getuid?.(), hasUserNamespaces, otherUser };
const asItIs = (command, args) => /** @type {[string, string[]]} */ ([command, args]);

/**
 * Decides how to run Postgres: as we are; as root, as nobody inside a user namespace (its files stay ours), else as the
 * user postgres or nobody, who may then enter `folders` (0711) but not list them.
 * @param {string[]} folders of ours on the way to the cluster, the innermost last
 * @param {string} program a file that the user must be able to run
 * @param {typeof PROBE} [probe] what this machine is like, for tests
 * @returns {RunAs}
 * @throws Refusal as root, when neither a user namespace nor another user will do
 */
export function whoRunsPostgres(folders, program, probe = PROBE) {
  if (probe.uid() !== 0) return { wrap: asItIs, own: () => undefined };
  if (probe.hasUserNamespaces()) {
    const root = { uid: 0, gid: 0 };
    return {
      wrap: (command, args) => ["unshare", [...NAMESPACE, command, ...args]],
      own: (entry) => giveTo(root, entry),
    };
  }
  const user = probe.otherUser();
  if (user) for (const folder of folders) chmodSync(folder, 0o711);
  const obstacle = user ? obstacleFor(user, folders, program) : "there is no user postgres or nobody";
  if (!user || obstacle)
    throw new Refusal(
      `Postgres does not run as root, and here it cannot run as another user (no user namespaces; ${obstacle}): start Misstep as an ordinary user, or set DATABASE_URL to a Postgres of yours.`,
    );
  return { wrap: asItIs, own: (entry) => giveTo(user, entry), uid: user.uid, gid: user.gid };
}

/** Whether root may run a program as nobody in a user namespace of its own. */
export function hasUserNamespaces() {
  return spawnSync("unshare", [...NAMESPACE, "true"], { stdio: "ignore" }).status === 0;
}

/** @returns {{ uid: number, gid: number, name: string } | null} */
function otherUser() {
  for (const name of ["postgres", "nobody"]) {
    try {
      const id = (flag) => Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }).toString());
      return { uid: id("-u"), gid: id("-g"), name };
    } catch (error) {
      if (error.status === undefined && error.code !== "ENOENT") throw error; // no such user, or no `id`: the next one
    }
  }
  return null;
}

/**
 * @param {{ uid: number, gid: number, name: string }} user
 * @param {string[]} folders
 * @param {string} program
 */
function obstacleFor(user, folders, program) {
  for (const start of [path.dirname(program), ...folders]) {
    for (let parent = path.resolve(start); ; parent = path.dirname(parent)) {
      const { mode, uid, gid } = statSync(parent);
      const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
      if (!(mode & bit)) return `user ${user.name} may not enter ${parent}`;
      if (parent === path.dirname(parent)) break;
    }
  }
  const { error, status } = spawnSync(program, ["--version"], { uid: user.uid, gid: user.gid, stdio: "ignore" });
  if (error || status !== 0) return `user ${user.name} may not run ${program}`;
  return null;
}

/**
 * @param {{ uid: number, gid: number }} user
 * @param {string} entry
 */
function giveTo(user, entry) {
  if (!existsSync(entry)) return;
  const { uid, gid } = lstatSync(entry);
  if (uid === user.uid && gid === user.gid) return; // as it was left last time
  if (lstatSync(entry).isDirectory()) for (const name of readdirSync(entry)) giveTo(user, path.join(entry, name));
  lchownSync(entry, user.uid, user.gid);
}
