import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ADAPTERS } from "@/lib/ingest/ingest";
import { brokenBy, damaged } from "@/lib/ingest/test-support/damage";
import { FIXTURES, fixtureName, fixturesOf, readFixture } from "@/lib/ingest/test-support/fixtures";

const KEPT = join(FIXTURES, "damaged");

/**
 * Cuts every fixture whose name holds `only` at `cases` places and turns a bit in it at as many. An input that gives
 * anything but a valid trajectory or an IngestError, or takes too long, is kept as a fixture, which the tests then read.
 * Prints a line a fixture. Returns how many inputs failed.
 */
export async function fuzzFormats(options: { seed: number; only: string; cases: number }): Promise<number> {
  const { seed, only, cases } = options;
  let failures = 0;
  for (const { id } of ADAPTERS) {
    for (const file of fixturesOf(id)) {
      if (!fixtureName(file).includes(only)) continue;
      let failed = 0;
      for (const { bytes, how } of damaged(readFixture(file), cases, seed)) {
        const problem = await brokenBy({ name: file, bytes });
        if (problem === null) continue;
        failed += 1;
        mkdirSync(KEPT, { recursive: true });
        const kept = join(KEPT, `${id}-${seed}-${how}-${basename(file)}`);
        writeFileSync(kept, bytes);
        process.stdout.write(`${kept}: ${problem}\n`);
      }
      process.stdout.write(`${fixtureName(file)}: ${2 * cases} inputs, ${failed} failed\n`);
      failures += failed;
    }
  }
  return failures;
}
