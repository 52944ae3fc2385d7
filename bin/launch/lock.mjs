import { execFileSync } from "node:child_process";
import { linkSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { readIfThere, writePrivateFile } from "./private-file.mjs";
import { Refusal } from "./refusal.mjs";

/**
 * Takes a data folder for this process. A lock whose process is gone (kill -9, power cut) is taken over; process numbers
 * are used again, so the lock also holds when its process began.
 * @param {string} dataDir
 * @param {string} origin shown to whoever comes second
 * @returns {{ wasStale: boolean, release: () => void }} `wasStale`: an earlier launcher did not end in order
 * @throws Refusal when another launcher has the folder
 */
export function lockDataFolder(dataDir, origin) {
  const file = path.join(dataDir, "launcher.lock");
  const own = `${file}.${process.pid}`;
  const mine = JSON.stringify({ pid: process.pid, began: beganAt(process.pid), origin });
  writePrivateFile(own, mine);
  let wasStale = false;
  try {
    for (let attempt = 0; attempt < 20; attempt++) {
      if (linkIfFree(own, file)) {
        return {
          wasStale,
          release: () => {
            if (readIfThere(file) === mine) rmSync(file, { force: true });
          },
        };
      }
      const text = readIfThere(file);
      if (text === null) continue;
      const holder = parse(text);
      if (holder && beganAt(holder.pid) === holder.began)
        throw new Refusal(
          `Misstep already runs on ${dataDir} (process ${holder.pid}, ${holder.origin}): stop it first, or set MISSTEP_DATA_DIR and PORT for a second one.`,
        );
      wasStale = true;
      takeAway(file, text);
    }
  } finally {
    rmSync(own, { force: true });
  }
  throw new Refusal(`The lock ${file} cannot be taken: delete it if no Misstep runs on this folder.`);
}

/** @param {string} from @param {string} to */
function linkIfFree(from, to) {
  try {
    linkSync(from, to); // appears with its whole content, or fails
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes a stale lock, and only that one: another start may have put its own there since we read it.
 * @param {string} file
 * @param {string} text
 */
function takeAway(file, text) {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code === "ENOENT") return;
    throw error;
  }
  if (readIfThere(aside) !== text) linkIfFree(aside, file);
  rmSync(aside, { force: true });
}

/** @param {string} text @returns {{ pid: number, began: string, origin: string } | null} */
function parse(text) {
  try {
    const value = JSON.parse(text);
    return Number.isInteger(value.pid) && typeof value.began === "string" ? value : null;
  } catch {
    return null; // not ours, or cut by a full disk: stale either way
  }
}

/**
 * When a process began, in the system's own words; empty when there is none.
 * @param {number} pid
 * @returns {string}
 */
export function beganAt(pid) {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat !== null) {
    // Field 2, in brackets, may hold spaces; 3 is the state, 22 the beginning. A zombie has ended.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "" : (fields[19] ?? "");
  }
  if (process.platform === "linux") return "";
  try {
    const out = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { stdio: ["ignore", "pipe", "ignore"] });
    return out.toString().trim();
  } catch {
    return ""; // no such process
  }
}
