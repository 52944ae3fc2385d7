/** One side of a comparison: `sample` does the work once and says what it took. */
export interface Case<T> {
  name: string;
  sample: () => T | Promise<T>;
}

/** The time that one piece of work took: on the clock, and of all processors by this process (its collector included). */
export interface Taken {
  wallMs: number;
  cpuMs: number;
}

/**
 * Samples several cases in rounds (A B C, A B C, ...), so that what else a machine does falls on all of them alike. No
 * garbage is collected in between: a collection that is asked for makes the engine forget optimised code, which counts
 * against whatever is not built in.
 * @returns the samples by case in the order of the rounds, without the warm-up.
 */
export async function interleave<T>(
  cases: readonly Case<T>[],
  { rounds, warmUp = 2 }: { rounds: number; warmUp?: number },
): Promise<Record<string, T[]>> {
  const samples: Record<string, T[]> = Object.fromEntries(cases.map(({ name }) => [name, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const { name, sample } of cases) {
      const taken = await sample();
      if (round >= 0) samples[name]?.push(taken);
    }
  }
  return samples;
}

/** Does the work once and says what it took. What it returns is dropped after the clock has stopped. */
export async function timed(work: () => unknown): Promise<Taken> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const kept = work();
  if (kept instanceof Promise) await kept;
  const wallMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1_000 };
}
