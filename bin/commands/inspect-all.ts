import { stat } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { filesUnder } from "./files-under";
import { type FailedRow, type InspectRow, secondsSince } from "./inspect-row";
import { asLine, HEAD, totalLines } from "./inspect-text";
import type { InspectMessage } from "./inspect-thread";
import { addRow, noTotals } from "./inspect-totals";
import { Refused } from "./refused";

/** A trajectory that is not read after this is given up, and a file that took longer is named. */
const SLOW_SECONDS = 10;
/** As the worker gives an import (workers/main.ts). */
const HEAP_MIB = 2_048;

/**
 * `misstep inspect --all DIR`: a row for every file and every trajectory in it, and what they come to. Goes on whatever a
 * file does: what is wrong with it is in its row. With `json` a row is a line of JSON, the last one `{"totals": ...}`.
 * @throws Refused when `folder` is no folder that can be read.
 */
export async function inspectAll(folder: string, json: boolean): Promise<void> {
  const isFolder = await stat(folder)
    .then((found) => found.isDirectory())
    .catch(() => false);
  if (!isFolder) throw new Refused(`${folder} is not a folder.`);
  const startedMs = performance.now();
  const totals = noTotals();
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  if (!json) print(HEAD);
  const reader = new Reader((row) => {
    addRow(totals, row);
    print(json ? JSON.stringify(row) : asLine(row));
  });
  for await (const file of filesUnder(folder)) {
    const seconds = await reader.read(path.join(folder, file), file);
    totals.files += 1;
    if (seconds > SLOW_SECONDS) totals.slow.push({ file, seconds });
  }
  await reader.end();
  totals.seconds = secondsSince(startedMs);
  print(json ? JSON.stringify({ totals }) : totalLines(totals));
}

/** Reads files one by one in a thread, and starts another thread where one did not come back. */
class Reader {
  #thread: Worker | null = null;

  constructor(private readonly onRow: (row: InspectRow) => void) {}

  /** Comes back when the file is done with, whatever became of it, with the seconds that it took. */
  async read(at: string, file: string): Promise<number> {
    const isNew = this.#thread === null;
    const thread = this.#thread ?? startThread();
    this.#thread = thread;
    let fileStartedMs = performance.now();
    let startedMs = fileStartedMs;
    const failure = await new Promise<FailedRow["error"] | null>((resolve) => {
      const giveUp = (): void => resolve({ code: "timeout", message: `not read after ${SLOW_SECONDS} s`, at: null });
      let timer: NodeJS.Timeout | undefined;
      // Loading the parsers is no part of a file's time: a busy machine takes seconds for it.
      const begin = (): void => {
        fileStartedMs = performance.now();
        startedMs = fileStartedMs;
        timer = setTimeout(giveUp, SLOW_SECONDS * 1_000);
        thread.postMessage({ at, file });
      };
      const settle = (error: FailedRow["error"] | null): void => {
        clearTimeout(timer);
        resolve(error);
      };
      thread.removeAllListeners();
      thread.on("message", (message: InspectMessage) => {
        if (message.kind === "ready") return begin();
        if (message.kind === "done") return settle(null);
        this.onRow(message.row);
        // Each trajectory has its own time.
        clearTimeout(timer);
        timer = setTimeout(giveUp, SLOW_SECONDS * 1_000);
        startedMs = performance.now();
      });
      thread.on("error", (error) => {
        const isFull = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
        const code = isFull ? "out_of_memory" : "internal";
        settle({ code, message: `${error.name}: ${error.message}`.slice(0, 500), at: null });
      });
      thread.on("exit", () => settle({ code: "internal", message: "its thread ended", at: null }));
      if (!isNew) begin();
    });
    if (failure === null) return secondsSince(fileStartedMs);
    this.#thread = null;
    thread.removeAllListeners();
    await thread.terminate();
    this.onRow({ file, part: null, error: failure, seconds: secondsSince(startedMs) });
    return secondsSince(fileStartedMs);
  }

  async end(): Promise<void> {
    this.#thread?.removeAllListeners();
    await this.#thread?.terminate();
  }
}

function startThread(): Worker {
  return new Worker(new URL("./inspect-thread.mjs", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
}
