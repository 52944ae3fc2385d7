import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ADAPTERS } from "@/lib/ingest/ingest";
import { brokenBy, damagedInputs } from "@/lib/ingest/test-support/damage";
import { FIXTURES, fixtureName, fixturesOf, readFixture } from "@/lib/ingest/test-support/fixtures";
import { tarOf, zipOf } from "@/lib/ingest/test-support/packed";

const KEPT = join(FIXTURES, "damaged");

/** What archives are made of: a trace of one, one of several trajectories, and one that is no JSON. */
const PACKED = ["swe-agent/1.x/editor.traj", "message-rows/swe-smith/ticks.jsonl", "aider/chat/session.md"];

/**
 * Cuts every fixture whose name holds `only` at `cases` places and turns a bit in it at as many, and the files of those
 * that are archives; so too archives of several formats. An input that gives anything but a valid trajectory or an
 * IngestError, or takes too long, is kept as a fixture, which the tests then read. Prints a line a fixture. Returns how
 * many inputs failed.
 */
export async function fuzzFormats(options: { seed: number; only: string; cases: number }): Promise<number> {
  let failures = 0;
  for (const { id } of ADAPTERS) {
    for (const file of fixturesOf(id)) {
      const name = fixtureName(file);
      if (name.includes(options.only)) failures += await fuzzOne(name, readFixture(file), options);
    }
  }
  for (const [name, bytes] of await archives()) {
    if (name.includes(options.only)) failures += await fuzzOne(name, bytes, options);
  }
  return failures;
}

async function archives(): Promise<[string, Uint8Array][]> {
  const files = Object.fromEntries(PACKED.map((name) => [name, readFixture(join(FIXTURES, name))]));
  const tar = await tarOf(files);
  return [
    ["archives/several.tar", tar],
    ["archives/several.tar.gz", new Uint8Array(gzipSync(tar))],
    ["archives/several.zip", await zipOf(files)],
  ];
}

/** Returns how many of the damaged copies failed. Of those that fail alike the first is kept. */
async function fuzzOne(
  name: string,
  bytes: Uint8Array,
  { seed, cases }: { seed: number; cases: number },
): Promise<number> {
  const seen = new Set<string>();
  let [inputs, failed] = [0, 0];
  for await (const { bytes: broken, how } of damagedInputs(bytes, cases, seed)) {
    inputs += 1;
    const problem = await brokenBy({ name, bytes: broken });
    if (problem === null) continue;
    failed += 1;
    const kind = alike(problem);
    if (seen.has(kind)) continue;
    seen.add(kind);
    mkdirSync(KEPT, { recursive: true });
    const kept = join(KEPT, `${seed}-${how}-${name.replaceAll("/", "-")}`);
    writeFileSync(kept, broken);
    process.stdout.write(`${kept}: ${problem}\n`);
  }
  process.stdout.write(`${name}: ${inputs} inputs, ${failed} failed\n`);
  return failed;
}

/** What two problems share that are one: their words without numbers, and where the code failed. */
function alike(problem: string): string {
  const [words = "", place = ""] = problem.split("\n");
  return `${words.replaceAll(/\d+/g, "")} ${place}`;
}
