import fc from "fast-check";
import { compare, hasTool, type Scenario, scratchFolder } from "@/lib/artefact/test-support/real-tools";
import { FAMILIES } from "@/lib/artefact/test-support/scenarios";

/** Cases that one shell runs: to start one takes longer than a case. */
const BATCH = 100;

/**
 * Holds the replay of generated commands against the real tools, `cases` for each family whose name is `only`, else holds it.
 * Prints a line a family, with the smallest scenario that fails. Returns how many families failed.
 */
export function fuzzWrites({ seed, only, cases }: { seed: number; only: string; cases: number }): number {
  const { folder, remove } = scratchFolder();
  const isExact = FAMILIES.some(({ name }) => name === only);
  let failures = 0;
  try {
    for (const { name, needs, scenarios } of FAMILIES) {
      if (isExact ? name !== only : !name.includes(only)) continue;
      const missing = needs.filter((tool) => !hasTool(tool));
      if (missing.length > 0) {
        process.stdout.write(`${name}: not run, ${missing.join(" and ")} of GNU's kind is not here\n`);
        continue;
      }
      const sum = { told: 0, unknown: 0 };
      const all = fc.sample(scenarios, { numRuns: cases, seed });
      let problem: string | null = null;
      for (let at = 0; at < all.length && problem === null; at += BATCH) {
        try {
          const { told, unknown } = compare(folder, all.slice(at, at + BATCH));
          sum.told += told;
          sum.unknown += unknown;
        } catch (error) {
          problem = smallest(folder, scenarios, { seed, cases, from: at }) ?? String(error);
        }
      }
      const share = `${all.length} cases, files told rightly ${sum.told}, declared unknown ${sum.unknown}`;
      process.stdout.write(`${name}: ${share}${problem === null ? "" : `, FAILED\n${problem}`}\n`);
      if (problem !== null) failures += 1;
    }
  } finally {
    remove();
  }
  return failures;
}

/** The smallest scenario that fails, looked for from case `from` on: the same seed gives the same cases. */
function smallest(
  folder: string,
  scenarios: fc.Arbitrary<Scenario>,
  { seed, cases, from }: { seed: number; cases: number; from: number },
): string | null {
  let n = 0;
  const property = fc.property(scenarios, (scenario) => {
    n += 1;
    if (n > from) compare(folder, [scenario]);
  });
  const { errorInstance } = fc.check(property, { numRuns: cases, seed });
  if (errorInstance === null || errorInstance === undefined) return null;
  return errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
}
