import { spawn } from "node:child_process";
import path from "node:path";

const GUARD = path.join(import.meta.dirname, "guard.mjs");
const isWindows = process.platform === "win32";

/**
 * @typedef {object} Guarded
 * @property {number | undefined} pid of the guard, which leads the process group
 * @property {Promise<number>} exited the exit code of the command (128 + signal when it was killed)
 * @property {boolean} running
 * @property {boolean} endsLast what the others need (Postgres): stopped after them
 * @property {() => Promise<number>} stop asks the command to end; its group is killed after the grace time
 * @property {() => void} kill ends the whole group at once
 * @property {import("node:stream").Readable | null} stdout
 * @property {import("node:stream").Readable | null} stderr
 */

/** @type {Set<Guarded>} what runs now, so that a second Ctrl-C can end it all at once */
export const guardedNow = new Set();

/**
 * Starts a command that ends with this process, however this process ends (see guard.mjs).
 * @param {string} command
 * @param {string[]} args never a secret: arguments can be read by every user of the machine
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, output?: "pipe" | "ignore" | "inherit" | number, input?: number, stopSignal?: NodeJS.Signals, graceMs?: number, uid?: number, gid?: number, endsLast?: boolean }} [options]
 *   `output`: where standard output and error go (a number is an open file); `input`: an open file; `uid` and `gid`: of the command, not of its guard
 * @returns {Guarded}
 */
export function startGuarded(command, args, options = {}) {
  const {
    cwd,
    env,
    output = "pipe",
    input = "ignore",
    stopSignal = "SIGTERM",
    graceMs = 6_000,
    uid,
    gid,
    endsLast = false,
  } = options;
  const how = JSON.stringify({ launcher: process.pid, stopSignal, graceMs, uid, gid });
  const child = spawn(process.execPath, [GUARD, how, command, ...args], {
    cwd,
    env,
    detached: !isWindows,
    windowsHide: true,
    stdio: [input, output, output, "pipe"],
  });
  const pipe = /** @type {import("node:net").Socket | null} */ (child.stdio[3] ?? null);
  pipe?.on("error", () => undefined); // the guard went first
  const kill = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(isWindows ? child.pid : -child.pid, "SIGKILL");
    } catch (error) {
      if (error.code !== "ESRCH") throw error; // nothing was left
    }
  };
  /** @type {Guarded} */
  const guarded = {
    pid: child.pid,
    running: true,
    endsLast,
    stdout: child.stdout,
    stderr: child.stderr,
    kill,
    stop() {
      pipe?.destroy();
      return guarded.exited;
    },
    exited: new Promise((resolve) => {
      const end = (code) => {
        if (!guarded.running) return;
        guarded.running = false;
        guardedNow.delete(guarded);
        pipe?.destroy();
        kill(); // what the command left behind in its group
        resolve(code);
      };
      child.on("error", () => end(127));
      child.on("exit", (code) => end(code ?? 137));
    }),
  };
  guardedNow.add(guarded);
  return guarded;
}

/**
 * Runs a guarded command to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {Parameters<typeof startGuarded>[2] & { onLine?: (line: string) => void }} [options] `onLine`: each line of its output
 * @returns {Promise<{ code: number, lines: string[] }>} the exit code and the last 200 lines of both outputs
 */
export async function runGuarded(command, args, { onLine, ...options } = {}) {
  const guarded = startGuarded(command, args, options);
  /** @type {string[]} */
  const lines = [];
  const done = [guarded.stdout, guarded.stderr].map((stream) =>
    readLines(stream, (line) => {
      lines.push(line);
      if (lines.length > 200) lines.shift();
      onLine?.(line);
    }),
  );
  const code = await guarded.exited;
  await Promise.all(done);
  return { code, lines };
}

/**
 * Calls back with each line of a stream; ends when the stream does. A line longer than 8,192 characters comes in parts.
 * @param {import("node:stream").Readable | null} stream
 * @param {(line: string) => void} onLine
 * @returns {Promise<void>}
 */
export function readLines(stream, onLine) {
  if (!stream) return Promise.resolve();
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text) => {
    const parts = `${rest}${text}`.split(/\r?\n|\r/);
    rest = parts.pop() ?? "";
    for (const part of parts) onLine(part);
    if (rest.length > 8_192) {
      onLine(rest);
      rest = "";
    }
  });
  return new Promise((resolve) => {
    stream.on("error", () => undefined); // "close" follows
    stream.on("close", () => {
      if (rest) onLine(rest);
      resolve();
    });
  });
}
