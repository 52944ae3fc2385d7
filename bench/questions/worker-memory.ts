import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { database } from "@/lib/store/client";
import type { ProjectScope } from "@/lib/store/scope";
import { receiveUpload } from "@/lib/store/uploads";
import { startWorker } from "@/workers/worker-process";
import { withDatabase } from "../database";
import { makeClaudeCode } from "../inputs/claude-code";
import { makeSweAgent } from "../inputs/swe-agent";
import { type Figure, type Question, singleFigure } from "../question";

const MB = 1_000_000;
const SIZE = 100 * MB;
const LINES_AT_MOST = 600;
const DOCUMENT_AT_MOST = 1_200;

const INPUTS = [
  { name: "JSONL (Claude Code)", make: () => makeClaudeCode({ sizeBytes: SIZE, seed: 21 }), atMost: LINES_AT_MOST },
  {
    name: "one document (SWE-agent without query)",
    make: () => makeSweAgent({ sizeBytes: SIZE, seed: 22, withQuery: false }),
    atMost: DOCUMENT_AT_MOST,
  },
  {
    name: "one document (SWE-agent with query)",
    make: () => makeSweAgent({ sizeBytes: SIZE, seed: 23, withQuery: true }),
    atMost: DOCUMENT_AT_MOST,
  },
];

export const question: Question = {
  id: "worker-memory",
  title: "Peak memory of the worker process that imports an upload of 100 MB from the queue",
  bound: `JSONL under ${LINES_AT_MOST} MB, one JSON document under ${DOCUMENT_AT_MOST} MB`,
  run: () =>
    withDatabase(async (scope, url) => {
      const figures: Figure[] = [];
      for (const { name, make, atMost } of INPUTS) {
        const id = await upload(scope, make());
        // A worker a file: what one import left behind must not count for the next.
        const worker = await startWorker(url);
        try {
          const idle = peakMb(worker.child.pid);
          const started = performance.now();
          await untilImported(id);
          figures.push(
            singleFigure(`${name}: peak`, "MB", peakMb(worker.child.pid), atMost),
            singleFigure(`${name}: before the import`, "MB", idle),
            singleFigure(`${name}: from queue to page`, "seconds", (performance.now() - started) / 1_000),
          );
        } finally {
          await worker.end("SIGTERM");
        }
      }
      return { figures, remarks: ["Peak is VmHWM, the largest resident set that the system counted."] };
    }),
};

async function upload(scope: ProjectScope, bytes: Buffer): Promise<string> {
  const body = new Blob([new Uint8Array(bytes)]).stream();
  const answer = await receiveUpload(scope, { name: "bench", body, contentLength: bytes.length, sha256: null });
  return answer.id;
}

async function untilImported(id: string): Promise<void> {
  for (;;) {
    const { status, failure } = await database().trajectory.findUniqueOrThrow({ where: { id } });
    if (status === "ready") return;
    if (status === "failed") throw new Error(`the import failed: ${JSON.stringify(failure)}`);
    await sleep(100);
  }
}

/** The largest resident set of a process so far, in MB. Only Linux tells it of another process. */
function peakMb(pid: number | undefined): number {
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  if (!found) throw new Error("this system does not say how much memory a process has used");
  return (Number(found[1]) * 1_024) / MB;
}
