import { Worker } from "node:worker_threads";
import { AppError } from "@/lib/errors";
import type { ImportMessage, ImportOrder } from "./import-messages";

export interface ThreadLimits {
  /** Memory of one import, in MiB. A 256 MiB upload was measured at about 1.5 GiB. */
  heapMib: number;
  /** After this an import is given up. */
  timeoutMs: number;
}

type Outcome = Exclude<ImportMessage, { kind: "progress" }>;

const NOWHERE = { byte: null, line: null, pointer: null };

/**
 * Threads for imports. A thread is kept for the next import (starting one takes most of a second) and replaced when it
 * ended: by running out of memory, by the time limit, or because its job was taken away.
 */
export class ImportThreads {
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  readonly #limits: ThreadLimits;

  constructor(limits: ThreadLimits) {
    this.#limits = limits;
  }

  /**
   * Runs one import in a thread of its own.
   * @returns how it ended.
   * @throws AppError `unavailable` when it has to be tried again (the database, or the job was taken away).
   */
  async run(
    order: ImportOrder,
    onProgress: (message: Extract<ImportMessage, { kind: "progress" }>) => void,
    signal: AbortSignal,
  ): Promise<Exclude<Outcome, { kind: "broken" }>> {
    const thread = this.#take();
    const outcome = await this.#converse(thread, order, onProgress, signal);
    if (outcome.kind === "broken") throw new AppError("unavailable", outcome.message);
    return outcome;
  }

  /** Starts threads ahead of the first jobs: loading the parsers takes a second, and several on a busy machine. */
  warm(count: number): void {
    while (this.#all.size < count) this.#idle.push(this.#start());
  }

  /** Ends all threads, whatever they are doing. */
  async stop(): Promise<void> {
    await Promise.all([...this.#all].map((thread) => thread.terminate()));
  }

  #take(): Worker {
    return this.#idle.pop() ?? this.#start();
  }

  #start(): Worker {
    const thread = new Worker(new URL("./import-thread.mjs", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMib },
    });
    this.#all.add(thread);
    // While a job runs its own listener hears of it too; an error between jobs would otherwise end the process.
    thread.on("error", (error) => console.error(`[import] thread: ${error.message}`));
    thread.once("exit", () => {
      this.#all.delete(thread);
      const at = this.#idle.indexOf(thread);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return thread;
  }

  #converse(
    thread: Worker,
    order: ImportOrder,
    onProgress: (message: Extract<ImportMessage, { kind: "progress" }>) => void,
    signal: AbortSignal,
  ): Promise<Outcome> {
    return new Promise((resolve) => {
      const end = (outcome: Outcome, reusable: boolean): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        thread.off("message", onMessage).off("error", onError).off("exit", onExit);
        if (reusable) this.#idle.push(thread);
        else void thread.terminate();
        resolve(outcome);
      };
      const onMessage = (message: ImportMessage): void => {
        if (message.kind === "progress") onProgress(message);
        else end(message, true);
      };
      const onError = (error: Error): void => end(outcomeOfCrash(error, this.#limits), false);
      const onExit = (code: number): void => end({ kind: "broken", message: `import thread ended (${code})` }, false);
      const onAbort = (): void => end({ kind: "broken", message: "the job was taken away" }, false);
      const timer = setTimeout(() => end(timedOut(this.#limits), false), this.#limits.timeoutMs);
      thread.on("message", onMessage).on("error", onError).on("exit", onExit);
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      thread.postMessage(order);
    });
  }
}

function outcomeOfCrash(error: Error, limits: ThreadLimits): Outcome {
  if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") {
    const message = `Reading this file needs more than ${limits.heapMib} MiB of memory.`;
    return { kind: "failed", failure: { code: "out_of_memory", message, ...NOWHERE } };
  }
  return { kind: "broken", message: `import thread crashed: ${error.message}` };
}

function timedOut(limits: ThreadLimits): Outcome {
  const message = `Reading this file took longer than ${Math.round(limits.timeoutMs / 60_000)} minutes.`;
  return { kind: "failed", failure: { code: "timeout", message, ...NOWHERE } };
}
