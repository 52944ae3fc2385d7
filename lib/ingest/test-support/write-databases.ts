import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deepAgentsFixture, olderFixture } from "./checkpoint-fixtures";
import { FIXTURES } from "./fixtures";
import { runtimeLogFixture } from "./runtime-log-fixture";

// Writes the databases among the fixtures: `npx tsx lib/ingest/test-support/write-databases.ts`.

/** The databases among the fixtures, each with what makes it. */
export const DATABASES: readonly { file: string; make: () => Promise<Uint8Array> }[] = [
  { file: "langgraph/deepagents/checkpoints.db", make: deepAgentsFixture },
  { file: "langgraph/older/json.db", make: olderFixture },
  { file: "autogen/0.2/runtime-log.db", make: runtimeLogFixture },
];

async function writeAll(): Promise<void> {
  for (const { file, make } of DATABASES) {
    const path = join(FIXTURES, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await make());
  }
}

if (process.argv[1] === import.meta.filename) await writeAll();
