import { fork } from "node:child_process";
import { Worker } from "node:worker_threads";
import type { ImportMessage, Order } from "./import-messages";

/** Where an import runs: a thread of this process, or a process of its own. */
export interface ImportLane {
  post(order: Order): void;
  /** Ends it, whatever it is doing. */
  end(): Promise<unknown>;
  /** Who hears of messages and of the end from now on: one at a time, for a lane serves many imports. */
  hear(hearer: LaneHearer | null): void;
  /** When it ended, whoever heard of it. */
  readonly ended: Promise<LaneEnd>;
}

export interface LaneHearer {
  message(message: ImportMessage): void;
  end(why: LaneEnd): void;
}

export interface LaneEnd {
  /** A code like `ERR_WORKER_OUT_OF_MEMORY`, a signal's name, or empty. */
  code: string;
  message: string;
}

/** Memory of a thread for what has just been made: a third of the engine's own measure. Nearly all that a parser makes stays. */
const YOUNG_MIB = 16;

/** A thread of this process. */
export function startThread(heapMib: number): ImportLane {
  const thread = new Worker(new URL("./import-thread.mjs", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  let hearer: LaneHearer | null = null;
  let failure: LaneEnd | null = null;
  thread.on("message", (message: ImportMessage) => hearer?.message(message));
  // Heard at any time: an error between jobs would otherwise end the process.
  thread.on("error", (error) => {
    failure = { code: "code" in error ? String(error.code) : "", message: error.message };
  });
  const ended = new Promise<LaneEnd>((resolve) => {
    thread.once("exit", (code) => {
      const why = failure ?? { code: "", message: `import thread ended (${code})` };
      hearer?.end(why);
      resolve(why);
    });
  });
  return {
    post: (order) => thread.postMessage(order),
    end: () => thread.terminate(),
    hear: (next) => {
      hearer = next;
    },
    ended,
  };
}

/** A process of its own, which ends with this one. */
export function startProcess(heapMib: number): ImportLane {
  const child = fork(new URL("./import-thread.ts", import.meta.url), {
    execArgv: ["--import", "tsx", `--max-old-space-size=${heapMib}`],
  });
  let hearer: LaneHearer | null = null;
  let failure: LaneEnd | null = null;
  child.on("message", (message: ImportMessage) => hearer?.message(message));
  child.on("error", (error) => {
    failure = { code: "", message: error.message };
  });
  const ended = new Promise<LaneEnd>((resolve) => {
    child.once("close", (code, signal) => {
      const why = failure ?? { code: signal ?? "", message: `import process ended (${signal ?? code})` };
      hearer?.end(why);
      resolve(why);
    });
  });
  return {
    post: (order) => void child.send(order),
    end: () => {
      child.kill("SIGKILL");
      return ended;
    },
    hear: (next) => {
      hearer = next;
    },
    ended,
  };
}
