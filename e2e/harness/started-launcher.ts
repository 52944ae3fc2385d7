import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const root = path.join(import.meta.dirname, "..", "..");

/** What to start, and how. */
export interface LauncherOptions {
  dataDir: string;
  port: number;
  env?: Record<string, string>;
  /** Makes the command line from the launcher's own, for example to run it in a terminal. */
  wrap?: (command: string[]) => string[];
  cwd?: string;
}

/** A running or ended `bin/start.mjs`, as seen from outside. */
export interface StartedLauncher {
  child: ChildProcess;
  output: () => string;
  exited: Promise<number | null>;
  /** The address of the line `Open http://...`. Throws with the output when the launcher ends before. */
  untilOpen: (timeoutMs?: number) => Promise<string>;
}

/** A new empty folder for one test's data. */
export function newDataFolder(): string {
  return path.join(mkdtempSync(path.join(tmpdir(), "misstep-test-")), "data");
}

/** Starts the launcher on the build of the tests, in a process group of its own as a terminal would. */
export function startLauncher({
  dataDir,
  port,
  env = {},
  wrap = (line) => line,
  cwd = root,
}: LauncherOptions): StartedLauncher {
  const own = /^(MISSTEP_|npm_)|^(DATABASE_URL|PORT|NODE_ENV)$/;
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
  const [command = "", ...args] = wrap([process.execPath, path.join(cwd, "bin", "start.mjs")]);
  const child = spawn(command, args, {
    cwd,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...kept,
      NODE_ENV: "production",
      PORT: String(port),
      MISSTEP_DATA_DIR: dataDir,
      MISSTEP_BUILD_DIR: process.env.MISSTEP_TEST_BUILD_DIR ?? ".next-test",
      ...env,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const exited = new Promise<number | null>((resolve) => {
    child.on("error", () => resolve(null));
    child.on("close", (code) => resolve(code));
  });
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  return {
    child,
    exited,
    output: () => output,
    async untilOpen(timeoutMs = 90_000) {
      const end = Date.now() + timeoutMs;
      for (;;) {
        const link = /^Open (http\S+)\s*$/m.exec(output)?.[1];
        if (link) return link;
        if (ended || Date.now() > end) throw new Error(`The launcher did not come up:\n${output}`);
        await sleep(50);
      }
    },
  };
}

/** A process that belongs to a data folder. */
export interface FoundProcess {
  pid: number;
  command: string;
}

/**
 * Every process that was started for a data folder: by its environment, which children inherit, or its command line.
 * Zombies (ended, not yet collected) are none.
 */
export function processesOf(dataDir: string): FoundProcess[] {
  const isOf = (text: string): boolean => text.includes(dataDir);
  if (process.platform !== "linux") {
    const lines = execFileSync("ps", ["axeww", "-o", "pid=,command="], { encoding: "utf8", maxBuffer: 1 << 26 }).split(
      "\n",
    );
    return lines.filter(isOf).map((line) => ({ pid: Number.parseInt(line, 10), command: line.slice(0, 200) }));
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const command = readProc(name, "cmdline");
      const isFound = command !== "" && (isOf(command) || isOf(readProc(name, "environ")));
      return isFound ? [{ pid: Number(name), command: command.replaceAll("\0", " ").trim() }] : [];
    });
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return ""; // it ended while we looked, or belongs to somebody else
  }
}

/** Waits until no process of a data folder is left; gives back those that are left after the time, and ends them. */
export async function leftOver(dataDir: string, withinMs = 10_000): Promise<FoundProcess[]> {
  const end = Date.now() + withinMs;
  for (;;) {
    const found = processesOf(dataDir);
    if (found.length > 0 && Date.now() > end) {
      for (const { pid } of found) kill(pid);
      return found;
    }
    if (found.length === 0) return found;
    await sleep(50);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended while we looked.
  }
}

/** One GET by node:http, which no proxy of the environment can change. */
export function get(url: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false, timeout: 10_000 }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on("timeout", () => request.destroy(new Error("no answer in 10 s")));
    request.on("error", reject);
  });
}
