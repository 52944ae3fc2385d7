import { afterEach, expect } from "vitest";
import { resetEnv } from "@/lib/env";
import { giveFailure } from "@/lib/store/given-failure";
import { getInvestigations } from "@/lib/store/investigation-reads";
import type { ProjectScope } from "@/lib/store/scope";
import type { Investigation } from "@/lib/views/investigation";
import { PATIENT, send, statusOf } from "@/workers/test-jobs";
import { makeTrace } from "@/workers/test-trace";
import { startWorker, type WorkerProcess } from "@/workers/worker-process";
import type { Answer } from "./answers";
import { type ModelServer, type Script, startModelServer } from "./server";

export const KEY = `sk-${"worker".repeat(6)}`;

/** Scripted models and workers that ask them, closed after each test of the file. */
export interface Investigating {
  modelServer: (scripts: Script[], forbidden?: string[]) => Promise<ModelServer>;
  worker: (environment: Record<string, string>) => Promise<WorkerProcess>;
}

export function withInvestigations(url: () => string): Investigating {
  const opened: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });
  return {
    modelServer: async (scripts, forbidden = []) => {
      const server = await startModelServer(scripts, { forbidden });
      opened.push(() => server.close());
      Object.assign(process.env, environmentOf(server));
      resetEnv();
      return server;
    },
    worker: async (environment) => {
      const started = await startWorker(url(), environment);
      opened.push(async () => (started.child.exitCode === null ? started.end("SIGKILL") : undefined));
      return started;
    },
  };
}

export function environmentOf(server: ModelServer, more: Record<string, string> = {}): Record<string, string> {
  return {
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_MODEL: "demo-model-2",
    LLM_ALLOW_PRIVATE: "1",
    ...more,
  };
}

/** An imported run of six turns that failed; the marker of its script stands in its report, `seed` in its trace. */
export async function failedRun(scope: ProjectScope, marker: string, seed = marker): Promise<string> {
  const id = await send(scope, makeTrace(seed, 6), `${marker}.traj`);
  await expect.poll(() => statusOf(id), PATIENT).toBe("ready");
  await giveFailure(scope, id, { outcome: "failed", errorReport: `FAILED test_${marker}: assert 1 == 2` });
  await expect.poll(() => statusOf(id), PATIENT).toBe("ready");
  return id;
}

/** What each of these answers counts. */
export const usage = { input: 1_000, cached: 100, output: 50 };

export function requirements(marker: string): Answer {
  const frozen = [{ text: "The bug is gone.", source: "task", quote: `Fix the bug of ${marker}` }];
  return { calls: [{ name: "freeze_requirements", arguments: { requirements: frozen } }], usage };
}

export const prior: Answer = {
  calls: [
    {
      name: "state_prior",
      arguments: { phase: "implementation", kind: "semantic_logic_error", rationale: "One is not two." },
    },
  ],
  usage,
};
export const look: Answer = {
  calls: [{ name: "test_history", arguments: { why: "to see what ran" } }],
  usage,
};

export function diagnosis(marker: string): Answer {
  const given = {
    ...{ status: "determined", undetermined_reason: null, turn: 3, phase: "implementation" },
    ...{ kind: "semantic_logic_error", justification: "It writes the wrong value.", committed: ["Step 2."] },
    violated: [{ from: "error_report", turn: null, quote: `FAILED test_${marker}` }],
    ...{ requirement: "R1", fate: "persistent", correct_step: "Write the other value.", confidence: "medium" },
    alternative: null,
  };
  return { calls: [{ name: "submit_diagnosis", arguments: given }], usage };
}

export const answersOf = (marker: string): Answer[] => [requirements(marker), prior, look, diagnosis(marker)];
export const latestOf = async (scope: ProjectScope, id: string): Promise<Investigation | null> =>
  (await getInvestigations(scope, id)).latest;
export const stateOf = async (scope: ProjectScope, id: string): Promise<string | undefined> =>
  (await latestOf(scope, id))?.status;

/** How the investigation ended, as soon as it has. */
export async function endOf(scope: ProjectScope, id: string): Promise<string | undefined> {
  await expect.poll(() => stateOf(scope, id), PATIENT).not.toMatch(/queued|running/);
  return stateOf(scope, id);
}
