import fc from "fast-check";
import { compare, hasTool, scratchFolder } from "@/lib/artefact/test-support/real-tools";
import { FAMILIES } from "@/lib/artefact/test-support/scenarios";

/**
 * Holds the replay of generated commands against the real tools, `cases` for each family whose name holds `only`.
 * Prints a line a family, with the smallest scenario that fails. Returns how many families failed.
 */
export function fuzzWrites({ seed, only, cases }: { seed: number; only: string; cases: number }): number {
  const { folder, remove } = scratchFolder();
  let failures = 0;
  try {
    for (const { name, needs, scenarios } of FAMILIES) {
      if (!name.includes(only)) continue;
      const missing = needs.filter((tool) => !hasTool(tool));
      if (missing.length > 0) {
        process.stdout.write(`${name}: not run, ${missing.join(" and ")} of GNU's kind is not here\n`);
        continue;
      }
      const sum = { told: 0, unknown: 0 };
      const property = fc.property(scenarios, (scenario) => {
        const { told, unknown } = compare(folder, [scenario]);
        sum.told += told;
        sum.unknown += unknown;
      });
      const { failed, numRuns, errorInstance } = fc.check(property, { numRuns: cases, seed });
      const share = `${numRuns} cases, files told rightly ${sum.told}, declared unknown ${sum.unknown}`;
      process.stdout.write(`${name}: ${share}${failed ? ", FAILED" : ""}\n`);
      if (!failed) continue;
      failures += 1;
      process.stdout.write(`${errorInstance instanceof Error ? errorInstance.message : String(errorInstance)}\n`);
    }
  } finally {
    remove();
  }
  return failures;
}
