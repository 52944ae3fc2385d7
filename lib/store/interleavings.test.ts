import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { readSource } from "@/workers/import-pipeline";
import { makeTrace } from "@/workers/test-trace";
import { database, pool } from "./client";
import { newId } from "./identifiers";
import { beginImport, failImport, reportImport, retryImport } from "./import-status";
import { type ImportResult, storeImport } from "./imports";
import type { ProjectScope } from "./scope";
import { makeProject, withTestDatabase } from "./test-database";
import { receiveUpload } from "./uploads";

const { url } = withTestDatabase();
let scope: ProjectScope;
let result: ImportResult;
beforeAll(async () => {
  scope = await makeProject();
  const bytes = makeTrace("interleaved", 4);
  result = await readSource({ name: "run", bytes }, { baseline: null, outcome: null }, () => undefined);
});

/** A and B are two attempts of one job; C is the job of a person who tried again. */
type Who = "A" | "B" | "C";
type Step =
  | `${Who} begins`
  | `${Who} reports`
  | `${Who} stores: ${"stored" | "already" | "lost"}`
  | `${Who} fails`
  /** In the middle of its transaction, and out of it. */
  | `${Who} is held while it stores`
  | `${Who} goes on: ${"stored" | "already" | "lost"}`
  | "given up"
  | "tried again";

interface End {
  status: string;
  /** Whose result or reason stands on the row; null when there is none. */
  by: string | null;
  /** Whose imports are there. */
  imports: number;
}

const CASES: [name: string, steps: Step[], end: End][] = [
  ["one attempt", ["A begins", "A reports", "A stores: stored"], { status: "ready", by: "A", imports: 1 }],
  [
    "A is killed before it stores",
    ["A begins", "A reports", "B begins", "B stores: stored"],
    { status: "ready", by: "B", imports: 1 },
  ],
  [
    "A is killed after its commit, before the queue hears of it",
    ["A begins", "A stores: stored", "B begins", "B stores: already"],
    { status: "ready", by: "A", imports: 1 },
  ],
  [
    "A was given up for dead and comes back while B works",
    ["A begins", "B begins", "A reports", "A stores: lost", "B stores: stored"],
    { status: "ready", by: "B", imports: 1 },
  ],
  [
    "A was given up for dead and comes back when B is done",
    ["A begins", "B begins", "B stores: stored", "A reports", "A stores: already", "A fails"],
    { status: "ready", by: "B", imports: 1 },
  ],
  [
    "A was given up for dead and fails while B works",
    ["A begins", "B begins", "A fails", "B reports", "B stores: stored"],
    { status: "ready", by: "B", imports: 1 },
  ],
  [
    "A was given up for dead and fails after B failed",
    ["A begins", "B begins", "B fails", "A fails"],
    { status: "failed", by: "B", imports: 0 },
  ],
  [
    "A was given up for dead and comes to store after B failed",
    ["A begins", "B begins", "B fails", "A stores: lost"],
    { status: "failed", by: "B", imports: 0 },
  ],
  [
    "A stands still in its transaction while B begins",
    ["A begins", "A is held while it stores", "B begins", "A goes on: lost", "B stores: stored"],
    { status: "ready", by: "B", imports: 1 },
  ],
  [
    "A stands still in its transaction while B stores",
    [
      "A begins",
      "A is held while it stores",
      "B begins",
      "B is held while it stores",
      "A goes on: lost",
      "B goes on: stored",
    ],
    { status: "ready", by: "B", imports: 1 },
  ],
  [
    "A comes back after the import was given up",
    ["A begins", "given up", "A reports", "A stores: lost"],
    { status: "failed", by: "nobody", imports: 0 },
  ],
  [
    "A comes back after a person tried again and C works",
    ["A begins", "given up", "tried again", "C begins", "A reports", "A stores: lost", "C stores: stored"],
    { status: "ready", by: "C", imports: 1 },
  ],
  [
    "A comes back after a person tried again and C is done",
    ["A begins", "given up", "tried again", "C begins", "C stores: stored", "A stores: lost", "A fails"],
    { status: "ready", by: "C", imports: 1 },
  ],
  [
    "A comes back after a person tried again, before C begins",
    ["A begins", "given up", "tried again", "A stores: lost", "A fails", "C begins", "C stores: stored"],
    { status: "ready", by: "C", imports: 1 },
  ],
];

/** Runs steps on one trajectory, one after the other. */
class Play {
  readonly #id: string;
  readonly #jobs = { A: newId(), B: "", C: newId() };
  readonly #attempts = new Map<string, string>();
  readonly #storing = new Map<string, Promise<string>>();
  #lock: pg.Client | null = null;

  constructor(id: string) {
    this.#id = id;
    this.#jobs.B = this.#jobs.A;
  }

  async step(step: Step): Promise<void> {
    if (step === "given up") return failImport(scope, this.#id, null, reason("nobody"));
    if (step === "tried again") return retryImport(scope, this.#id);
    const who = step.slice(0, 1) as Who;
    const outcome = step.split(": ")[1];
    if (step.includes("begins")) {
      // An import that is there needs none: what a second run of the same job finds.
      this.#attempts.set(who, (await beginImport(scope, this.#id))?.attempt ?? "none");
    } else if (step.includes("reports")) {
      await reportImport(scope, this.#id, this.#attempt(who), { phase: "storing", done: 1, total: 2, turns: 4 });
    } else if (step.includes("fails")) await failImport(scope, this.#id, this.#attempt(who), reason(who));
    else if (step.includes("is held")) await this.#hold(who);
    else if (step.includes("goes on")) {
      await this.#release();
      expect(await this.#storing.get(who), step).toBe(outcome);
    } else expect(await this.#store(who), step).toBe(outcome);
  }

  #attempt(who: Who): string {
    return this.#attempts.get(who) ?? "none";
  }

  #store(who: Who): Promise<string> {
    const target = { trajectoryId: this.#id, jobId: this.#jobs[who], attempt: this.#attempt(who) };
    return storeImport(scope, target, { ...result, detection: { ...result.detection, reason: who } });
  }

  /** Starts to store and stops in the middle: the table of versions is locked. */
  async #hold(who: Who): Promise<void> {
    if (this.#lock === null) {
      this.#lock = new pg.Client({ connectionString: url() });
      await this.#lock.connect();
      await this.#lock.query('BEGIN; LOCK TABLE "FileVersion" IN SHARE ROW EXCLUSIVE MODE');
    }
    const before = await waitingBackends();
    this.#storing.set(who, this.#store(who));
    await expect.poll(waitingBackends).toBe(before + 1);
  }

  async #release(): Promise<void> {
    await this.#lock?.end();
    this.#lock = null;
  }
}

async function waitingBackends(): Promise<number> {
  const { rows } = await pool().query<{ count: string }>(
    "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())",
  );
  return Number(rows[0]?.count);
}

const reason = (who: string) => ({ code: "test", message: who, byte: null, line: null, pointer: null });

async function endOf(id: string): Promise<End> {
  const row = await database().trajectory.findUniqueOrThrow({ where: { id }, include: { imports: true } });
  const failure =
    row.failure !== null && typeof row.failure === "object" && "message" in row.failure ? row.failure : null;
  const by = row.status === "ready" ? row.formatReason : failure === null ? null : String(failure.message);
  return { status: row.status, by, imports: row.imports.length };
}

/** Rows of one import, whichever attempt made it. */
async function rowsOf(id: string): Promise<number[]> {
  const where = { import: { trajectoryId: id } };
  const { turn, file, write, analysis } = database();
  return Promise.all([turn.count({ where }), file.count({ where }), write.count({ where }), analysis.count({ where })]);
}

describe("R3, R4: attempts that meet", { timeout: 60_000 }, () => {
  test.each(CASES)("R3, R4: %s", async (name, steps, end) => {
    const bytes = new TextEncoder().encode(name);
    const body = new Blob([bytes]).stream();
    const { id } = await receiveUpload(scope, { name, body, contentLength: bytes.length, sha256: null });
    const play = new Play(id);
    for (const step of steps) await play.step(step);
    expect(await endOf(id)).toEqual(end);
    expect(await rowsOf(id)).toEqual(end.imports === 0 ? [0, 0, 0, 0] : [4, 2, 2, 1]);
  });
});
