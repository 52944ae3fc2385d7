import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** A worker as the launcher starts it: a process of its own, with a pipe that stands for the launcher's life. */
export interface WorkerProcess {
  child: ChildProcess;
  log: () => string;
  /** Sends a signal and resolves with the exit code, or the signal's name when that ended it. */
  end: (signal: NodeJS.Signals) => Promise<number | string>;
  /** Closes the launcher's end of the pipe, as its death does. */
  loseLauncher: () => Promise<number | string>;
}

/** Starts `workers/main.ts` on a database and resolves when it is ready. For tests. `env`: what it has besides. */
export async function startWorker(databaseUrl: string, env: Record<string, string> = {}): Promise<WorkerProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", "workers/main.ts"], {
    env: { ...process.env, ...env, DATABASE_URL: databaseUrl, MISSTEP_LAUNCHER_FD: "3", NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  let log = "";
  const exited: Promise<number | string> = once(child, "exit").then(([code, signal]) => code ?? signal);
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (data: Buffer) => {
        log += data.toString("utf8");
        if (/worker \d+ ready/.test(log)) resolve();
      });
    }
    void exited.then((code) => reject(new Error(`the worker ended (${code}) before it was ready:\n${log}`)));
  });
  await ready;
  return {
    child,
    log: () => log,
    end: (signal) => {
      child.kill(signal);
      return exited;
    },
    loseLauncher: () => {
      const pipe = child.stdio[3];
      if (pipe && "destroy" in pipe) pipe.destroy();
      return exited;
    },
  };
}
