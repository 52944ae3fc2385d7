import { AppError } from "@/lib/errors";
import { type ImportLane, type LaneEnd, startProcess, startThread } from "./import-lane";
import type { ImportMessage, Order } from "./import-messages";

export interface ThreadLimits {
  /** Memory of one import, in MiB. A 256 MiB upload was measured at about 1.5 GiB. */
  heapMib: number;
  /** After this an import is given up. */
  timeoutMs: number;
}

export type ThreadProgress = Extract<ImportMessage, { kind: "progress" | "prepared" }>;
type Outcome = Exclude<ImportMessage, ThreadProgress>;

const NOWHERE = { byte: null, line: null, pointer: null };

/**
 * Threads for imports. A thread is kept for the next import (starting one takes most of a second) and replaced when it
 * ended: by running out of memory, by the time limit, or because its job was taken away. What a worker did not survive
 * gets a process of its own.
 */
export class ImportThreads {
  readonly #idle: ImportLane[] = [];
  readonly #all = new Set<ImportLane>();
  readonly #limits: ThreadLimits;
  #isStopped = false;

  /** True once it was told to stop: what fails from then on is handed back. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  constructor(limits: ThreadLimits) {
    this.#limits = limits;
  }

  /**
   * Runs one import in a thread of its own, or `apart`, in a process of its own.
   * @returns how it ended.
   * @throws AppError `unavailable` when it has to be tried again (the database, or the job was taken away).
   */
  async run(
    order: Order,
    onProgress: (message: ThreadProgress) => void,
    signal: AbortSignal,
    where: "thread" | "apart" = "thread",
  ): Promise<Exclude<Outcome, { kind: "broken" }>> {
    if (this.#isStopped) throw new AppError("unavailable", "the worker is stopping");
    const { heapMib } = this.#limits;
    const lane =
      where === "apart" ? this.#add(startProcess(heapMib)) : (this.#idle.pop() ?? this.#add(startThread(heapMib)));
    const outcome = await this.#converse(lane, order, onProgress, signal, where);
    if (outcome.kind === "broken") throw new AppError("unavailable", outcome.message);
    return outcome;
  }

  /** Starts threads ahead of the first jobs: loading the parsers takes a second, and several on a busy machine. */
  warm(count: number): void {
    while (this.#all.size < count) this.#idle.push(this.#add(startThread(this.#limits.heapMib)));
  }

  /** Ends all threads and processes, whatever they are doing, and starts no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#all].map((lane) => lane.end()));
  }

  #add(lane: ImportLane): ImportLane {
    this.#all.add(lane);
    void lane.ended.then((why) => {
      this.#all.delete(lane);
      const at = this.#idle.indexOf(lane);
      if (at < 0) return;
      this.#idle.splice(at, 1);
      if (!this.#isStopped) console.error(`[import] an idle thread ended: ${why.message}`);
    });
    return lane;
  }

  #converse(
    lane: ImportLane,
    order: Order,
    onProgress: (message: ThreadProgress) => void,
    signal: AbortSignal,
    where: "thread" | "apart",
  ): Promise<Outcome> {
    return new Promise((resolve) => {
      const end = (outcome: Outcome, reusable: boolean): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        lane.hear(null);
        if (reusable) this.#idle.push(lane);
        else void lane.end();
        resolve(outcome);
      };
      const onAbort = (): void => end({ kind: "broken", message: "the job was taken away" }, false);
      const timer = setTimeout(() => end(timedOut(this.#limits), false), this.#limits.timeoutMs);
      lane.hear({
        message: (message) => {
          if (message.kind === "progress" || message.kind === "prepared") onProgress(message);
          else end(message, where === "thread");
        },
        end: (why) => {
          if (this.#isStopped) end({ kind: "broken", message: "the worker is stopping" }, false);
          else end(outcomeOfEnd(why, where, this.#limits), false);
        },
      });
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      lane.post(order);
    });
  }
}

/** What the end of a thread or process in the middle of an import means. */
function outcomeOfEnd(why: LaneEnd, where: "thread" | "apart", limits: ThreadLimits): Outcome {
  if (why.code === "ERR_WORKER_OUT_OF_MEMORY") {
    const message = `Reading this file needs more than ${limits.heapMib} MiB of memory.`;
    return { kind: "failed", failure: { code: "out_of_memory", message, ...NOWHERE } };
  }
  if (where === "thread") return { kind: "broken", message: why.message };
  // It did not survive beside others, and not apart from them either: it would not the next time.
  const message =
    `Reading this file ended the process that did it (${why.code === "" ? why.message : why.code}). Most likely it needs ` +
    `more memory than there is; one import may have ${limits.heapMib} MiB.`;
  return { kind: "failed", failure: { code: "out_of_memory", message, ...NOWHERE } };
}

function timedOut(limits: ThreadLimits): Outcome {
  const message = `Reading this file took longer than ${Math.round(limits.timeoutMs / 60_000)} minutes.`;
  return { kind: "failed", failure: { code: "timeout", message, ...NOWHERE } };
}
