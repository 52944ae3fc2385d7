import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readIfThere } from "./private-file.mjs";

/**
 * Makes sure that no server runs on a cluster: one that an earlier launcher left behind is stopped, and a
 * `postmaster.pid` whose number now belongs to another program (after a reboot, or in a container) is removed.
 * The caller holds the data folder's lock, so whatever runs here is stale.
 * @param {string} cluster
 * @returns {Promise<boolean>} whether a server had to be stopped
 */
export async function stopStaleServer(cluster) {
  const pidFile = path.join(cluster, "postmaster.pid");
  const pid = Number(readIfThere(pidFile)?.split("\n")[0]);
  if (!Number.isInteger(pid) || pid <= 1) return false;
  if (!isServerOf(pid, cluster)) {
    rmSync(pidFile, { force: true });
    return false;
  }
  // Fast shutdown, then immediate (it recovers from its log), then the end of it.
  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"]) {
    if (!send(pid, signal)) break;
    for (let i = 0; i < 100 && isServerOf(pid, cluster); i++) await sleep(50);
  }
  return true;
}

/**
 * @param {number} pid
 * @param {string} cluster
 */
function isServerOf(pid, cluster) {
  if (!send(pid, 0)) return false;
  return commandLine(pid).includes(cluster);
}

/** @param {number} pid @param {NodeJS.Signals | 0} signal */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if (error.code === "ESRCH" || error.code === "EPERM") return false;
    throw error;
  }
}

/** @param {number} pid */
function commandLine(pid) {
  const inProc = readIfThere(`/proc/${pid}/cmdline`);
  if (inProc !== null) return inProc.replaceAll("\0", " ");
  try {
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], {
      stdio: ["ignore", "pipe", "ignore"],
    }).toString();
  } catch {
    return ""; // it ended while we looked
  }
}
